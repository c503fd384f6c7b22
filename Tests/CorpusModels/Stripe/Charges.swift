import Dovetail

@Model(naming: .snakeCase, typeName: "application_fee")
struct ApplicationFee: StripeObject {
    var account: Expandable
    var amount: Int
    var amountRefunded: Int
    var application: Expandable
    var balanceTransaction: Expandable
    var charge: Expandable
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var feeSource: ApplicationFeeFeeSource
    var id: String
    var livemode: Bool
    var originatingTransaction: Expandable?
    var refunded: Bool
    var refunds: List
}

@Model(naming: .snakeCase)
struct ApplicationFeeFeeSource {
    var charge: Expandable
    var type: String
}

@Model(naming: .snakeCase, typeName: "charge")
struct Charge: StripeObject {
    var amount: Int
    var amountCaptured: Int
    var amountRefunded: Int
    var application: Expandable?
    var applicationFee: Expandable?
    var applicationFeeAmount: Int?
    var balanceTransaction: Expandable
    var billingDetails: ChargeBillingDetails
    var calculatedStatementDescriptor: String?
    var captured: Bool
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var customer: Expandable?
    var description: String
    var disputed: Bool
    var failureBalanceTransaction: Expandable?
    var failureCode: String?
    var failureMessage: String?
    var fraudDetails: ModelDocument
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var onBehalfOf: Expandable?
    var outcome: ChargeOutcome
    var paid: Bool
    var paymentIntent: Expandable?
    var paymentMethod: Expandable
    var paymentMethodDetails: ChargePaymentMethodDetails
    var receiptEmail: String?
    var receiptNumber: String?
    var receiptUrl: String
    var refunded: Bool
    var refunds: List
    var review: Expandable?
    var shipping: ModelDocument
    var sourceTransfer: Expandable?
    var statementDescriptor: String?
    var statementDescriptorSuffix: String?
    var status: String
    var transferData: ChargeTransferData
    var transferGroup: String?
    var source: any PaymentSource
}

@Model(naming: .snakeCase)
struct ChargePlan {
    var count: Int?
    var interval: String?
    var type: String
}

@Model(naming: .snakeCase)
struct ChargeExtendedAuthorization {
    var status: String
}

@Model(naming: .snakeCase)
struct ChargeIncrementalAuthorization {
    var status: String
}

@Model(naming: .snakeCase)
struct ChargeInstallments {
    var plan: ChargePlan
}

@Model(naming: .snakeCase)
struct ChargeMulticapture {
    var status: String
}

@Model(naming: .snakeCase)
struct ChargeNetworkToken {
    var used: Bool
}

@Model(naming: .snakeCase)
struct ChargeOvercapture {
    var maximumAmountCapturable: Int
    var status: String
}

@Model(naming: .snakeCase)
struct ChargeThreeDSecure {
    var authenticationFlow: String?
    var electronicCommerceIndicator: String?
    var exemptionIndicator: String?
    var result: String?
    var resultReason: String?
    var transactionId: String?
    var version: String?
}

@Model(naming: .snakeCase)
struct ChargeCard {
    var amountAuthorized: Int?
    var brand: String
    var checks: Checks
    var country: String
    var expMonth: Int
    var expYear: Int
    var extendedAuthorization: ChargeExtendedAuthorization
    var fingerprint: String
    var funding: String
    var incrementalAuthorization: ChargeIncrementalAuthorization
    var installments: ChargeInstallments
    var last4: String
    var mandate: Expandable?
    var multicapture: ChargeMulticapture
    var network: String
    var networkToken: ChargeNetworkToken
    var overcapture: ChargeOvercapture
    var threeDSecure: ChargeThreeDSecure
    var wallet: Wallet
    var authorizationCode: String?
    var regulatedStatus: String?
    var networkTransactionId: String?
    var transactionLinkId: String?
}

@Model(naming: .snakeCase)
struct ChargeOutcome {
    var adviceCode: String?
    var networkAdviceCode: String?
    var networkDeclineCode: String?
    var networkStatus: String?
    var reason: String?
    var sellerMessage: String?
    var type: String
}

