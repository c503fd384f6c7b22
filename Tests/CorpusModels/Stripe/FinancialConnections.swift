import Dovetail

@Model(naming: .snakeCase, typeName: "financial_connections.account")
struct FinancialConnectionsAccount: StripeObject {
    var accountHolder: AccountHolder
    var balance: FinancialConnectionsAccountBalance
    var balanceRefresh: FinancialConnectionsAccountBalanceRefresh
    var category: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var displayName: String
    var id: String
    var institutionName: String
    var last4: String
    var livemode: Bool
    var ownership: ModelDocument?
    var ownershipRefresh: FinancialConnectionsAccountBalanceRefresh
    var permissions: [String]
    var status: String
    var subcategory: String
    var subscriptions: [String]
    var supportedPaymentMethodTypes: [String]
    var transactionRefresh: FinancialConnectionsAccountTransactionRefresh
    var accountNumbers: [ModelDocument]?
}

@Model(naming: .snakeCase)
struct FinancialConnectionsAccountCurrent {
    var undefined: Int
}

@Model(naming: .snakeCase)
struct AccountHolder {
    var customer: Expandable
    var type: String
}

@Model(naming: .snakeCase)
struct FinancialConnectionsAccountBalance {
    var asOf: Int
    var current: FinancialConnectionsAccountCurrent
    var type: String
}

@Model(naming: .snakeCase)
struct FinancialConnectionsAccountBalanceRefresh {
    @Attribute(.transformed(by: SecondsSince1970.self)) var lastAttemptedAt: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var nextRefreshAvailableAt: Date?
    var status: String
}

@Model(naming: .snakeCase)
struct FinancialConnectionsAccountTransactionRefresh {
    var id: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var lastAttemptedAt: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var nextRefreshAvailableAt: Date?
    var status: String
}

@Model(naming: .snakeCase, typeName: "financial_connections.account_owner")
struct FinancialConnectionsAccountOwner: StripeObject {
    var email: String?
    var id: String
    var name: String
    var ownership: String
    var phone: String?
    var rawAddress: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var refreshedAt: Date?
}

@Model(naming: .snakeCase, typeName: "financial_connections.account_ownership")
struct FinancialConnectionsAccountOwnership: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var id: String
    var owners: List
}

@Model(naming: .snakeCase, typeName: "financial_connections.authorization")
struct FinancialConnectionsAuthorization: StripeObject {
    var id: String
    var institutionName: String
    var livemode: Bool
    var status: String
    var statusDetails: ModelDocument
}

@Model(naming: .snakeCase, typeName: "financial_connections.session")
struct FinancialConnectionsSession: StripeObject {
    var accountHolder: AccountHolder
    var accounts: List
    var clientSecret: String
    var id: String
    var livemode: Bool
    var permissions: [String]
    var prefetch: [String]
}

@Model(naming: .snakeCase, typeName: "financial_connections.transaction")
struct FinancialConnectionsTransaction: StripeObject {
    var account: Expandable
    var amount: Int
    var currency: String
    var description: String
    var id: String
    var livemode: Bool
    var status: String
    var statusTransitions: StatusTransitions
    @Attribute(.transformed(by: SecondsSince1970.self)) var transactedAt: Date
    var transactionRefresh: String
    var updated: Int
}
