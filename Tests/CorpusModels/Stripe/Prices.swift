import Dovetail

@Model(naming: .snakeCase, typeName: "entitlements.active_entitlement")
struct EntitlementsActiveEntitlement: StripeObject {
    var feature: Expandable
    var id: String
    var livemode: Bool
    var lookupKey: String
}

@Model(naming: .snakeCase, typeName: "entitlements.active_entitlement_summary")
struct EntitlementsActiveEntitlementSummary: StripeObject {
    var customer: String
    var entitlements: List
    var livemode: Bool
}

@Model(naming: .snakeCase, typeName: "entitlements.feature")
struct EntitlementsFeature: StripeObject {
    var active: Bool
    var id: String
    var livemode: Bool
    var lookupKey: String
    var metadata: [String: String]
    var name: String
}

@Model(naming: .snakeCase, typeName: "exchange_rate")
struct ExchangeRate: StripeObject {
    var id: String
    var rates: [String: Double]
}

@Model(naming: .snakeCase, typeName: "plan")
struct Plan: StripeObject {
    var deleted: Bool?
    var id: String
    var active: Bool?
    var aggregateUsage: String?
    var amount: Int?
    var amountDecimal: String?
    var billingScheme: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var currency: String?
    var interval: String?
    var intervalCount: Int?
    var livemode: Bool?
    var metadata: [String: String]?
    var meter: String?
    var nickname: String?
    var product: Expandable?
    var tiersMode: String?
    var transformUsage: PlanTransformUsage?
    var trialPeriodDays: Int?
    var usageType: String?
}

@Model(naming: .snakeCase)
struct PlanTransformUsage {
    var divideBy: Int
    var round: String
}

@Model(naming: .snakeCase, typeName: "price")
struct Price: StripeObject {
    var active: Bool?
    var billingScheme: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var currency: String?
    var customUnitAmount: PriceCustomUnitAmount?
    var id: String
    var livemode: Bool?
    var lookupKey: String?
    var metadata: [String: String]?
    var nickname: String?
    var product: Expandable?
    var recurring: PriceRecurring?
    var taxBehavior: String?
    var tiersMode: String?
    var transformQuantity: PriceTransformQuantity?
    var type: String?
    var unitAmount: Int?
    var unitAmountDecimal: String?
    var deleted: Bool?
}

@Model(naming: .snakeCase)
struct PriceCustomUnitAmount {
    var maximum: String?
    var minimum: String?
    var preset: String?
}

@Model(naming: .snakeCase)
struct PriceRecurring {
    var interval: String
    var intervalCount: Int
    var meter: String?
    var trialPeriodDays: Int?
    var usageType: String
}

@Model(naming: .snakeCase)
struct PriceTransformQuantity {
    var divideBy: Int
    var round: String
}

@Model(naming: .snakeCase, typeName: "product")
struct Product: StripeObject {
    var deleted: Bool?
    var id: String
    var active: Bool?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var defaultPrice: String?
    var description: String?
    var images: [String]?
    var livemode: Bool?
    var marketingFeatures: [ModelDocument]?
    var metadata: [String: String]?
    var name: String?
    var packageDimensions: ProductPackageDimensions?
    var shippable: Bool?
    var statementDescriptor: String?
    var taxCode: Expandable?
    var unitLabel: String?
    var updated: Int?
    var url: String?
    var type: String?
}

@Model(naming: .snakeCase)
struct ProductPackageDimensions {
    var height: Int
    var length: Int
    var weight: Int
    var width: Int
}

@Model(naming: .snakeCase, typeName: "product_feature")
struct ProductFeature: StripeObject {
    var deleted: Bool?
    var id: String
    var entitlementFeature: (any StripeObject)?
    var livemode: Bool?
}

@Model(naming: .snakeCase, typeName: "shipping_rate")
struct ShippingRate: StripeObject {
    var active: Bool
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var deliveryEstimate: ShippingRateDeliveryEstimate
    var displayName: String
    var fixedAmount: Money
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var taxBehavior: String
    var taxCode: Expandable?
    var type: String
}

@Model(naming: .snakeCase)
struct ShippingRateMaximum {
    var unit: String
    var value: Int
}

@Model(naming: .snakeCase)
struct ShippingRateDeliveryEstimate {
    var maximum: ShippingRateMaximum
    var minimum: ShippingRateMaximum
}

@Model(naming: .snakeCase, typeName: "tax_code")
struct TaxCode: StripeObject {
    var description: String
    var id: String
    var name: String
}

@Model(naming: .snakeCase, typeName: "tax_rate")
struct TaxRate: StripeObject {
    var active: Bool
    var country: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var description: String
    var displayName: String
    var effectivePercentage: Double?
    var id: String
    var inclusive: Bool
    var jurisdiction: String
    var jurisdictionLevel: String?
    var livemode: Bool
    var metadata: [String: String]
    var percentage: Int
    var state: String?
    var taxType: String
    var flatAmount: Money
    var rateType: String?
}
