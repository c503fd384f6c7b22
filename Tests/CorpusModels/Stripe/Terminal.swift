import Dovetail

@Model(naming: .snakeCase, typeName: "terminal.configuration")
struct TerminalConfiguration: StripeObject {
    var deleted: Bool?
    var id: String
    var bbposWiseposE: TerminalConfigurationBbposWiseposE?
    var isAccountDefault: Bool?
    var livemode: Bool?
    var name: String?
}

@Model(naming: .snakeCase)
struct TerminalConfigurationBbposWiseposE {
    var splashscreen: String
}

@Model(naming: .snakeCase, typeName: "terminal.connection_token")
struct TerminalConnectionToken: StripeObject {
    var secret: String
}

@Model(naming: .snakeCase, typeName: "terminal.location")
struct TerminalLocation: StripeObject {
    var deleted: Bool?
    var id: String
    var address: Address?
    var displayName: String?
    var livemode: Bool?
    var metadata: [String: String]?
}

@Model(naming: .snakeCase, typeName: "terminal.onboarding_link")
struct TerminalOnboardingLink: StripeObject {
    var linkOptions: TerminalOnboardingLinkLinkOptions
    var linkType: String
    var onBehalfOf: Expandable?
    var redirectUrl: String
}

@Model(naming: .snakeCase)
struct TerminalOnboardingLinkAppleTermsAndConditions {
    var allowRelinking: String?
    var merchantDisplayName: String
}

@Model(naming: .snakeCase)
struct TerminalOnboardingLinkLinkOptions {
    var appleTermsAndConditions: TerminalOnboardingLinkAppleTermsAndConditions
}

@Model(naming: .snakeCase, typeName: "terminal.reader")
struct TerminalReader: StripeObject {
    var deleted: Bool?
    var id: String
    var deviceType: String
    var serialNumber: String
    var action: TerminalReaderAction?
    var deviceSwVersion: String?
    var ipAddress: String?
    var label: String?
    var livemode: Bool?
    var location: Expandable?
    var metadata: [String: String]?
    var status: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var lastSeenAt: Date?
}

@Model(naming: .snakeCase)
struct TerminalReaderApiError {
    var type: String
}

@Model(naming: .snakeCase)
struct TerminalReaderAction {
    var failureCode: String?
    var failureMessage: String?
    var status: String
    var type: String
    var apiError: TerminalReaderApiError
}

@Model(naming: .snakeCase, typeName: "terminal.refund")
struct TerminalRefund: StripeObject {
}
