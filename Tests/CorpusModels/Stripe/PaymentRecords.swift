import Dovetail

@Model(naming: .snakeCase, typeName: "payment_attempt_record")
struct PaymentAttemptRecord: StripeObject {
    var amount: RecordedAmount
    var amountAuthorized: RecordedAmount
    var amountCanceled: RecordedAmount
    var amountFailed: RecordedAmount
    var amountGuaranteed: RecordedAmount
    var amountRefunded: RecordedAmount
    var amountRequested: RecordedAmount
    var application: Expandable?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var customerDetails: CustomerDetails
    var customerPresence: String?
    var description: String?
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var paymentMethodDetails: PaymentMethodDetails
    var paymentRecord: Expandable?
    var processorDetails: ProcessorDetails
    var reportedBy: String
    var shippingDetails: ShippingDetails
}

@Model(naming: .snakeCase)
struct PaymentMethodDetailsBillingDetails {
    var address: Address
    var email: String?
    var name: String?
    var phone: String?
}

@Model(naming: .snakeCase)
struct RecordedAmount {
    var currency: String
    var value: Int
}

@Model(naming: .snakeCase)
struct CustomerDetails {
    var customer: Expandable?
    var email: String?
    var name: String?
    var phone: String?
}

@Model(naming: .snakeCase)
struct PaymentMethodDetails {
    var billingDetails: PaymentMethodDetailsBillingDetails
    var paymentMethod: Expandable?
    var type: String
}

@Model(naming: .snakeCase)
struct ProcessorDetails {
    var type: String
}

@Model(naming: .snakeCase)
struct ShippingDetails {
    var address: Address
    var name: String?
    var phone: String?
}

@Model(naming: .snakeCase, typeName: "payment_record")
struct PaymentRecord: StripeObject {
    var amount: RecordedAmount
    var amountAuthorized: RecordedAmount
    var amountCanceled: RecordedAmount
    var amountFailed: RecordedAmount
    var amountGuaranteed: RecordedAmount
    var amountRefunded: RecordedAmount
    var amountRequested: RecordedAmount
    var application: Expandable?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var customerDetails: CustomerDetails
    var customerPresence: String?
    var description: String?
    var id: String
    var latestPaymentAttemptRecord: Expandable?
    var livemode: Bool
    var metadata: [String: String]
    var paymentMethodDetails: PaymentMethodDetails
    var processorDetails: ProcessorDetails
    var shippingDetails: ShippingDetails
    var reportedBy: String
}
