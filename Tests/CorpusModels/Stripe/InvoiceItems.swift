import Dovetail

@Model(naming: .snakeCase, typeName: "invoice_payment")
struct InvoicePayment: StripeObject {
    var amountPaid: Int?
    var amountRequested: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var id: String
    var invoice: String
    var isDefault: Bool
    var livemode: Bool
    var payment: InvoicePaymentPayment
    var status: String
    var statusTransitions: InvoicePaymentStatusTransitions
}

@Model(naming: .snakeCase)
struct InvoicePaymentPayment {
    var type: String
}

@Model(naming: .snakeCase)
struct InvoicePaymentStatusTransitions {
    @Attribute(.transformed(by: SecondsSince1970.self)) var canceledAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var paidAt: Date?
}

@Model(naming: .snakeCase, typeName: "invoice_rendering_template")
struct InvoiceRenderingTemplate: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var id: String
    var livemode: Bool
    var metadata: [String: String]?
    var nickname: String?
    var status: String
    var version: Int
}

@Model(naming: .snakeCase, typeName: "invoiceitem")
struct Invoiceitem: StripeObject {
    var deleted: Bool?
    var id: String
    var amount: Int?
    var currency: String?
    var customer: Expandable?
    var date: Int?
    var description: String?
    var discountable: Bool?
    var discounts: [Expandable]?
    var invoice: Expandable?
    var livemode: Bool?
    var metadata: [String: String]?
    var period: Period?
    var proration: Bool?
    var quantity: Int?
    var taxRates: [String]?
    var testClock: Expandable?
    var parent: InvoiceitemParent?
    var pricing: Pricing?
    var netAmount: Int?
    var customerAccount: String?
    var quantityDecimal: String?
}

@Model(naming: .snakeCase)
struct InvoiceitemSubscriptionDetails {
    var subscription: String
}

@Model(naming: .snakeCase)
struct Period {
    var end: Int
    var start: Int
}

@Model(naming: .snakeCase)
struct InvoiceitemParent {
    var subscriptionDetails: InvoiceitemSubscriptionDetails
    var type: String
}

@Model(naming: .snakeCase)
struct Pricing {
    var type: String
    var unitAmountDecimal: String?
}

@Model(naming: .snakeCase, typeName: "line_item")
struct LineItem: StripeObject {
    var amount: Int
    var currency: String
    var description: String
    var discountAmounts: [ModelDocument]
    var discountable: Bool
    var discounts: [Expandable]
    var id: String
    var invoice: Expandable
    var livemode: Bool
    var metadata: [String: String]
    var period: Period
    var quantity: Int
    var subscription: Expandable?
    var pretaxCreditAmounts: [ModelDocument]?
    var taxes: [ModelDocument]?
    var parent: LineItemParent
    var pricing: Pricing
    var subtotal: Int
    var quantityDecimal: String?
}

@Model(naming: .snakeCase)
struct LineItemCreditedItems {
    var invoice: String
    var invoiceLineItems: [String]
}

@Model(naming: .snakeCase)
struct LineItemProrationDetails {
    var creditedItems: LineItemCreditedItems
}

@Model(naming: .snakeCase)
struct LineItemInvoiceItemDetails {
    var invoiceItem: Expandable
    var proration: Bool
    var prorationDetails: LineItemProrationDetails
    var subscription: Expandable?
}

@Model(naming: .snakeCase)
struct LineItemSubscriptionItemDetails {
    var invoiceItem: Expandable?
    var proration: Bool
    var prorationDetails: LineItemProrationDetails
    var subscription: String
    var subscriptionItem: String
}

@Model(naming: .snakeCase)
struct LineItemParent {
    var invoiceItemDetails: LineItemInvoiceItemDetails
    var subscriptionItemDetails: LineItemSubscriptionItemDetails
    var type: String
}
