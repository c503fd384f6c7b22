import Dovetail

@Model(naming: .snakeCase, typeName: "setup_attempt")
struct SetupAttempt: StripeObject {
    var application: Expandable?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var customer: Expandable?
    var flowDirections: [String]?
    var id: String
    var livemode: Bool
    var onBehalfOf: Expandable?
    var paymentMethod: Expandable
    var paymentMethodDetails: SetupAttemptPaymentMethodDetails
    var setupError: SetupAttemptSetupError
    var setupIntent: Expandable
    var status: String
    var usage: String
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct SetupAttemptThreeDSecure {
    var authenticationFlow: String?
    var electronicCommerceIndicator: String?
    var result: String?
    var resultReason: String?
    var transactionId: String?
    var version: String?
}

@Model(naming: .snakeCase)
struct SetupAttemptWallet {
    var type: String
}

@Model(naming: .snakeCase)
struct SetupAttemptCard {
    var brand: String?
    var checks: Checks
    var country: String?
    var expMonth: String?
    var expYear: String?
    var fingerprint: String?
    var funding: String?
    var last4: String?
    var network: String?
    var threeDSecure: SetupAttemptThreeDSecure
    var wallet: SetupAttemptWallet
}

@Model(naming: .snakeCase)
struct SetupAttemptPaymentMethodDetails {
    var card: SetupAttemptCard
    var type: String
}

@Model(naming: .snakeCase)
struct SetupAttemptSetupError {
    var type: String
}

@Model(naming: .snakeCase, typeName: "setup_intent")
struct SetupIntent: StripeObject {
    var application: Expandable?
    var automaticPaymentMethods: SetupIntentAutomaticPaymentMethods
    var cancellationReason: String?
    var clientSecret: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var customer: Expandable?
    var description: String?
    var flowDirections: [String]?
    var id: String
    var lastSetupError: SetupIntentLastSetupError
    var latestAttempt: Expandable?
    var livemode: Bool
    var mandate: Expandable?
    var metadata: [String: String]
    var nextAction: NextAction
    var onBehalfOf: Expandable?
    var paymentMethod: Expandable?
    var paymentMethodConfigurationDetails: PaymentMethodConfigurationDetails
    var paymentMethodOptions: ModelDocument
    var paymentMethodTypes: [String]
    var singleUseMandate: Expandable?
    var status: String
    var usage: String
    var excludedPaymentMethodTypes: [String]?
}

@Model(naming: .snakeCase)
struct SetupIntentAutomaticPaymentMethods {
    var enabled: String?
}

@Model(naming: .snakeCase)
struct SetupIntentLastSetupError {
    var type: String
}
