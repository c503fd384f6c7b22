import Dovetail

@Model(naming: .snakeCase, typeName: "climate.order")
struct ClimateOrder: StripeObject {
    var amountFees: Int
    var amountSubtotal: Int
    var amountTotal: Int
    var beneficiary: ClimateOrderBeneficiary
    @Attribute(.transformed(by: SecondsSince1970.self)) var canceledAt: Date
    var cancellationReason: String?
    var certificate: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var confirmedAt: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var delayedAt: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var deliveredAt: Date
    var deliveryDetails: [ModelDocument]
    var expectedDeliveryYear: Int
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var metricTons: String
    var product: Expandable
    @Attribute(.transformed(by: SecondsSince1970.self)) var productSubstitutedAt: Date
    var status: String
}

@Model(naming: .snakeCase)
struct ClimateOrderBeneficiary {
    var publicName: String
}

@Model(naming: .snakeCase, typeName: "climate.product")
struct ClimateProduct: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currentPricesPerMetricTon: [String: ClimateProductUsd]
    var deliveryYear: Int
    var id: String
    var livemode: Bool
    var metricTonsAvailable: String
    var name: String
    var suppliers: [any StripeObject]
}

@Model(naming: .snakeCase)
struct ClimateProductUsd {
    var amountFees: Int
    var amountSubtotal: Int
    var amountTotal: Int
}

@Model(naming: .snakeCase, typeName: "climate.supplier")
struct ClimateSupplier: StripeObject {
    var id: String
    var infoUrl: String
    var livemode: Bool
    var locations: [ClimateSupplierLocations]
    var name: String
    var removalPathway: String
}

@Model(naming: .snakeCase)
struct ClimateSupplierLocations {
    var city: String
    var country: String
    var latitude: Double
    var longitude: Double
    var region: String
}
