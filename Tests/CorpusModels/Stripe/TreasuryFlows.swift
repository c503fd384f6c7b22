import Dovetail

@Model(naming: .snakeCase, typeName: "treasury.credit_reversal")
struct TreasuryCreditReversal: StripeObject {
    var amount: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var financialAccount: String
    var hostedRegulatoryReceiptUrl: String
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var network: String
    var receivedCredit: String
    var status: String
    var statusTransitions: TreasuryCreditReversalStatusTransitions
    var transaction: Expandable
}

@Model(naming: .snakeCase)
struct TreasuryCreditReversalStatusTransitions {
    @Attribute(.transformed(by: SecondsSince1970.self)) var postedAt: Date?
}

@Model(naming: .snakeCase, typeName: "treasury.debit_reversal")
struct TreasuryDebitReversal: StripeObject {
    var amount: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var financialAccount: String
    var hostedRegulatoryReceiptUrl: String
    var id: String
    var linkedFlows: TreasuryDebitReversalLinkedFlows
    var livemode: Bool
    var metadata: [String: String]
    var network: String
    var receivedDebit: Expandable
    var status: String
    var statusTransitions: TreasuryDebitReversalStatusTransitions
    var transaction: Expandable
}

@Model(naming: .snakeCase)
struct TreasuryDebitReversalLinkedFlows {
    var issuingDispute: String?
}

@Model(naming: .snakeCase)
struct TreasuryDebitReversalStatusTransitions {
    @Attribute(.transformed(by: SecondsSince1970.self)) var completedAt: Date?
}

@Model(naming: .snakeCase, typeName: "treasury.inbound_transfer")
struct TreasuryInboundTransfer: StripeObject {
    var amount: Int
    var cancelable: Bool
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var description: String
    var failureDetails: TreasuryInboundTransferFailureDetails
    var financialAccount: String
    var hostedRegulatoryReceiptUrl: String
    var id: String
    var linkedFlows: TreasuryInboundTransferLinkedFlows
    var livemode: Bool
    var metadata: [String: String]
    var originPaymentMethod: String
    var originPaymentMethodDetails: TreasuryInboundTransferOriginPaymentMethodDetails
    var returned: Bool
    var statementDescriptor: String
    var status: String
    var statusTransitions: TreasuryInboundTransferStatusTransitions
    var transaction: Expandable
}

@Model(naming: .snakeCase)
struct BillingDetails {
    var address: Address
    var email: String?
    var name: String?
}

@Model(naming: .snakeCase)
struct UsBankAccount {
    var accountHolderType: String
    var accountType: String
    var bankName: String
    var fingerprint: String
    var last4: String
    var network: String
    var routingNumber: String
}

@Model(naming: .snakeCase)
struct TreasuryInboundTransferFailureDetails {
    var code: String
}

@Model(naming: .snakeCase)
struct TreasuryInboundTransferLinkedFlows {
    var receivedDebit: Expandable?
}

@Model(naming: .snakeCase)
struct TreasuryInboundTransferOriginPaymentMethodDetails {
    var billingDetails: BillingDetails
    var type: String
    var usBankAccount: UsBankAccount
}

@Model(naming: .snakeCase)
struct TreasuryInboundTransferStatusTransitions {
    @Attribute(.transformed(by: SecondsSince1970.self)) var failedAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var succeededAt: Date?
}

@Model(naming: .snakeCase, typeName: "treasury.outbound_payment")
struct TreasuryOutboundPayment: StripeObject {
    var amount: Int
    var cancelable: Bool
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var customer: Expandable?
    var description: String
    var destinationPaymentMethod: String?
    var destinationPaymentMethodDetails: TreasuryOutboundPaymentDestinationPaymentMethodDetails
    var endUserDetails: TreasuryOutboundPaymentEndUserDetails
    var expectedArrivalDate: Int
    var financialAccount: String
    var hostedRegulatoryReceiptUrl: String
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var returnedDetails: ReturnedDetails
    var statementDescriptor: String
    var status: String
    var statusTransitions: TreasuryOutboundPaymentStatusTransitions
    var trackingDetails: TrackingDetails
    var transaction: Expandable
}

@Model(naming: .snakeCase)
struct TreasuryOutboundPaymentDestinationPaymentMethodDetails {
    var type: String
    var billingDetails: BillingDetails
}

@Model(naming: .snakeCase)
struct TreasuryOutboundPaymentEndUserDetails {
    var ipAddress: String?
    var present: Bool
}

