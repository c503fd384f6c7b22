import Dovetail

@Model(naming: .snakeCase, typeName: "apple_pay_domain")
struct ApplePayDomain: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var domainName: String?
    var id: String
    var livemode: Bool?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "apps.secret")
struct AppsSecret: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date
    var id: String
    var livemode: Bool
    var name: String
    var scope: AppsSecretScope
}

@Model(naming: .snakeCase)
struct AppsSecretScope {
    var type: String
}

@Model(naming: .snakeCase, typeName: "event")
struct Event: StripeObject {
    var apiVersion: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var data: EventData
    var id: String
    var livemode: Bool
    var pendingWebhooks: Int
    var request: EventRequest
    var type: String
}

@Model(naming: .snakeCase)
struct EventData {
    var object: any StripeObject
}

@Model(naming: .snakeCase)
struct EventRequest {
    var id: String?
    var idempotencyKey: String?
}

@Model(naming: .snakeCase, typeName: "reporting.report_run")
struct ReportingReportRun: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var error: ModelDocument?
    var id: String
    var livemode: Bool
    var parameters: ReportingReportRunParameters
    var reportType: String
    var result: any StripeObject
    var status: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var succeededAt: Date
}

@Model(naming: .snakeCase)
struct ReportingReportRunParameters {
    var intervalEnd: Int
    var intervalStart: Int
}

@Model(naming: .snakeCase, typeName: "reporting.report_type")
struct ReportingReportType: StripeObject {
    var dataAvailableEnd: Int
    var dataAvailableStart: Int
    var defaultColumns: [String]
    var id: String
    var livemode: Bool
    var name: String
    var updated: Int
    var version: Int
}

@Model(naming: .snakeCase, typeName: "scheduled_query_run")
struct ScheduledQueryRun: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var dataLoadTime: Int
    var file: any StripeObject
    var id: String
    var livemode: Bool
    var resultAvailableUntil: Int
    var sql: String
    var status: String
    var title: String
}

@Model(naming: .snakeCase, typeName: "sigma.sigma_api_query")
struct SigmaQuery: StripeObject {
    var id: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var livemode: Bool
    var name: String
    var sql: String
    var status: String
    var createdVia: String
    var result: ModelDocument
    var error: [ModelDocument]
}

@Model(naming: .snakeCase, typeName: "test_helpers.test_clock")
struct TestHelpersTestClock: StripeObject {
    var deleted: Bool?
    var id: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var deletesAfter: Int?
    var frozenTime: Int?
    var livemode: Bool?
    var name: String?
    var status: String?
    var statusDetails: ModelDocument?
}

@Model(naming: .snakeCase, typeName: "webhook_endpoint")
struct WebhookEndpoint: StripeObject {
    var deleted: Bool?
    var id: String
    var apiVersion: String?
    var application: Expandable?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var description: String?
    var enabledEvents: [String]?
    var livemode: Bool?
    var metadata: [String: String]?
    var status: String?
    var url: String?
}
