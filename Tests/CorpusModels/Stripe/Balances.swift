import Dovetail

@Model(naming: .snakeCase, typeName: "balance")
struct Balance: StripeObject {
    var available: [BalanceAvailable]
    var connectReserved: [Money]
    var livemode: Bool
    var pending: [BalanceAvailable]
}

@Model(naming: .snakeCase)
struct BalanceSourceTypes {
    var card: Int
}

@Model(naming: .snakeCase)
struct BalanceAvailable {
    var amount: Int
    var currency: String
    var sourceTypes: BalanceSourceTypes
}

@Model(naming: .snakeCase, typeName: "balance_settings")
struct BalanceSettings: StripeObject {
    var payments: BalanceSettingsPayments
}

@Model(naming: .snakeCase)
struct BalanceSettingsSchedule {
    var interval: String?
}

@Model(naming: .snakeCase)
struct BalanceSettingsStartOfDay {
    var hour: Int
    var minutes: Int
    var timezone: String
}

@Model(naming: .snakeCase)
struct BalanceSettingsPayouts {
    var minimumBalanceByCurrency: String?
    var schedule: BalanceSettingsSchedule
    var statementDescriptor: String?
    var status: String
    var automaticTransferRulesByCurrency: String?
}

@Model(naming: .snakeCase)
struct BalanceSettingsSettlementTiming {
    var delayDays: Int
    var startOfDay: BalanceSettingsStartOfDay
}

@Model(naming: .snakeCase)
struct BalanceSettingsPayments {
    var debitNegativeBalances: String?
    var payouts: BalanceSettingsPayouts
    var settlementTiming: BalanceSettingsSettlementTiming
}

@Model(naming: .snakeCase, typeName: "balance_transaction")
struct BalanceTransaction: StripeObject {
    var amount: Int
    var availableOn: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var description: String
    var exchangeRate: Double?
    var fee: Int
    var feeDetails: [ModelDocument]
    var id: String
    var net: Int
    var reportingCategory: String
    var source: Expandable
    var status: String
    var type: String
    var balanceType: String
}

@Model(naming: .snakeCase, typeName: "cash_balance")
struct CashBalance: StripeObject {
    var available: [String: Int]
    var customer: Expandable
    var livemode: Bool
    var settings: CashBalanceSettings
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct CashBalanceSettings {
    var reconciliationMode: String
    var usingMerchantDefault: Bool
}
