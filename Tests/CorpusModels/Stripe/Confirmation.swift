import Dovetail

@Model(naming: .snakeCase, typeName: "confirmation_token")
struct ConfirmationToken: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date
    var id: String
    var livemode: Bool
    var mandateData: ConfirmationTokenMandateData
    var paymentIntent: Expandable?
    var paymentMethodOptions: ConfirmationTokenPaymentMethodOptions
    var paymentMethodPreview: ConfirmationTokenPaymentMethodPreview
    var returnUrl: String
    var setupFutureUsage: String
    var setupIntent: Expandable?
    var shipping: ConfirmationTokenShipping
    var useStripeSdk: Bool
}

@Model(naming: .snakeCase)
struct ConfirmationTokenNetworks {
    var preferred: String
    var supported: [String]
}

@Model(naming: .snakeCase)
struct ConfirmationTokenCustomerAcceptance {
    var online: Online
    var type: String
}

@Model(naming: .snakeCase)
struct ConfirmationTokenCard {
    var cvcToken: String?
}

@Model(naming: .snakeCase)
struct ConfirmationTokenUsBankAccount {
    var accountHolderType: String
    var accountType: String
    var bankName: String
    var financialConnectionsAccount: String?
    var fingerprint: String
    var last4: String
    var networks: ConfirmationTokenNetworks
    var routingNumber: String
    var statusDetails: ModelDocument
}

@Model(naming: .snakeCase)
struct ConfirmationTokenMandateData {
    var customerAcceptance: ConfirmationTokenCustomerAcceptance
}

@Model(naming: .snakeCase)
struct ConfirmationTokenPaymentMethodOptions {
    var card: ConfirmationTokenCard
}

@Model(naming: .snakeCase)
struct ConfirmationTokenPaymentMethodPreview {
    var allowRedisplay: String
    var billingDetails: ChargeBillingDetails
    var customer: Expandable?
    var type: String
    var usBankAccount: ConfirmationTokenUsBankAccount
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct ConfirmationTokenShipping {
    var address: Address
    var name: String
    var phone: String?
}

@Model(naming: .snakeCase, typeName: "customer_session")
struct CustomerSession: StripeObject {
    var clientSecret: String
    var components: CustomerSessionComponents
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var customer: Expandable
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date
    var livemode: Bool
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct CustomerSessionFeatures {
    var paymentMethodAllowRedisplayFilters: [String]
    var paymentMethodRedisplay: String
    var paymentMethodRedisplayLimit: String?
    var paymentMethodRemove: String
    var paymentMethodSave: String
    var paymentMethodSaveUsage: String?
}

@Model(naming: .snakeCase)
struct CustomerSessionCustomerSheetFeatures {
    var paymentMethodAllowRedisplayFilters: String?
    var paymentMethodRemove: String?
}

@Model(naming: .snakeCase)
struct CustomerSessionMobilePaymentElementFeatures {
    var paymentMethodAllowRedisplayFilters: String?
    var paymentMethodRedisplay: String?
    var paymentMethodRemove: String?
    var paymentMethodSave: String?
    var paymentMethodSaveAllowRedisplayOverride: String?
}

@Model(naming: .snakeCase)
struct CustomerSessionBuyButton {
    var enabled: Bool
}

@Model(naming: .snakeCase)
struct CustomerSessionPaymentElement {
    var enabled: Bool
    var features: CustomerSessionFeatures
}

@Model(naming: .snakeCase)
struct CustomerSessionPricingTable {
    var enabled: Bool
}

@Model(naming: .snakeCase)
struct CustomerSessionCustomerSheet {
    var enabled: Bool
    var features: CustomerSessionCustomerSheetFeatures
}

@Model(naming: .snakeCase)
struct CustomerSessionMobilePaymentElement {
    var enabled: Bool
    var features: CustomerSessionMobilePaymentElementFeatures
}

@Model(naming: .snakeCase)
struct CustomerSessionComponents {
    var buyButton: CustomerSessionBuyButton
    var paymentElement: CustomerSessionPaymentElement
    var pricingTable: CustomerSessionPricingTable
    var customerSheet: CustomerSessionCustomerSheet
    var mobilePaymentElement: CustomerSessionMobilePaymentElement
}

@Model(naming: .snakeCase, typeName: "ephemeral_key")
struct EphemeralKey: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var expires: Int
    var id: String
    var livemode: Bool
}
