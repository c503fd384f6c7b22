import Dovetail

@Model(naming: .snakeCase, typeName: "billing.alert")
struct BillingAlert: StripeObject {
    var alertType: String
    var id: String
    var livemode: Bool
    var status: String?
    var title: String
    var usageThreshold: BillingAlertUsageThreshold
}

@Model(naming: .snakeCase)
struct BillingAlertUsageThreshold {
    var filters: String?
    var gte: Int
    var meter: any StripeObject
    var recurrence: String
}

@Model(naming: .snakeCase, typeName: "billing.alert_triggered")
struct BillingAlertTriggered: StripeObject {
    var alert: any StripeObject
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var customer: String
    var livemode: Bool
    var value: Int
}

@Model(naming: .snakeCase, typeName: "billing.meter")
struct BillingMeter: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var customerMapping: BillingMeterCustomerMapping
    var defaultAggregation: BillingMeterDefaultAggregation
    var displayName: String
    var eventName: String
    var eventTimeWindow: ModelDocument?
    var id: String
    var livemode: Bool
    var status: String
    var statusTransitions: BillingMeterStatusTransitions
    var updated: Int
    var valueSettings: BillingMeterValueSettings
}

@Model(naming: .snakeCase)
struct BillingMeterCustomerMapping {
    var eventPayloadKey: String
    var type: String
}

@Model(naming: .snakeCase)
struct BillingMeterDefaultAggregation {
    var formula: String
}

@Model(naming: .snakeCase)
struct BillingMeterStatusTransitions {
    @Attribute(.transformed(by: SecondsSince1970.self)) var deactivatedAt: Date?
}

@Model(naming: .snakeCase)
struct BillingMeterValueSettings {
    var eventPayloadKey: String
}

@Model(naming: .snakeCase, typeName: "billing.meter_event")
struct BillingMeterEvent: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var eventName: String
    var identifier: String
    var livemode: Bool
    var payload: BillingMeterEventPayload
    var timestamp: Int
}

@Model(naming: .snakeCase)
struct BillingMeterEventPayload {
    var stripeCustomerId: String
    var value: String
}

@Model(naming: .snakeCase, typeName: "billing.meter_event_adjustment")
struct BillingMeterEventAdjustment: StripeObject {
    var cancel: BillingMeterEventAdjustmentCancel
    var eventName: String
    var livemode: Bool
    var status: String
    var type: String
}

@Model(naming: .snakeCase)
struct BillingMeterEventAdjustmentCancel {
    var identifier: String
}

@Model(naming: .snakeCase, typeName: "billing.meter_event_summary")
struct BillingMeterEventSummary: StripeObject {
    var aggregatedValue: Int
    var endTime: Int
    var id: String
    var livemode: Bool
    var meter: String
    var startTime: Int
}