@Model(naming: .snakeCase)
struct ChargePaymentMethodDetails {
    var card: ChargeCard
    var type: String
}

@Model(naming: .snakeCase, typeName: "dispute")
struct Dispute: StripeObject {
    var amount: Int
    var balanceTransactions: [any StripeObject]
    var charge: Expandable
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var evidence: DisputeEvidence
    var evidenceDetails: DisputeEvidenceDetails
    var id: String
    var isChargeRefundable: Bool
    var livemode: Bool
    var metadata: [String: String]
    var paymentIntent: Expandable?
    var paymentMethodDetails: DisputePaymentMethodDetails
    var reason: String
    var status: String
    var enhancedEligibilityTypes: [String]
}

@Model(naming: .snakeCase)
struct DisputeCard {
    var brand: String
    var caseType: String
    var networkReasonCode: String
    var network: String
}

@Model(naming: .snakeCase)
struct DisputeEvidence {
    var accessActivityLog: String?
    var billingAddress: String?
    var cancellationPolicy: String?
    var cancellationPolicyDisclosure: String?
    var cancellationRebuttal: String?
    var customerCommunication: String?
    var customerEmailAddress: String?
    var customerName: String?
    var customerPurchaseIp: String?
    var customerSignature: String?
    var duplicateChargeDocumentation: String?
    var duplicateChargeExplanation: String?
    var duplicateChargeId: String?
    var productDescription: String?
    var receipt: String?
    var refundPolicy: String?
    var refundPolicyDisclosure: String?
    var refundRefusalExplanation: String?
    var serviceDate: String?
    var serviceDocumentation: String?
    var shippingAddress: String?
    var shippingCarrier: String?
    var shippingDate: String?
    var shippingDocumentation: String?
    var shippingTrackingNumber: String?
    var uncategorizedFile: String?
    var uncategorizedText: String?
    var enhancedEvidence: ModelDocument
}

@Model(naming: .snakeCase)
struct DisputeEvidenceDetails {
    var dueBy: Int
    var hasEvidence: Bool
    var pastDue: Bool
    var submissionCount: Int
    var enhancedEligibility: ModelDocument
}

@Model(naming: .snakeCase)
struct DisputePaymentMethodDetails {
    var card: DisputeCard
    var type: String
}

@Model(naming: .snakeCase, typeName: "fee_refund")
struct FeeRefund: StripeObject {
    var amount: Int
    var balanceTransaction: Expandable?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var fee: Expandable
    var id: String
    var metadata: [String: String]
}

@Model(naming: .snakeCase, typeName: "refund")
struct Refund: StripeObject {
    var amount: Int
    var balanceTransaction: Expandable?
    var charge: Expandable
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var destinationDetails: RefundDestinationDetails
    var id: String
    var metadata: [String: String]
    var paymentIntent: Expandable?
    var reason: String?
    var receiptNumber: String?
    var sourceTransferReversal: Expandable?
    var status: String
    var transferReversal: Expandable?
    var customer: Expandable?
    var customerAccount: String?
    var paymentMethod: Expandable?
}

@Model(naming: .snakeCase)
struct RefundCard {
    var type: String
}

@Model(naming: .snakeCase)
struct RefundDestinationDetails {
    var card: RefundCard
    var type: String
}

@Model(naming: .snakeCase, typeName: "review")
struct Review: StripeObject {
    var billingZip: String?
    var charge: Expandable
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var id: String
    var ipAddress: String?
    var ipAddressLocation: ReviewIpAddressLocation
    var livemode: Bool
    var open: Bool
    var openedReason: String
    var session: ReviewSession
    var closedReason: String?
    var reason: String
}

@Model(naming: .snakeCase)
struct ReviewIpAddressLocation {
    var city: String?
    var country: String?
    var latitude: Double?
    var longitude: Double?
    var region: String?
}

@Model(naming: .snakeCase)
struct ReviewSession {
    var browser: String?
    var device: String?
    var platform: String?
    var version: String?
}
