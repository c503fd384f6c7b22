import Dovetail

@Model(naming: .snakeCase, typeName: "subscription_schedule")
struct SubscriptionSchedule: StripeObject {
    var application: Expandable?
    @Attribute(.transformed(by: SecondsSince1970.self)) var canceledAt: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var completedAt: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currentPhase: SubscriptionScheduleCurrentPhase
    var customer: Expandable
    var defaultSettings: SubscriptionScheduleDefaultSettings
    var endBehavior: String
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var phases: [SubscriptionSchedulePhases]
    @Attribute(.transformed(by: SecondsSince1970.self)) var releasedAt: Date
    var releasedSubscription: Expandable?
    var status: String
    var subscription: Expandable?
    var testClock: Expandable?
    var billingMode: BillingMode
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct SubscriptionScheduleInvoiceSettings {
    var accountTaxIds: [String]?
    var daysUntilDue: Int?
    var issuer: Issuer
    var customFields: [ModelDocument]?
    var description: String?
    var footer: String?
}

@Model(naming: .snakeCase)
struct SubscriptionScheduleItems {
    var discounts: [Expandable]
    var metadata: [String: String]
    var price: Expandable
    var quantity: Int
    var taxRates: [String]
    var plan: any StripeObject
    var billingThresholds: BillingThresholds
}

@Model(naming: .snakeCase)
struct SubscriptionScheduleCurrentPhase {
    var endDate: Int
    var startDate: Int
}

@Model(naming: .snakeCase)
struct SubscriptionScheduleDefaultSettings {
    var applicationFeePercent: Double?
    var automaticTax: AutomaticTax
    var billingCycleAnchor: String
    var collectionMethod: String
    var defaultPaymentMethod: Expandable?
    var description: String?
    var invoiceSettings: SubscriptionScheduleInvoiceSettings
    var onBehalfOf: Expandable?
    var transferData: TransferData
    var billingThresholds: SubscriptionBillingThresholds
}

@Model(naming: .snakeCase)
struct SubscriptionSchedulePhases {
    var addInvoiceItems: [ModelDocument]
    var applicationFeePercent: Double?
    var billingCycleAnchor: String?
    var collectionMethod: String?
    var currency: String
    var defaultPaymentMethod: Expandable?
    var defaultTaxRates: [String]
    var description: String?
    var discounts: [Expandable]
    var endDate: Int
    var invoiceSettings: SubscriptionScheduleInvoiceSettings
    var items: [SubscriptionScheduleItems]
    var metadata: [String: String]
    var onBehalfOf: Expandable?
    var prorationBehavior: String
    var startDate: Int
    var transferData: TransferData
    var trialEnd: Int?
    var billingThresholds: SubscriptionBillingThresholds
}
