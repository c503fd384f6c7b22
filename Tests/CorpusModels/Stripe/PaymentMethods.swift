import Dovetail

@Model(naming: .snakeCase, typeName: "mandate")
struct Mandate: StripeObject {
    var customerAcceptance: MandateCustomerAcceptance
    var id: String
    var livemode: Bool
    var multiUse: ModelDocument
    var paymentMethod: Expandable
    var paymentMethodDetails: MandatePaymentMethodDetails
    var status: String
    var type: String
}

@Model(naming: .snakeCase)
struct MandateSepaDebit {
    var reference: String
    var url: String
}

@Model(naming: .snakeCase)
struct MandateCustomerAcceptance {
    @Attribute(.transformed(by: SecondsSince1970.self)) var acceptedAt: Date
    var online: Online
    var type: String
}

@Model(naming: .snakeCase)
struct MandatePaymentMethodDetails {
    var sepaDebit: MandateSepaDebit
    var type: String
}

@Model(naming: .snakeCase, typeName: "payment_method")
struct PaymentMethod: StripeObject {
    var allowRedisplay: String
    var billingDetails: ChargeBillingDetails
    var card: PaymentMethodCard
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var customer: Expandable?
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var type: String
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct PaymentMethodPaymentMethodDetails {
    var type: String
}

@Model(naming: .snakeCase)
struct PaymentMethodGeneratedFrom {
    var charge: Expandable?
    var paymentMethodDetails: PaymentMethodPaymentMethodDetails
    var setupAttempt: String?
}

@Model(naming: .snakeCase)
struct PaymentMethodNetworks {
    var available: [String]
    var preferred: String?
}

@Model(naming: .snakeCase)
struct PaymentMethodThreeDSecureUsage {
    var supported: Bool
}

@Model(naming: .snakeCase)
struct PaymentMethodCard {
    var brand: String
    var checks: Checks
    var country: String
    var displayBrand: String
    var expMonth: Int
    var expYear: Int
    var fingerprint: String
    var funding: String
    var generatedFrom: PaymentMethodGeneratedFrom
    var last4: String
    var networks: PaymentMethodNetworks
    var threeDSecureUsage: PaymentMethodThreeDSecureUsage
    var wallet: Wallet
    var regulatedStatus: String?
}
