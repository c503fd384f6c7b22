import Dovetail

@Model(naming: .snakeCase, typeName: "issuing.authorization")
struct IssuingAuthorization: StripeObject {
    var amount: Int
    var amountDetails: AmountDetails
    var approved: Bool
    var authorizationMethod: String
    var balanceTransactions: [any StripeObject]
    var card: any StripeObject
    var cardholder: Expandable?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var fleet: IssuingAuthorizationFleet
    var fuel: IssuingAuthorizationFuel
    var id: String
    var livemode: Bool
    var merchantAmount: Int
    var merchantCurrency: String
    var merchantData: MerchantData
    var metadata: [String: String]
    var networkData: IssuingAuthorizationNetworkData
    var pendingRequest: IssuingAuthorizationPendingRequest
    var requestHistory: [ModelDocument]
    var status: String
    var token: Expandable?
    var transactions: [any StripeObject]
    var verificationData: IssuingAuthorizationVerificationData
    var wallet: ModelDocument?
    var verifiedByFraudChallenge: ModelDocument?
    var cardPresence: ModelDocument?
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationReportedBreakdownFuel {
    var grossAmountDecimal: String?
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationNonFuel {
    var grossAmountDecimal: String?
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationTax {
    var localAmountDecimal: String?
    var nationalAmountDecimal: String?
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationCardholderPromptData {
    var alphanumericId: String?
    var driverId: String?
    var odometer: String?
    var unspecifiedId: String?
    var userId: String?
    var vehicleNumber: String?
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationReportedBreakdown {
    var fuel: IssuingAuthorizationReportedBreakdownFuel
    var nonFuel: IssuingAuthorizationNonFuel
    var tax: IssuingAuthorizationTax
}

@Model(naming: .snakeCase)
struct AmountDetails {
    var atmFee: String?
    var cashbackAmount: Int?
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationAuthenticationExemption {
    var claimedBy: String
    var type: String
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationThreeDSecure {
    var result: String
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationFleet {
    var cardholderPromptData: IssuingAuthorizationCardholderPromptData
    var purchaseType: String?
    var reportedBreakdown: IssuingAuthorizationReportedBreakdown
    var serviceType: String?
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationFuel {
    var industryProductCode: String?
    var quantityDecimal: String?
    var type: String?
    var unit: String?
    var unitCostDecimal: String?
}

@Model(naming: .snakeCase)
struct MerchantData {
    var category: String
    var categoryCode: String
    var city: String
    var country: String
    var name: String
    var networkId: String
    var postalCode: String
    var state: String
    var terminalId: String?
    var url: String?
    var taxId: String?
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationNetworkData {
    var acquiringInstitutionId: String?
    var systemTraceAuditNumber: String?
    var transactionId: String?
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationPendingRequest {
    var amount: Int
    var amountDetails: AmountDetails
    var currency: String
    var isAmountControllable: Bool
    var merchantAmount: Int
    var merchantCurrency: String
    var networkRiskScore: String?
}

@Model(naming: .snakeCase)
struct IssuingAuthorizationVerificationData {
    var addressLine1Check: String
    var addressPostalCodeCheck: String
    var authenticationExemption: IssuingAuthorizationAuthenticationExemption
    var cvcCheck: String
    var expiryCheck: String
    var postalCode: String?
    var threeDSecure: IssuingAuthorizationThreeDSecure
}

@Model(naming: .snakeCase, typeName: "issuing.dispute")
struct IssuingDispute: StripeObject {
    var amount: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var evidence: IssuingDisputeEvidence
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var status: String
    var transaction: Expandable
}

@Model(naming: .snakeCase)
struct IssuingDisputeFraudulent {
    var additionalDocumentation: String?
    var explanation: String
}

@Model(naming: .snakeCase)
struct IssuingDisputeEvidence {
    var fraudulent: IssuingDisputeFraudulent
    var reason: String
}

@Model(naming: .snakeCase, typeName: "issuing.settlement")
struct IssuingSettlement: StripeObject {
    var bin: String
    var clearingDate: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var id: String
    var interchangeFeesAmount: Int
    var livemode: Bool
    var metadata: [String: String]
    var netTotalAmount: Int
    var network: String
    var networkFeesAmount: Int
    var networkSettlementIdentifier: String
    var settlementService: String
    var transactionCount: Int
    var transactionAmount: Int
    var status: String
}

@Model(naming: .snakeCase, typeName: "issuing.transaction")
struct IssuingTransaction: StripeObject {
    var amount: Int
    var amountDetails: AmountDetails
    var authorization: String
    var balanceTransaction: Expandable?
    var card: String
    var cardholder: Expandable
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var dispute: Expandable?
    var id: String
    var livemode: Bool
    var merchantAmount: Int
    var merchantCurrency: String
    var merchantData: MerchantData
    var metadata: [String: String]
    var networkData: IssuingTransactionNetworkData
    var token: Expandable?
    var type: String
    var wallet: String
}

@Model(naming: .snakeCase)
struct IssuingTransactionNetworkData {
    var authorizationCode: String?
    var processingDate: String
    var transactionId: String?
}
