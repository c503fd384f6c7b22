import Dovetail

@Model(naming: .snakeCase, typeName: "payment_intent")
struct PaymentIntent: StripeObject {
    var amount: Int
    var amountCapturable: Int
    var amountDetails: PaymentIntentAmountDetails
    var amountReceived: Int
    var application: Expandable?
    var applicationFeeAmount: Int?
    var automaticPaymentMethods: PaymentIntentAutomaticPaymentMethods
    @Attribute(.transformed(by: SecondsSince1970.self)) var canceledAt: Date
    var cancellationReason: String?
    var captureMethod: String
    var clientSecret: String
    var confirmationMethod: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var customer: Expandable?
    var description: String?
    var id: String
    var lastPaymentError: PaymentIntentLastPaymentError
    var latestCharge: Expandable?
    var livemode: Bool
    var metadata: [String: String]
    var nextAction: NextAction
    var onBehalfOf: Expandable?
    var paymentMethod: Expandable?
    var paymentMethodConfigurationDetails: PaymentMethodConfigurationDetails
    var paymentMethodOptions: ModelDocument
    var paymentMethodTypes: [String]
    var processing: PaymentIntentProcessing
    var receiptEmail: String?
    var review: Expandable?
    var setupFutureUsage: String?
    var shipping: ModelDocument
    var statementDescriptor: String?
    var statementDescriptorSuffix: String?
    var status: String
    var transferData: PaymentIntentTransferData
    var transferGroup: String?
    var source: Expandable?
    var excludedPaymentMethodTypes: [String]?
    var customerAccount: String?
    var managedPayments: ManagedPayments
}

@Model(naming: .snakeCase)
struct PaymentIntentAmountDetails {
    var tip: ModelDocument
}

@Model(naming: .snakeCase)
struct PaymentIntentAutomaticPaymentMethods {
    var enabled: Bool
}

@Model(naming: .snakeCase)
struct PaymentIntentLastPaymentError {
    var type: String
}

@Model(naming: .snakeCase)
struct PaymentIntentProcessing {
    var type: String
}

@Model(naming: .snakeCase)
struct PaymentIntentTransferData {
    var destination: any StripeObject
}

@Model(naming: .snakeCase, typeName: "payment_intent_amount_details_line_item")
struct PaymentIntentAmountDetailsLineItem: StripeObject {
    var discountAmount: Int?
    var id: String
    var paymentMethodOptions: ModelDocument
    var productCode: String?
    var productName: String
    var quantity: Int
    var tax: PaymentIntentAmountDetailsLineItemTax
    var unitCost: Int
    var unitOfMeasure: String?
}

@Model(naming: .snakeCase)
struct PaymentIntentAmountDetailsLineItemTax {
    var totalTaxAmount: Int
}
