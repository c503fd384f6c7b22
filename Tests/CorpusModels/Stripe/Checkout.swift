import Dovetail

@Model(naming: .snakeCase, typeName: "checkout.session")
struct CheckoutSession: StripeObject {
    var afterExpiration: CheckoutSessionAfterExpiration
    var allowPromotionCodes: Bool?
    var amountSubtotal: Int?
    var amountTotal: Int?
    var automaticTax: CheckoutSessionAutomaticTax
    var billingAddressCollection: String?
    var cancelUrl: String
    var clientReferenceId: String?
    var clientSecret: String?
    var consent: CheckoutSessionConsent
    var consentCollection: ConsentCollection
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String?
    var customFields: [ModelDocument]
    var customText: CustomText
    var customer: Expandable?
    var customerCreation: String?
    var customerDetails: CheckoutSessionCustomerDetails
    var customerEmail: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date
    var id: String
    var invoice: Expandable?
    var invoiceCreation: InvoiceCreation
    var livemode: Bool
    var locale: String?
    var metadata: [String: String]
    var mode: String
    var paymentIntent: Expandable
    var paymentLink: Expandable?
    var paymentMethodCollection: String?
    var paymentMethodConfigurationDetails: PaymentMethodConfigurationDetails
    var paymentMethodOptions: ModelDocument
    var paymentMethodTypes: [String]
    var paymentStatus: String
    var phoneNumberCollection: PhoneNumberCollection
    var recoveredFrom: String?
    var savedPaymentMethodOptions: CheckoutSessionSavedPaymentMethodOptions
    var setupIntent: Expandable?
    var shippingAddressCollection: ShippingAddressCollection
    var shippingCost: ShippingCost
    var shippingOptions: [ModelDocument]
    var status: String
    var submitType: String?
    var subscription: Expandable?
    var successUrl: String
    var totalDetails: TotalDetails
    var uiMode: String?
    var url: String
    var adaptivePricing: CheckoutSessionAdaptivePricing
    var discounts: [Expandable]?
    var collectedInformation: CheckoutSessionCollectedInformation
    var permissions: CheckoutSessionPermissions
    var walletOptions: ModelDocument
    var originContext: ModelDocument?
    var currencyConversion: CheckoutSessionCurrencyConversion
    var customerAccount: String?
    var integrationIdentifier: String?
    var managedPayments: ManagedPayments
}

@Model(naming: .snakeCase)
struct CheckoutSessionRecovery {
    var allowPromotionCodes: Bool
    var enabled: Bool
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date?
    var url: String?
}

@Model(naming: .snakeCase)
struct CheckoutSessionShippingDetails {
    var address: Address
    var name: String
}

@Model(naming: .snakeCase)
struct CheckoutSessionAfterExpiration {
    var recovery: CheckoutSessionRecovery
}

@Model(naming: .snakeCase)
struct CheckoutSessionConsent {
    var promotions: String?
    var termsOfService: String?
}

@Model(naming: .snakeCase)
struct CheckoutSessionCustomerDetails {
    var address: Address
    var email: String
    var name: String?
    var phone: String?
    var taxExempt: String
    var taxIds: String?
    var businessName: String?
    var individualName: String?
}

@Model(naming: .snakeCase)
struct CheckoutSessionSavedPaymentMethodOptions {
    var allowRedisplayFilters: String?
    var paymentMethodRemove: String?
    var paymentMethodSave: String?
}

@Model(naming: .snakeCase)
struct CheckoutSessionAdaptivePricing {
    var enabled: Bool
}

@Model(naming: .snakeCase)
struct CheckoutSessionCollectedInformation {
    var shippingDetails: CheckoutSessionShippingDetails
    var businessName: String?
    var individualName: String?
}

@Model(naming: .snakeCase)
struct CheckoutSessionPermissions {
    var updateShippingDetails: String?
}

@Model(naming: .snakeCase)
struct CheckoutSessionCurrencyConversion {
    var amountSubtotal: Int
    var amountTotal: Int
    var fxRate: String
    var sourceCurrency: String
}

@Model(naming: .snakeCase, typeName: "item")
struct Item: StripeObject {
    var amountDiscount: Int
    var amountSubtotal: Int
    var amountTax: Int
    var amountTotal: Int
    var currency: String
    var description: String
    var id: String
    var price: any StripeObject
    var quantity: Int
    var metadata: [String: String]?
    var adjustableQuantity: ItemAdjustableQuantity
}

@Model(naming: .snakeCase)
struct ItemAdjustableQuantity {
    var enabled: Bool
    var maximum: String?
    var minimum: String?
}
