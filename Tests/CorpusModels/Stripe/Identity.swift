import Dovetail

@Model(naming: .snakeCase, typeName: "identity.verification_report")
struct IdentityVerificationReport: StripeObject {
    var clientReferenceId: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var document: IdentityVerificationReportDocument
    var id: String
    var livemode: Bool
    var options: IdentityVerificationReportOptions
    var type: String
    var verificationSession: String
}

@Model(naming: .snakeCase)
struct IdentityVerificationReportError {
    var code: String?
    var reason: String?
}

@Model(naming: .snakeCase)
struct IdentityVerificationReportExpirationDate {
    var day: Int
    var month: Int
    var year: Int
}

@Model(naming: .snakeCase)
struct IdentityVerificationReportDocument {
    var address: Address
    var error: IdentityVerificationReportError
    var expirationDate: IdentityVerificationReportExpirationDate
    var files: [String]
    var firstName: String
    var issuedDate: IdentityVerificationReportExpirationDate
    var issuingCountry: String
    var lastName: String
    var status: String
    var type: String
}

@Model(naming: .snakeCase)
struct IdentityVerificationReportOptions {
    var document: ModelDocument
    var idNumber: ModelDocument
}

@Model(naming: .snakeCase, typeName: "identity.verification_session")
struct IdentityVerificationSession: StripeObject {
    var clientReferenceId: String?
    var clientSecret: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var id: String
    var lastError: IdentityVerificationSessionLastError
    var lastVerificationReport: Expandable
    var livemode: Bool
    var metadata: [String: String]
    var options: IdentityVerificationSessionOptions
    var redaction: IdentityVerificationSessionRedaction
    var status: String
    var type: String
    var url: String?
    var relatedCustomer: String?
    var relatedCustomerAccount: String?
}

@Model(naming: .snakeCase)
struct IdentityVerificationSessionDocument {
    var requireMatchingSelfie: Bool
}

@Model(naming: .snakeCase)
struct IdentityVerificationSessionLastError {
    var code: String?
    var reason: String?
}

@Model(naming: .snakeCase)
struct IdentityVerificationSessionOptions {
    var document: IdentityVerificationSessionDocument
}

@Model(naming: .snakeCase)
struct IdentityVerificationSessionRedaction {
    var status: String
}
