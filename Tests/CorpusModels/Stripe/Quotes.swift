import Dovetail

@Model(naming: .snakeCase, typeName: "quote")
struct Quote: StripeObject {
    var amountSubtotal: Int
    var amountTotal: Int
    var application: Expandable?
    var applicationFeeAmount: Int?
    var applicationFeePercent: Double?
    var automaticTax: CheckoutSessionAutomaticTax
    var collectionMethod: String
    var computed: QuoteComputed
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var customer: Expandable
    var defaultTaxRates: [String]
    var description: String?
    var discounts: [Expandable]
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date
    var footer: String?
    var fromQuote: QuoteFromQuote
    var header: String?
    var id: String
    var invoice: Expandable?
    var invoiceSettings: QuoteInvoiceSettings
    var livemode: Bool
    var metadata: [String: String]
    var number: String?
    var onBehalfOf: Expandable?
    var status: String
    var statusTransitions: QuoteStatusTransitions
    var subscription: Expandable?
    var subscriptionData: QuoteSubscriptionData
    var subscriptionSchedule: Expandable?
    var testClock: Expandable?
    var totalDetails: TotalDetails
    var transferData: QuoteTransferData
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct QuoteRecurring {
    var amountSubtotal: Int
    var amountTotal: Int
    var interval: String
    var intervalCount: Int
    var totalDetails: TotalDetails
}

@Model(naming: .snakeCase)
struct QuoteUpfront {
    var amountSubtotal: Int
    var amountTotal: Int
    var totalDetails: TotalDetails
}

@Model(naming: .snakeCase)
struct QuoteBillingMode {
    var type: String
}

@Model(naming: .snakeCase)
struct QuoteComputed {
    var recurring: QuoteRecurring
    var upfront: QuoteUpfront
}

@Model(naming: .snakeCase)
struct QuoteFromQuote {
    var isRevision: Bool
    var quote: String
}

@Model(naming: .snakeCase)
struct QuoteInvoiceSettings {
    var daysUntilDue: Int?
    var issuer: Issuer
    var customFields: [ModelDocument]?
    var description: String?
    var footer: String?
}

@Model(naming: .snakeCase)
struct QuoteStatusTransitions {
    @Attribute(.transformed(by: SecondsSince1970.self)) var acceptedAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var canceledAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var finalizedAt: Date?
}

@Model(naming: .snakeCase)
struct QuoteSubscriptionData {
    var description: String?
    var effectiveDate: String?
    var metadata: [String: String]?
    var trialPeriodDays: Int?
    var billingMode: QuoteBillingMode
}

@Model(naming: .snakeCase)
struct QuoteTransferData {
    var amount: Int?
    var amountPercent: Int?
    var destination: any StripeObject
}
