import Dovetail

@Model(naming: .snakeCase, typeName: "credit_note")
struct CreditNote: StripeObject {
    var amount: Int
    var amountShipping: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var customer: Expandable
    var customerBalanceTransaction: Expandable?
    var discountAmount: Int
    var discountAmounts: [ModelDocument]
    @Attribute(.transformed(by: SecondsSince1970.self)) var effectiveAt: Date
    var id: String
    var invoice: Expandable
    var lines: List
    var livemode: Bool
    var memo: String?
    var metadata: [String: String]
    var number: String
    var outOfBandAmount: Int?
    var pdf: String
    var shippingCost: ShippingCost
    var status: String
    var subtotal: Int
    var subtotalExcludingTax: Int
    var total: Int
    var totalExcludingTax: Int?
    var type: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var voidedAt: Date
    var pretaxCreditAmounts: [PretaxCreditAmounts]
    var totalTaxes: [ModelDocument]?
    var refunds: [CreditNoteRefunds]
    var postPaymentAmount: Int
    var prePaymentAmount: Int
    var reason: String?
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct CreditNotePaymentRecordRefund {
    var paymentRecord: Expandable
    var refundGroup: String
}

@Model(naming: .snakeCase)
struct PretaxCreditAmounts {
    var amount: Int
    var type: String
}

@Model(naming: .snakeCase)
struct CreditNoteRefunds {
    var amountRefunded: Int
    var refund: String
    var paymentRecordRefund: CreditNotePaymentRecordRefund
    var type: String?
}

@Model(naming: .snakeCase, typeName: "credit_note_line_item")
struct CreditNoteLineItem: StripeObject {
    var amount: Int
    var description: String
    var discountAmount: Int
    var discountAmounts: [ModelDocument]
    var id: String
    var invoiceLineItem: String?
    var livemode: Bool
    var quantity: Int
    var taxRates: [any StripeObject]
    var type: String
    var unitAmount: Int?
    var unitAmountDecimal: String?
    var pretaxCreditAmounts: [PretaxCreditAmounts]
    var taxes: [ModelDocument]?
    var metadata: [String: String]?
}
