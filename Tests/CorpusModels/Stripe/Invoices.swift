import Dovetail

@Model(naming: .snakeCase, typeName: "invoice")
struct Invoice: StripeObject {
    var deleted: Bool?
    var id: String
    var accountCountry: String?
    var accountName: String?
    var accountTaxIds: [String]?
    var amountDue: Int?
    var amountPaid: Int?
    var amountRemaining: Int?
    var amountShipping: Int?
    var application: Expandable?
    var attemptCount: Int?
    var attempted: Bool?
    var autoAdvance: Bool?
    var automaticTax: InvoiceAutomaticTax?
    var billingReason: String?
    var collectionMethod: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var currency: String?
    var customFields: [ModelDocument]?
    var customer: Expandable?
    var customerAddress: Address?
    var customerEmail: String?
    var customerName: String?
    var customerPhone: String?
    var customerShipping: ModelDocument?
    var customerTaxExempt: String?
    var customerTaxIds: [ModelDocument]?
    var defaultPaymentMethod: Expandable?
    var defaultSource: Expandable?
    var defaultTaxRates: [String]?
    var description: String?
    var discounts: [Expandable]?
    var dueDate: Int?
    @Attribute(.transformed(by: SecondsSince1970.self)) var effectiveAt: Date?
    var endingBalance: Int?
    var footer: String?
    var fromInvoice: InvoiceFromInvoice?
    var hostedInvoiceUrl: String?
    var invoicePdf: String?
    var issuer: Issuer?
    var lastFinalizationError: InvoiceLastFinalizationError?
    var latestRevision: Expandable?
    var lines: List?
    var livemode: Bool?
    var metadata: [String: String]?
    var nextPaymentAttempt: Int?
    var number: String?
    var onBehalfOf: Expandable?
    var paymentSettings: InvoicePaymentSettings?
    var periodEnd: Int?
    var periodStart: Int?
    var postPaymentCreditNotesAmount: Int?
    var prePaymentCreditNotesAmount: Int?
    var receiptNumber: String?
    var rendering: InvoiceRendering?
    var shippingCost: ShippingCost?
    var shippingDetails: ModelDocument?
    var startingBalance: Int?
    var statementDescriptor: String?
    var status: String?
    var statusTransitions: InvoiceStatusTransitions?
    var subscription: Expandable?
    var subtotal: Int?
    var subtotalExcludingTax: Int?
    var testClock: Expandable?
    var total: Int?
    var totalDiscountAmounts: [ModelDocument]?
    var totalExcludingTax: Int?
    @Attribute(.transformed(by: SecondsSince1970.self)) var webhooksDeliveredAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var automaticallyFinalizesAt: Date?
    var totalPretaxCreditAmounts: [ModelDocument]?
    var totalTaxes: [ModelDocument]?
    var amountOverpaid: Int?
    var parent: InvoiceParent?
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct InvoiceCard {
    var requestThreeDSecure: String?
}

@Model(naming: .snakeCase)
struct InvoicePix {
    var amountIncludesIof: Int?
}

@Model(naming: .snakeCase)
struct InvoicePaymentMethodOptions {
    var acssDebit: ModelDocument
    var bancontact: Bancontact
    var card: InvoiceCard
    var customerBalance: CustomerBalance
    var konbini: ModelDocument
    var sepaDebit: ModelDocument
    var usBankAccount: ModelDocument
    var payto: ModelDocument
    var pix: InvoicePix
    var upi: ModelDocument
}

@Model(naming: .snakeCase)
struct InvoicePdf {
    var pageSize: String?
}

@Model(naming: .snakeCase)
struct InvoiceQuoteDetails {
    var quote: String
}

@Model(naming: .snakeCase)
struct InvoiceSubscriptionDetails {
    var metadata: [String: String]?
    var subscription: String
}

@Model(naming: .snakeCase)
struct InvoiceAutomaticTax {
    var enabled: Bool
    var liability: Liability
    var status: String?
    var disabledReason: String?
    var provider: String?
}

@Model(naming: .snakeCase)
struct InvoiceFromInvoice {
    var action: String
    var invoice: String
}

@Model(naming: .snakeCase)
struct InvoiceLastFinalizationError {
    var type: String
}

@Model(naming: .snakeCase)
struct InvoicePaymentSettings {
    var defaultMandate: String?
    var paymentMethodOptions: InvoicePaymentMethodOptions
    var paymentMethodTypes: [String]?
}

@Model(naming: .snakeCase)
struct InvoiceRendering {
    var amountTaxDisplay: Int?
    var pdf: InvoicePdf
    var template: Expandable?
    var templateVersion: String?
}

@Model(naming: .snakeCase)
struct InvoiceStatusTransitions {
    @Attribute(.transformed(by: SecondsSince1970.self)) var finalizedAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var markedUncollectibleAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var paidAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var voidedAt: Date?
}

@Model(naming: .snakeCase)
struct InvoiceParent {
    var quoteDetails: InvoiceQuoteDetails
    var subscriptionDetails: InvoiceSubscriptionDetails
    var type: String
}
