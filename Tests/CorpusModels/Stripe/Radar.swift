import Dovetail

@Model(naming: .snakeCase, typeName: "radar.early_fraud_warning")
struct RadarEarlyFraudWarning: StripeObject {
    var actionable: Bool
    var charge: Expandable
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var fraudType: String
    var id: String
    var livemode: Bool
}

@Model(naming: .snakeCase, typeName: "radar.payment_evaluation")
struct RadarPaymentEvaluation: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var createdAt: Date
    var events: [ModelDocument]
    var id: String
    var livemode: Bool
    var metadata: [String: String]?
    var recommendedAction: String
    var signals: RadarPaymentEvaluationSignals
}

@Model(naming: .snakeCase)
struct RadarPaymentEvaluationFraudulentPayment {
    @Attribute(.transformed(by: SecondsSince1970.self)) var evaluatedAt: Date
    var riskLevel: String
    var score: Int
}

@Model(naming: .snakeCase)
struct RadarPaymentEvaluationSignals {
    var fraudulentPayment: RadarPaymentEvaluationFraudulentPayment
}

@Model(naming: .snakeCase, typeName: "radar.value_list")
struct RadarValueList: StripeObject {
    var deleted: Bool?
    var id: String
    var alias: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var createdBy: String?
    var itemType: String?
    var listItems: List?
    var livemode: Bool?
    var metadata: [String: String]?
    var name: String?
}

@Model(naming: .snakeCase, typeName: "radar.value_list_item")
struct RadarValueListItem: StripeObject {
    var deleted: Bool?
    var id: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var createdBy: String?
    var livemode: Bool?
    var value: String?
    var valueList: String?
}
