import Dovetail

@Model(naming: .snakeCase, typeName: "account_session")
struct AccountSession: StripeObject {
    var account: Expandable
    var clientSecret: String
    var components: AccountSessionComponents
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date
    var livemode: Bool
}

@Model(naming: .snakeCase)
struct AccountSessionFeatures {
    var externalAccountCollection: Bool
    var disableStripeUserAuthentication: Bool
}

@Model(naming: .snakeCase)
struct AccountSessionBalancesFeatures {
    var editPayoutSchedule: Bool
    var externalAccountCollection: Bool
    var standardPayouts: Bool
    var disableStripeUserAuthentication: Bool
    var instantPayouts: Bool
}

@Model(naming: .snakeCase)
struct AccountSessionPaymentDetailsFeatures {
    var capturePayments: Bool
    var destinationOnBehalfOfChargeManagement: Bool
    var disputeManagement: Bool
    var refundManagement: Bool
    var smartDisputesManagement: Bool
}

@Model(naming: .snakeCase)
struct AccountSessionFinancialAccountFeatures {
    var disableStripeUserAuthentication: Bool
    var externalAccountCollection: Bool
    var sendMoney: Bool
    var transferBalance: Bool
}

@Model(naming: .snakeCase)
struct AccountSessionFinancialAccountTransactionsFeatures {
    var cardSpendDisputeManagement: Bool
}

@Model(naming: .snakeCase)
struct AccountSessionIssuingCardFeatures {
    var cardManagement: Bool
    var cardSpendDisputeManagement: Bool
    var cardholderManagement: Bool
    var spendControlManagement: Bool
}

@Model(naming: .snakeCase)
struct AccountSessionIssuingCardsListFeatures {
    var cardManagement: Bool
    var cardSpendDisputeManagement: Bool
    var cardholderManagement: Bool
    var disableStripeUserAuthentication: Bool
    var spendControlManagement: Bool
}

@Model(naming: .snakeCase)
struct AccountSessionPaymentDisputesFeatures {
    var destinationOnBehalfOfChargeManagement: Bool
    var disputeManagement: Bool
    var refundManagement: Bool
    var smartDisputesManagement: Bool
}

@Model(naming: .snakeCase)
struct AccountSessionInstantPayoutsPromotionFeatures {
    var disableStripeUserAuthentication: Bool
    var externalAccountCollection: Bool
    var instantPayouts: Bool
}

@Model(naming: .snakeCase)
struct AccountSessionAccountManagement {
    var enabled: Bool
    var features: AccountSessionFeatures
}

@Model(naming: .snakeCase)
struct AccountSessionBalances {
    var enabled: Bool
    var features: AccountSessionBalancesFeatures
}

@Model(naming: .snakeCase)
struct AccountSessionComponent {
    var enabled: Bool
    var features: ModelDocument
}

@Model(naming: .snakeCase)
struct AccountSessionPaymentDetails {
    var enabled: Bool
    var features: AccountSessionPaymentDetailsFeatures
}

@Model(naming: .snakeCase)
struct AccountSessionFinancialAccount {
    var enabled: Bool
    var features: AccountSessionFinancialAccountFeatures
}

@Model(naming: .snakeCase)
struct AccountSessionFinancialAccountTransactions {
    var enabled: Bool
    var features: AccountSessionFinancialAccountTransactionsFeatures
}

@Model(naming: .snakeCase)
struct AccountSessionIssuingCard {
    var enabled: Bool
    var features: AccountSessionIssuingCardFeatures
}

@Model(naming: .snakeCase)
struct AccountSessionIssuingCardsList {
    var enabled: Bool
    var features: AccountSessionIssuingCardsListFeatures
}

@Model(naming: .snakeCase)
struct AccountSessionPaymentDisputes {
    var enabled: Bool
    var features: AccountSessionPaymentDisputesFeatures
}

@Model(naming: .snakeCase)
struct AccountSessionInstantPayoutsPromotion {
    var enabled: Bool
    var features: AccountSessionInstantPayoutsPromotionFeatures
}

@Model(naming: .snakeCase)
struct AccountSessionComponents {
    var accountManagement: AccountSessionAccountManagement
    var accountOnboarding: AccountSessionAccountManagement
    var balances: AccountSessionBalances
    var documents: AccountSessionComponent
    var notificationBanner: AccountSessionAccountManagement
    var paymentDetails: AccountSessionPaymentDetails
    var payments: AccountSessionPaymentDetails
    var payouts: AccountSessionBalances
    var payoutsList: AccountSessionComponent
    var taxRegistrations: AccountSessionComponent
    var taxSettings: AccountSessionComponent
    var financialAccount: AccountSessionFinancialAccount
    var financialAccountTransactions: AccountSessionFinancialAccountTransactions
    var issuingCard: AccountSessionIssuingCard
    var issuingCardsList: AccountSessionIssuingCardsList
    var disputesList: AccountSessionPaymentDetails
    var paymentDisputes: AccountSessionPaymentDisputes
    var instantPayoutsPromotion: AccountSessionInstantPayoutsPromotion
    var payoutDetails: AccountSessionComponent
    var balanceReport: AccountSessionComponent
    var payoutReconciliationReport: AccountSessionComponent
}
