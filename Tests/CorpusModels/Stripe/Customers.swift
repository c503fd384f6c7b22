import Dovetail

@Model(naming: .snakeCase, typeName: "customer")
struct Customer: StripeObject {
    var address: Address?
    var balance: Int?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var currency: String?
    var defaultSource: Expandable?
    var delinquent: Bool?
    var description: String?
    var discount: (any StripeObject)?
    var email: String?
    var id: String
    var invoicePrefix: String?
    var invoiceSettings: CustomerInvoiceSettings?
    var livemode: Bool?
    var metadata: [String: String]?
    var name: String?
    var nextInvoiceSequence: Int?
    var phone: String?
    var preferredLocales: [String]?
    var shipping: ModelDocument?
    var taxExempt: String?
    var testClock: Expandable?
    var deleted: Bool?
}

@Model(naming: .snakeCase)
struct CustomerInvoiceSettings {
    var customFields: [ModelDocument]?
    var defaultPaymentMethod: Expandable?
    var footer: String?
    var renderingOptions: RenderingOptions
}

@Model(naming: .snakeCase, typeName: "customer_balance_transaction")
struct CustomerBalanceTransaction: StripeObject {
    var amount: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var creditNote: Expandable?
    var currency: String
    var customer: Expandable
    var description: String?
    var endingBalance: Int
    var id: String
    var invoice: Expandable?
    var livemode: Bool
    var metadata: [String: String]?
    var type: String
    var checkoutSession: Expandable?
    var customerAccount: String?
}

@Model(naming: .snakeCase, typeName: "customer_cash_balance_transaction")
struct CustomerCashBalanceTransaction: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var customer: Expandable
    var endingBalance: Int
    var funded: CustomerCashBalanceTransactionFunded
    var id: String
    var livemode: Bool
    var netAmount: Int
    var type: String
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct CustomerCashBalanceTransactionEuBankTransfer {
    var bic: String
    var ibanLast4: String
    var senderName: String
}

@Model(naming: .snakeCase)
struct CustomerCashBalanceTransactionBankTransfer {
    var euBankTransfer: CustomerCashBalanceTransactionEuBankTransfer
    var reference: String
    var type: String
}

@Model(naming: .snakeCase)
struct CustomerCashBalanceTransactionFunded {
    var bankTransfer: CustomerCashBalanceTransactionBankTransfer
}

@Model(naming: .snakeCase, typeName: "tax_id")
struct TaxId: StripeObject {
    var deleted: Bool?
    var id: String
    var country: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var customer: Expandable?
    var livemode: Bool?
    var owner: TaxIdOwner?
    var type: String?
    var value: String?
    var verification: TaxIdVerification?
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct TaxIdOwner {
    var customer: Expandable
    var type: String
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct TaxIdVerification {
    var status: String
    var verifiedAddress: String?
    var verifiedName: String?
}
