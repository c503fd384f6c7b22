import Dovetail

@Model(naming: .snakeCase, typeName: "treasury.financial_account")
struct TreasuryFinancialAccount: StripeObject {
    var activeFeatures: [String]
    var balance: TreasuryFinancialAccountBalance
    var country: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var financialAddresses: [TreasuryFinancialAccountFinancialAddresses]
    var id: String
    var livemode: Bool
    var metadata: [String: String]?
    var pendingFeatures: [String]
    var restrictedFeatures: [String]
    var status: String
    var statusDetails: TreasuryFinancialAccountStatusDetails
    var supportedCurrencies: [String]
}

@Model(naming: .snakeCase)
struct TreasuryFinancialAccountAba {
    var accountHolderName: String
    var accountNumberLast4: String
    var bankName: String
    var routingNumber: String
}

@Model(naming: .snakeCase)
struct TreasuryFinancialAccountClosed {
    var reasons: [String]
}

@Model(naming: .snakeCase)
struct TreasuryFinancialAccountBalance {
    var cash: [String: Int]
    var inboundPending: [String: Int]
    var outboundPending: [String: Int]
}

@Model(naming: .snakeCase)
struct TreasuryFinancialAccountFinancialAddresses {
    var aba: TreasuryFinancialAccountAba
    var supportedNetworks: [String]
    var type: String
}

@Model(naming: .snakeCase)
struct TreasuryFinancialAccountStatusDetails {
    var closed: TreasuryFinancialAccountClosed
}

@Model(naming: .snakeCase, typeName: "treasury.financial_account_features")
struct TreasuryFinancialAccountFeatures: StripeObject {
    var cardIssuing: TreasuryFeature
    var depositInsurance: TreasuryFeature
    var financialAddresses: TreasuryFinancialAccountFeaturesFinancialAddresses
    var inboundTransfers: TreasuryFinancialAccountFeaturesInboundTransfers
    var intraStripeFlows: TreasuryFeature
    var outboundPayments: TreasuryFinancialAccountFeaturesOutboundPayments
    var outboundTransfers: TreasuryFinancialAccountFeaturesOutboundPayments
}

@Model(naming: .snakeCase)
struct TreasuryFeature {
    var requested: Bool
    var status: String
    var statusDetails: ModelDocument
}

@Model(naming: .snakeCase)
struct TreasuryFinancialAccountFeaturesFinancialAddresses {
    var aba: TreasuryFeature
}

@Model(naming: .snakeCase)
struct TreasuryFinancialAccountFeaturesInboundTransfers {
    var ach: TreasuryFeature
}

@Model(naming: .snakeCase)
struct TreasuryFinancialAccountFeaturesOutboundPayments {
    var ach: TreasuryFeature
    var usDomesticWire: TreasuryFeature
}
