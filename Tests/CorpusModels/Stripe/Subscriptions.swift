import Dovetail

@Model(naming: .snakeCase, typeName: "subscription")
struct Subscription: StripeObject {
    var application: Expandable?
    var applicationFeePercent: Double?
    var automaticTax: AutomaticTax
    var billingCycleAnchor: Int
    var billingCycleAnchorConfig: SubscriptionBillingCycleAnchorConfig
    @Attribute(.transformed(by: SecondsSince1970.self)) var cancelAt: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var canceledAt: Date
    var cancellationDetails: SubscriptionCancellationDetails
    var collectionMethod: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var customer: Expandable
    var daysUntilDue: Int?
    var defaultPaymentMethod: Expandable?
    var defaultSource: Expandable?
    var defaultTaxRates: [String]
    var description: String?
    var discounts: [Expandable]
    @Attribute(.transformed(by: SecondsSince1970.self)) var endedAt: Date
    var id: String
    var invoiceSettings: SubscriptionInvoiceSettings
    var items: List
    var latestInvoice: Expandable?
    var livemode: Bool
    var metadata: [String: String]
    var nextPendingInvoiceItemInvoice: Int
    var onBehalfOf: Expandable?
    var pauseCollection: SubscriptionPauseCollection
    var paymentSettings: SubscriptionPaymentSettings
    var pendingInvoiceItemInterval: SubscriptionPendingInvoiceItemInterval
    var pendingSetupIntent: Expandable?
    var pendingUpdate: SubscriptionPendingUpdate
    var schedule: Expandable?
    var startDate: Int
    var status: String
    var testClock: Expandable?
    var transferData: TransferData
    var trialEnd: Int
    var trialSettings: TrialSettings
    var trialStart: Int
    var cancelAtPeriodEnd: Bool
    var billingThresholds: SubscriptionBillingThresholds
    var billingMode: BillingMode
    var customerAccount: String?
    var managedPayments: ManagedPayments
    var billingSchedules: [SubscriptionBillingSchedules]
}

@Model(naming: .snakeCase)
struct SubscriptionCard {
    var network: String?
    var requestThreeDSecure: String?
}

@Model(naming: .snakeCase)
struct SubscriptionPendingInvoiceItemInterval {
    var interval: String
    var intervalCount: Int?
}

@Model(naming: .snakeCase)
struct SubscriptionPaymentMethodOptions {
    var acssDebit: ModelDocument
    var bancontact: Bancontact
    var card: SubscriptionCard
    var customerBalance: CustomerBalance
    var konbini: ModelDocument
    var sepaDebit: ModelDocument
    var usBankAccount: ModelDocument
    var payto: ModelDocument
    var pix: ModelDocument
    var upi: ModelDocument
}

@Model(naming: .snakeCase)
struct SubscriptionBillUntil {
    var computedTimestamp: Int
    var duration: SubscriptionPendingInvoiceItemInterval
    var timestamp: String?
    var type: String
}

@Model(naming: .snakeCase)
struct SubscriptionBillingCycleAnchorConfig {
    var dayOfMonth: Int
    var hour: Int?
    var minute: Int?
    var month: Int?
    var second: Int?
}

@Model(naming: .snakeCase)
struct SubscriptionCancellationDetails {
    var comment: String?
    var feedback: String?
    var reason: String?
}

@Model(naming: .snakeCase)
struct SubscriptionInvoiceSettings {
    var accountTaxIds: [String]?
    var issuer: Issuer
    var customFields: [ModelDocument]?
    var description: String?
    var footer: String?
}

@Model(naming: .snakeCase)
struct SubscriptionPauseCollection {
    var behavior: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var resumesAt: Date?
}

@Model(naming: .snakeCase)
struct SubscriptionPaymentSettings {
    var paymentMethodOptions: SubscriptionPaymentMethodOptions
    var paymentMethodTypes: [String]?
    var saveDefaultPaymentMethod: String?
}

@Model(naming: .snakeCase)
struct SubscriptionPendingUpdate {
    var billingCycleAnchor: String?
    var discount: any StripeObject
    var discounts: [Expandable]
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date
    var subscriptionItems: String?
    var trialEnd: Int?
    var trialFromPlan: String?
    var metadata: [String: String]?
}

@Model(naming: .snakeCase)
struct SubscriptionBillingSchedules {
    var appliesTo: String?
    var billUntil: SubscriptionBillUntil
    var key: String
}

@Model(naming: .snakeCase, typeName: "subscription_item")
struct SubscriptionItem: StripeObject {
    var deleted: Bool?
    var id: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var discounts: [Expandable]?
    var metadata: [String: String]?
    var price: (any StripeObject)?
    var quantity: Int?
    var subscription: Expandable?
    var taxRates: [String]?
    var plan: (any StripeObject)?
    var currentPeriodEnd: Int?
    var currentPeriodStart: Int?
    var billingThresholds: BillingThresholds?
}
