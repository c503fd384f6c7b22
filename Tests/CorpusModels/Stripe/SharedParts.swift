import Dovetail

@Model(naming: .snakeCase)
struct Address {
    var city: String?
    var country: String?
    var line1: String?
    var line2: String?
    var postalCode: String?
    var state: String?
}

@Model(naming: .snakeCase)
struct AutomaticTax {
    var enabled: Bool
    var liability: Liability
    var disabledReason: String?
}

@Model(naming: .snakeCase)
struct Bancontact {
    var preferredLanguage: String
}

@Model(naming: .snakeCase)
struct BillingMode {
    var type: String
    var flexible: ModelDocument
}

@Model(naming: .snakeCase)
struct BillingThresholds {
    var usageGte: Int?
}

@Model(naming: .snakeCase)
struct ChargeBillingDetails {
    var address: Address
    var email: String?
    var name: String?
    var phone: String?
    var taxId: String?
}

@Model(naming: .snakeCase)
struct ChargeTransferData {
    var amount: Int?
    var destination: any StripeObject
}

@Model(naming: .snakeCase)
struct CheckoutSessionAutomaticTax {
    var enabled: Bool
    var liability: Liability
    var status: String?
    var provider: String?
}

@Model(naming: .snakeCase)
struct Checks {
    var addressLine1Check: String?
    var addressPostalCodeCheck: String?
    var cvcCheck: String?
}

@Model(naming: .snakeCase)
struct ConsentCollection {
    var paymentMethodReuseAgreement: PaymentMethodReuseAgreement
    var promotions: String?
    var termsOfService: String?
}

@Model(naming: .snakeCase)
struct CustomMessage {
    var message: String
}

@Model(naming: .snakeCase)
struct CustomText {
    var afterSubmit: CustomMessage
    var shippingAddress: CustomMessage
    var submit: CustomMessage
    var termsOfServiceAcceptance: CustomMessage
}

@Model(naming: .snakeCase)
struct CustomerBalance {
    var fundingType: String?
}

@Model(naming: .snakeCase)
struct Dob {
    var day: Int?
    var month: Int?
    var year: Int?
}

@Model(naming: .snakeCase)
struct EndBehavior {
    var missingPaymentMethod: String
}

@Model(naming: .snakeCase)
struct HostedConfirmation {
    var customMessage: String?
}

@Model(naming: .snakeCase)
struct InvoiceCreation {
    var enabled: Bool
    var invoiceData: InvoiceData
}

@Model(naming: .snakeCase)
struct InvoiceData {
    var accountTaxIds: [String]?
    var customFields: [ModelDocument]?
    var description: String?
    var footer: String?
    var issuer: Issuer
    var metadata: [String: String]?
    var renderingOptions: RenderingOptions
}

@Model(naming: .snakeCase)
struct Issuer {
    var type: String
}

@Model(naming: .snakeCase)
struct Liability {
    var type: String
}

@Model(naming: .snakeCase)
struct ManagedPayments {
    var enabled: Bool
}

@Model(naming: .snakeCase)
struct Money {
    var amount: Int
    var currency: String
}

@Model(naming: .snakeCase)
struct NextAction {
    var type: String
}

@Model(naming: .snakeCase)
struct Online {
    var ipAddress: String?
    var userAgent: String?
}

@Model(naming: .snakeCase)
struct PaymentMethodConfigurationDetails {
    var id: String
    var parent: String?
}

@Model(naming: .snakeCase)
struct PaymentMethodReuseAgreement {
    var position: String
}

@Model(naming: .snakeCase)
struct PhoneNumberCollection {
    var enabled: Bool
}

@Model(naming: .snakeCase)
struct RenderingOptions {
    var amountTaxDisplay: Int?
    var template: Expandable?
}

@Model(naming: .snakeCase)
struct ShippingAddressCollection {
    var allowedCountries: [String]
}

@Model(naming: .snakeCase)
struct ShippingCost {
    var amountSubtotal: Int
    var amountTax: Int
    var amountTotal: Int
    var shippingRate: Expandable?
}

@Model(naming: .snakeCase)
struct StatusTransitions {
    @Attribute(.transformed(by: SecondsSince1970.self)) var postedAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var voidAt: Date?
}

@Model(naming: .snakeCase)
struct SubscriptionBillingThresholds {
    var amountGte: Int?
    var resetBillingCycleAnchor: Bool?
}

@Model(naming: .snakeCase)
struct TotalDetails {
    var amountDiscount: Int
    var amountShipping: Int?
    var amountTax: Int
}

@Model(naming: .snakeCase)
struct TransferData {
    var amountPercent: Int?
    var destination: any StripeObject
}

@Model(naming: .snakeCase)
struct TrialSettings {
    var endBehavior: EndBehavior
}

@Model(naming: .snakeCase)
struct Wallet {
    var dynamicLast4: String?
    var type: String
}
