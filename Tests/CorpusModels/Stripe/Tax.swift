import Dovetail

@Model(naming: .snakeCase, typeName: "tax.association")
struct TaxAssociation: StripeObject {
    var calculation: String
    var id: String
    var paymentIntent: Expandable
    var taxTransactionAttempts: [ModelDocument]?
}

@Model(naming: .snakeCase, typeName: "tax.calculation")
struct TaxCalculation: StripeObject {
    var amountTotal: Int
    var currency: String
    var customer: Expandable?
    var customerDetails: TaxCalculationCustomerDetails
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date
    var id: String
    var livemode: Bool
    var shipFromDetails: ShipFromDetails
    var shippingCost: TaxCalculationShippingCost
    var taxAmountExclusive: Int
    var taxAmountInclusive: Int
    var taxBreakdown: [TaxCalculationTaxBreakdown]
    var taxDate: Int
}

@Model(naming: .snakeCase)
struct TaxCalculationTaxRateDetails {
    var country: String
    var percentageDecimal: String
    var state: String
    var taxType: String
    var flatAmount: Money
    var rateType: String?
}

@Model(naming: .snakeCase)
struct TaxCalculationCustomerDetails {
    var address: Address
    var addressSource: String
    var ipAddress: String?
    var taxIds: [ModelDocument]
    var taxabilityOverride: String
}

@Model(naming: .snakeCase)
struct ShipFromDetails {
    var address: Address
}

@Model(naming: .snakeCase)
struct TaxCalculationShippingCost {
    var amount: Int
    var amountTax: Int
    var taxBehavior: String
    var taxCode: Expandable
}

@Model(naming: .snakeCase)
struct TaxCalculationTaxBreakdown {
    var amount: Int
    var inclusive: Bool
    var taxRateDetails: TaxCalculationTaxRateDetails
    var taxabilityReason: String
    var taxableAmount: Int
}

@Model(naming: .snakeCase, typeName: "tax.calculation_line_item")
struct TaxCalculationLineItem: StripeObject {
    var amount: Int
    var amountTax: Int
    var id: String
    var livemode: Bool
    var product: Expandable?
    var quantity: Int
    var reference: String
    var taxBehavior: String
    var taxCode: Expandable
    var metadata: [String: String]?
}

@Model(naming: .snakeCase, typeName: "tax.registration")
struct TaxRegistration: StripeObject {
    var activeFrom: Int
    var country: String
    var countryOptions: TaxRegistrationCountryOptions
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date
    var id: String
    var livemode: Bool
    var status: String
}

@Model(naming: .snakeCase)
struct TaxRegistrationUs {
    var state: String
    var type: String
}

@Model(naming: .snakeCase)
struct TaxRegistrationCountryOptions {
    var us: TaxRegistrationUs
}

@Model(naming: .snakeCase, typeName: "tax.settings")
struct TaxSettings: StripeObject {
    var defaults: TaxSettingsDefaults
    var headOffice: TaxSettingsHeadOffice
    var livemode: Bool
    var status: String
    var statusDetails: TaxSettingsStatusDetails
}

@Model(naming: .snakeCase)
struct TaxSettingsDefaults {
    var taxBehavior: String?
    var taxCode: Expandable
    var provider: String
}

@Model(naming: .snakeCase)
struct TaxSettingsHeadOffice {
    var address: Address
}

@Model(naming: .snakeCase)
struct TaxSettingsStatusDetails {
    var active: ModelDocument
}

@Model(naming: .snakeCase, typeName: "tax.transaction")
struct TaxTransaction: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var customer: Expandable?
    var customerDetails: TaxCalculationCustomerDetails
    var id: String
    var lineItems: List
    var livemode: Bool
    var metadata: [String: String]?
    @Attribute(.transformed(by: SecondsSince1970.self)) var postedAt: Date
    var reference: String
    var reversal: TaxTransactionReversal
    var shipFromDetails: ShipFromDetails
    var shippingCost: TaxCalculationShippingCost
    var taxDate: Int
    var type: String
}

@Model(naming: .snakeCase)
struct TaxTransactionReversal {
    var originalTransaction: String?
}

@Model(naming: .snakeCase, typeName: "tax.transaction_line_item")
struct TaxTransactionLineItem: StripeObject {
    var amount: Int
    var amountTax: Int
    var id: String
    var livemode: Bool
    var metadata: [String: String]?
    var product: Expandable?
    var quantity: Int
    var reference: String
    var reversal: TaxTransactionLineItemReversal
    var taxBehavior: String
    var taxCode: Expandable
    var type: String
}

@Model(naming: .snakeCase)
struct TaxTransactionLineItemReversal {
    var originalLineItem: String
}
