import Dovetail

@Model(naming: .snakeCase, typeName: "payout")
struct Payout: StripeObject {
    var amount: Int
    var applicationFee: Expandable?
    var applicationFeeAmount: Int?
    var arrivalDate: Int
    var automatic: Bool
    var balanceTransaction: Expandable
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var description: String
    var destination: Expandable
    var failureBalanceTransaction: Expandable?
    var failureCode: String?
    var failureMessage: String?
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var method: String
    var originalPayout: Expandable?
    var reconciliationStatus: String
    var reversedBy: Expandable?
    var sourceType: String
    var statementDescriptor: String?
    var status: String
    var type: String
    var traceId: PayoutTraceId
    var payoutMethod: String?
}

@Model(naming: .snakeCase)
struct PayoutTraceId {
    var status: String
    var value: String?
}

@Model(naming: .snakeCase, typeName: "reserve.hold")
struct ReserveHold: StripeObject {
    var amount: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var createdBy: String
    var currency: String
    var id: String
    var livemode: Bool
    var reason: String
    var releaseSchedule: ReserveHoldReleaseSchedule
    var reservePlan: Expandable?
    var sourceCharge: Expandable?
    var sourceType: String
}

@Model(naming: .snakeCase)
struct ReserveHoldReleaseSchedule {
    var releaseAfter: String?
    var scheduledRelease: String?
}

@Model(naming: .snakeCase, typeName: "reserve.plan")
struct ReservePlan: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var createdBy: String
    var currency: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var disabledAt: Date?
    var id: String
    var livemode: Bool
    var percent: Int
    var status: String
    var type: String
}

@Model(naming: .snakeCase, typeName: "reserve.release")
struct ReserveRelease: StripeObject {
    var amount: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var createdBy: String
    var currency: String
    var id: String
    var livemode: Bool
    var reason: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var releasedAt: Date
    var reserveHold: Expandable?
    var reservePlan: Expandable?
}

@Model(naming: .snakeCase, typeName: "transfer")
struct Transfer: StripeObject {
    var amount: Int
    var amountReversed: Int
    var balanceTransaction: Expandable
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var description: String?
    var destination: Expandable
    var destinationPayment: Expandable
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var reversals: List
    var reversed: Bool
    var sourceTransaction: Expandable?
    var sourceType: String
    var transferGroup: String?
}

@Model(naming: .snakeCase, typeName: "transfer_reversal")
struct TransferReversal: StripeObject {
    var amount: Int
    var balanceTransaction: Expandable?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var destinationPaymentRefund: Expandable?
    var id: String
    var metadata: [String: String]
    var sourceRefund: Expandable?
    var transfer: Expandable
}
