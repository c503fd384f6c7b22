import Dovetail

@Model(naming: .snakeCase, typeName: "forwarding.request")
struct ForwardingRequest: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var id: String
    var livemode: Bool
    var paymentMethod: Expandable
    var replacements: [ModelDocument]
    var requestContext: ForwardingRequestRequestContext
    var requestDetails: ForwardingRequestRequestDetails
    var responseDetails: ForwardingRequestResponseDetails
    var url: String
}

@Model(naming: .snakeCase)
struct ForwardingRequestHeaders {
    var name: String
    var value: String
}

@Model(naming: .snakeCase)
struct ForwardingRequestRequestContext {
    var destinationDuration: Int
    var destinationIpAddress: String
}

@Model(naming: .snakeCase)
struct ForwardingRequestRequestDetails {
    var body: String
    var headers: [ForwardingRequestHeaders]
    var httpMethod: String
}

@Model(naming: .snakeCase)
struct ForwardingRequestResponseDetails {
    var body: String
    var headers: [ForwardingRequestHeaders]
    var status: Int
}
