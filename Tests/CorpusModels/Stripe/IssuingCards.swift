import Dovetail

@Model(naming: .snakeCase, typeName: "issuing.card")
struct IssuingCard: StripeObject {
    var brand: String
    var cancellationReason: String?
    var cardholder: any StripeObject
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var expMonth: Int
    var expYear: Int
    var id: String
    var last4: String
    var livemode: Bool
    var metadata: [String: String]
    var personalizationDesign: Expandable?
    var replacedBy: Expandable?
    var replacementFor: Expandable?
    var replacementReason: String?
    var shipping: IssuingCardShipping
    var spendingControls: IssuingCardSpendingControls
    var status: String
    var type: String
    var wallets: IssuingCardWallets
    var secondLine: String?
    var latestFraudWarning: IssuingCardLatestFraudWarning
    var lifecycleControls: IssuingCardLifecycleControls
}

@Model(naming: .snakeCase)
struct IssuingCardAddressValidation {
    var mode: String
    var normalizedAddress: Address
    var result: String?
}

@Model(naming: .snakeCase)
struct IssuingCardCustoms {
    var eoriNumber: String?
}

@Model(naming: .snakeCase)
struct IssuingCardApplePay {
    var eligible: Bool
    var ineligibleReason: String?
}

@Model(naming: .snakeCase)
struct IssuingCardCancelAfter {
    var paymentCount: Int
}

@Model(naming: .snakeCase)
struct IssuingCardShipping {
    var address: Address
    var addressValidation: IssuingCardAddressValidation
    var carrier: String?
    var customs: IssuingCardCustoms
    var eta: String?
    var name: String
    var phoneNumber: String?
    var requireSignature: String?
    var service: String
    var status: String?
    var trackingNumber: String?
    var trackingUrl: String?
    var type: String
    var businessName: String?
}

@Model(naming: .snakeCase)
struct IssuingCardSpendingControls {
    var allowedCategories: String?
    var allowedMerchantCountries: String?
    var blockedCategories: String?
    var blockedMerchantCountries: String?
    var spendingLimits: [ModelDocument]
    var spendingLimitsCurrency: String?
    var allowedCardPresences: String?
    var blockedCardPresences: String?
}

@Model(naming: .snakeCase)
struct IssuingCardWallets {
    var applePay: IssuingCardApplePay
    var googlePay: IssuingCardApplePay
    var primaryAccountIdentifier: String?
}

@Model(naming: .snakeCase)
struct IssuingCardLatestFraudWarning {
    @Attribute(.transformed(by: SecondsSince1970.self)) var startedAt: Date?
    var type: String?
}

@Model(naming: .snakeCase)
struct IssuingCardLifecycleControls {
    var cancelAfter: IssuingCardCancelAfter
}

@Model(naming: .snakeCase, typeName: "issuing.cardholder")
struct IssuingCardholder: StripeObject {
    var billing: IssuingCardholderBilling
    var company: IssuingCardholderCompany
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var email: String
    var id: String
    var individual: IssuingCardholderIndividual
    var livemode: Bool
    var metadata: [String: String]
    var name: String
    var phoneNumber: String
    var preferredLocales: [String]
    var requirements: IssuingCardholderRequirements
    var spendingControls: IssuingCardholderSpendingControls
    var status: String
    var type: String
}

@Model(naming: .snakeCase)
struct IssuingCardholderDocument {
    var back: String?
    var front: String?
}

@Model(naming: .snakeCase)
struct IssuingCardholderVerification {
    var document: IssuingCardholderDocument
}

@Model(naming: .snakeCase)
struct IssuingCardholderBilling {
    var address: Address
}

@Model(naming: .snakeCase)
struct IssuingCardholderCompany {
    var taxIdProvided: Bool
}

@Model(naming: .snakeCase)
struct IssuingCardholderIndividual {
    var dob: Dob
    var firstName: String?
    var lastName: String?
    var verification: IssuingCardholderVerification
}

@Model(naming: .snakeCase)
struct IssuingCardholderRequirements {
    var disabledReason: String?
    var pastDue: [String]
}

@Model(naming: .snakeCase)
struct IssuingCardholderSpendingControls {
    var allowedCategories: [String]
    var allowedMerchantCountries: [String]
    var blockedCategories: [String]
    var blockedMerchantCountries: [String]
    var spendingLimits: [ModelDocument]
    var spendingLimitsCurrency: String?
    var allowedCardPresences: String?
    var blockedCardPresences: String?
}

@Model(naming: .snakeCase, typeName: "issuing.personalization_design")
struct IssuingPersonalizationDesign: StripeObject {
    var cardLogo: Expandable?
    var carrierText: IssuingPersonalizationDesignCarrierText
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var id: String
    var livemode: Bool
    var lookupKey: String
    var metadata: [String: String]
    var name: String
    var physicalBundle: Expandable
    var preferences: IssuingPersonalizationDesignPreferences
    var rejectionReasons: IssuingPersonalizationDesignRejectionReasons
    var status: String
}

@Model(naming: .snakeCase)
struct IssuingPersonalizationDesignCarrierText {
    var footerBody: String?
    var footerTitle: String?
    var headerBody: String?
    var headerTitle: String?
}

@Model(naming: .snakeCase)
struct IssuingPersonalizationDesignPreferences {
    var isDefault: Bool
    var isPlatformDefault: String?
}

@Model(naming: .snakeCase)
struct IssuingPersonalizationDesignRejectionReasons {
    var cardLogo: [String]
    var carrierText: [String]
}

@Model(naming: .snakeCase, typeName: "issuing.physical_bundle")
struct IssuingPhysicalBundle: StripeObject {
    var features: IssuingPhysicalBundleFeatures
    var id: String
    var livemode: Bool
    var name: String
    var status: String
    var type: String
}

@Model(naming: .snakeCase)
struct IssuingPhysicalBundleFeatures {
    var cardLogo: String
    var carrierText: String
    var secondLine: String
}

@Model(naming: .snakeCase, typeName: "issuing.token")
struct IssuingToken: StripeObject {
    var card: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var deviceFingerprint: String?
    var id: String
    var last4: String
    var livemode: Bool
    var network: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var networkUpdatedAt: Date
    var status: String
    var walletProvider: String
}
