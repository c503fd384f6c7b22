import Dovetail

@Model(naming: .snakeCase, typeName: "payment_link")
struct PaymentLink: StripeObject {
    var active: Bool
    var afterCompletion: PaymentLinkAfterCompletion
    var allowPromotionCodes: Bool
    var application: Expandable?
    var applicationFeeAmount: Int?
    var applicationFeePercent: Double?
    var automaticTax: PaymentLinkAutomaticTax
    var billingAddressCollection: String
    var consentCollection: ConsentCollection
    var currency: String
    var customFields: [ModelDocument]
    var customText: CustomText
    var customerCreation: String
    var id: String
    var inactiveMessage: String?
    var invoiceCreation: InvoiceCreation
    var livemode: Bool
    var metadata: [String: String]
    var onBehalfOf: Expandable?
    var paymentIntentData: PaymentLinkPaymentIntentData
    var paymentMethodCollection: String
    var paymentMethodTypes: [String]?
    var phoneNumberCollection: PhoneNumberCollection
    var restrictions: PaymentLinkRestrictions
    var shippingAddressCollection: ShippingAddressCollection
    var shippingOptions: [ModelDocument]
    var submitType: String
    var subscriptionData: PaymentLinkSubscriptionData
    var taxIdCollection: PaymentLinkTaxIdCollection
    var transferData: ChargeTransferData
    var url: String
    var managedPayments: ManagedPayments
    var paymentMethodOptions: PaymentLinkPaymentMethodOptions
}

@Model(naming: .snakeCase)
struct PaymentLinkCardRestrictions {
    var brandsBlocked: [String]
}

@Model(naming: .snakeCase)
struct PaymentLinkCompletedSessions {
    var count: Int
    var limit: Int
}

@Model(naming: .snakeCase)
struct PaymentLinkInvoiceSettings {
    var issuer: Issuer
}

@Model(naming: .snakeCase)
struct PaymentLinkCard {
    var restrictions: PaymentLinkCardRestrictions
}

@Model(naming: .snakeCase)
struct PaymentLinkAfterCompletion {
    var hostedConfirmation: HostedConfirmation
    var type: String
}

@Model(naming: .snakeCase)
struct PaymentLinkAutomaticTax {
    var enabled: Bool
    var liability: Liability
}

@Model(naming: .snakeCase)
struct PaymentLinkPaymentIntentData {
    var captureMethod: String?
    var description: String?
    var metadata: [String: String]
    var setupFutureUsage: String?
    var statementDescriptor: String?
    var statementDescriptorSuffix: String?
    var transferGroup: String?
}

@Model(naming: .snakeCase)
struct PaymentLinkRestrictions {
    var completedSessions: PaymentLinkCompletedSessions
}

@Model(naming: .snakeCase)
struct PaymentLinkSubscriptionData {
    var description: String?
    var invoiceSettings: PaymentLinkInvoiceSettings
    var metadata: [String: String]
    var trialPeriodDays: Int?
    var trialSettings: TrialSettings
}

@Model(naming: .snakeCase)
struct PaymentLinkTaxIdCollection {
    var enabled: Bool
    var required: String
}

@Model(naming: .snakeCase)
struct PaymentLinkPaymentMethodOptions {
    var card: PaymentLinkCard
}
