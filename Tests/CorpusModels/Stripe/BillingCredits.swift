import Dovetail

@Model(naming: .snakeCase, typeName: "billing.credit_balance_summary")
struct BillingCreditBalanceSummary: StripeObject {
    var balances: [BillingCreditBalanceSummaryBalances]
    var customer: any StripeObject
    var livemode: Bool
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct Monetary {
    var currency: String
    var value: Int
}

@Model(naming: .snakeCase)
struct BillingCreditBalanceSummaryAvailableBalance {
    var monetary: Monetary
    var type: String
}

@Model(naming: .snakeCase)
struct BillingCreditBalanceSummaryBalances {
    var availableBalance: BillingCreditBalanceSummaryAvailableBalance
    var ledgerBalance: BillingCreditBalanceSummaryAvailableBalance
}

@Model(naming: .snakeCase, typeName: "billing.credit_balance_transaction")
struct BillingCreditBalanceTransaction: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var credit: BillingCreditBalanceTransactionCredit
    var creditGrant: String
    var debit: BillingCreditBalanceTransactionDebit
    @Attribute(.transformed(by: SecondsSince1970.self)) var effectiveAt: Date
    var id: String
    var livemode: Bool
    var testClock: Expandable?
    var type: String?
}

@Model(naming: .snakeCase)
struct Amount {
    var monetary: Monetary
    var type: String
}

@Model(naming: .snakeCase)
struct BillingCreditVoidedInvoice {
    var invoice: String
    var invoiceLineItem: String
}

@Model(naming: .snakeCase)
struct BillingCreditBalanceTransactionCredit {
    var amount: Amount
    var creditsApplicationInvoiceVoided: BillingCreditVoidedInvoice
    var type: String
}

@Model(naming: .snakeCase)
struct BillingCreditBalanceTransactionDebit {
    var amount: Amount
    var creditsApplied: BillingCreditVoidedInvoice
    var type: String
}

@Model(naming: .snakeCase, typeName: "billing.credit_grant")
struct BillingCreditGrant: StripeObject {
    var amount: Amount
    var applicabilityConfig: BillingCreditGrantApplicabilityConfig
    var category: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var customer: any StripeObject
    @Attribute(.transformed(by: SecondsSince1970.self)) var effectiveAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date?
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var name: String?
    var testClock: Expandable?
    var updated: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var voidedAt: Date?
    var customerAccount: String?
    var priority: Int
}

@Model(naming: .snakeCase)
struct BillingCreditGrantScope {
    var priceType: String
}

@Model(naming: .snakeCase)
struct BillingCreditGrantApplicabilityConfig {
    var scope: BillingCreditGrantScope
}
