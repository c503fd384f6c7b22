import Dovetail

@Model(naming: .snakeCase, typeName: "payment_method_configuration")
struct PaymentMethodConfiguration: StripeObject {
    var acssDebit: PaymentMethodAvailability
    var active: Bool
    var affirm: PaymentMethodAvailability
    var afterpayClearpay: PaymentMethodAvailability
    var alipay: PaymentMethodAvailability
    var amazonPay: PaymentMethodAvailability
    var applePay: PaymentMethodAvailability
    var application: Expandable?
    var bacsDebit: PaymentMethodAvailability
    var bancontact: PaymentMethodAvailability
    var blik: PaymentMethodAvailability
    var card: PaymentMethodAvailability
    var cartesBancaires: PaymentMethodAvailability
    var cashapp: PaymentMethodAvailability
    var customerBalance: PaymentMethodAvailability
    var eps: PaymentMethodAvailability
    var giropay: PaymentMethodAvailability
    var googlePay: PaymentMethodAvailability
    var id: String
    var ideal: PaymentMethodAvailability
    var isDefault: Bool
    var klarna: PaymentMethodAvailability
    var link: PaymentMethodAvailability
    var livemode: Bool
    var multibanco: PaymentMethodAvailability
    var name: String
    var p24: PaymentMethodAvailability
    var parent: String?
    var sepaDebit: PaymentMethodAvailability
    var sofort: PaymentMethodAvailability
    var usBankAccount: PaymentMethodAvailability
    var wechatPay: PaymentMethodAvailability
    var zip: PaymentMethodAvailability
}

@Model(naming: .snakeCase)
struct PaymentMethodConfigurationDisplayPreference {
    var overridable: String?
    var preference: String
    var value: String
}

@Model(naming: .snakeCase)
struct PaymentMethodAvailability {
    var available: Bool
    var displayPreference: PaymentMethodConfigurationDisplayPreference
}

@Model(naming: .snakeCase, typeName: "payment_method_domain")
struct PaymentMethodDomain: StripeObject {
    var applePay: PaymentMethodDomainApplePay
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var domainName: String
    var enabled: Bool
    var googlePay: PaymentMethodDomainGooglePay
    var id: String
    var link: PaymentMethodDomainLink
    var livemode: Bool
    var paypal: PaymentMethodDomainPaypal
    var amazonPay: PaymentMethodDomainAmazonPay
    var klarna: PaymentMethodDomainKlarna
}

@Model(naming: .snakeCase)
struct PaymentMethodDomainApplePay {
    var status: String
}

@Model(naming: .snakeCase)
struct PaymentMethodDomainGooglePay {
    var status: String
}

@Model(naming: .snakeCase)
struct PaymentMethodDomainLink {
    var status: String
}

@Model(naming: .snakeCase)
struct PaymentMethodDomainPaypal {
    var status: String
}

@Model(naming: .snakeCase)
struct PaymentMethodDomainAmazonPay {
    var status: String
}

@Model(naming: .snakeCase)
struct PaymentMethodDomainKlarna {
    var status: String
}