@Model(naming: .snakeCase)
struct ReturnedDetails {
    var code: String
    var transaction: any StripeObject
}

@Model(naming: .snakeCase)
struct TreasuryOutboundPaymentStatusTransitions {
    @Attribute(.transformed(by: SecondsSince1970.self)) var canceledAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var failedAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var postedAt: Date?
    @Attribute(.transformed(by: SecondsSince1970.self)) var returnedAt: Date?
}

@Model(naming: .snakeCase)
struct TrackingDetails {
    var type: String
}

@Model(naming: .snakeCase, typeName: "treasury.outbound_transfer")
struct TreasuryOutboundTransfer: StripeObject {
    var amount: Int
    var cancelable: Bool
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var description: String
    var destinationPaymentMethod: String
    var destinationPaymentMethodDetails: TreasuryOutboundTransferDestinationPaymentMethodDetails
    var expectedArrivalDate: Int
    var financialAccount: String
    var hostedRegulatoryReceiptUrl: String
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var returnedDetails: ReturnedDetails
    var statementDescriptor: String
    var status: String
    var statusTransitions: TreasuryOutboundPaymentStatusTransitions
    var trackingDetails: TrackingDetails
    var transaction: Expandable
}

@Model(naming: .snakeCase)
struct TreasuryOutboundTransferDestinationPaymentMethodDetails {
    var billingDetails: BillingDetails
    var type: String
    var usBankAccount: UsBankAccount
}

@Model(naming: .snakeCase, typeName: "treasury.received_credit")
struct TreasuryReceivedCredit: StripeObject {
    var amount: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var description: String
    var failureCode: String?
    var financialAccount: String
    var hostedRegulatoryReceiptUrl: String
    var id: String
    var initiatingPaymentMethodDetails: InitiatingPaymentMethodDetails
    var linkedFlows: TreasuryReceivedCreditLinkedFlows
    var livemode: Bool
    var network: String
    var reversalDetails: ReversalDetails
    var status: String
    var transaction: Expandable
}

@Model(naming: .snakeCase)
struct InitiatingPaymentMethodDetailsUsBankAccount {
    var bankName: String
    var last4: String
    var routingNumber: String
}

@Model(naming: .snakeCase)
struct InitiatingPaymentMethodDetails {
    var billingDetails: BillingDetails
    var type: String
    var usBankAccount: InitiatingPaymentMethodDetailsUsBankAccount
}

@Model(naming: .snakeCase)
struct TreasuryReceivedCreditLinkedFlows {
    var creditReversal: String?
    var issuingAuthorization: Expandable?
    var issuingTransaction: String?
    var sourceFlow: String?
    var sourceFlowType: String?
}

@Model(naming: .snakeCase)
struct ReversalDetails {
    var deadline: Int
    var restrictedReason: String?
}

@Model(naming: .snakeCase, typeName: "treasury.received_debit")
struct TreasuryReceivedDebit: StripeObject {
    var amount: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var description: String
    var failureCode: String?
    var financialAccount: String
    var hostedRegulatoryReceiptUrl: String
    var id: String
    var initiatingPaymentMethodDetails: InitiatingPaymentMethodDetails
    var linkedFlows: TreasuryReceivedDebitLinkedFlows
    var livemode: Bool
    var network: String
    var reversalDetails: ReversalDetails
    var status: String
    var transaction: Expandable
}

@Model(naming: .snakeCase)
struct TreasuryReceivedDebitLinkedFlows {
    var debitReversal: String?
    var inboundTransfer: String?
    var issuingAuthorization: Expandable?
    var issuingTransaction: String?
    var payout: Expandable?
    var topup: String?
}

@Model(naming: .snakeCase, typeName: "treasury.transaction")
struct TreasuryTransaction: StripeObject {
    var amount: Int
    var balanceImpact: BalanceImpact
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var description: String
    var financialAccount: String
    var flow: String?
    var flowType: String
    var id: String
    var livemode: Bool
    var status: String
    var statusTransitions: StatusTransitions
}

@Model(naming: .snakeCase)
struct BalanceImpact {
    var cash: Int
    var inboundPending: Int
    var outboundPending: Int
}

@Model(naming: .snakeCase, typeName: "treasury.transaction_entry")
struct TreasuryTransactionEntry: StripeObject {
    var balanceImpact: BalanceImpact
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var effectiveAt: Date
    var financialAccount: String
    var flow: String
    var flowType: String
    var id: String
    var livemode: Bool
    var transaction: Expandable
    var type: String
}
