import Dovetail

@Model(naming: .snakeCase, typeName: "coupon")
struct Coupon: StripeObject {
    var amountOff: Int?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var currency: String?
    var duration: String?
    var durationInMonths: Int?
    var id: String
    var livemode: Bool?
    var maxRedemptions: Int?
    var metadata: [String: String]?
    var name: String?
    var percentOff: Double?
    var redeemBy: Int?
    var timesRedeemed: Int?
    var valid: Bool?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "discount")
struct Discount: StripeObject {
    var checkoutSession: Expandable?
    var customer: Expandable?
    var end: Int?
    var id: String
    var invoice: Expandable?
    var invoiceItem: Expandable?
    var promotionCode: Expandable?
    var start: Int
    var subscription: Expandable?
    var subscriptionItem: String?
    var source: DiscountSource
    var customerAccount: String?
    var deleted: Bool?
}

@Model(naming: .snakeCase)
struct DiscountSource {
    var coupon: Expandable?
    var type: String
}

@Model(naming: .snakeCase, typeName: "promotion_code")
struct PromotionCode: StripeObject {
    var active: Bool
    var code: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var customer: Expandable?
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date
    var id: String
    var livemode: Bool
    var maxRedemptions: Int?
    var metadata: [String: String]
    var restrictions: PromotionCodeRestrictions
    var timesRedeemed: Int
    var promotion: PromotionCodePromotion
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct PromotionCodeRestrictions {
    var firstTimeTransaction: Bool
    var minimumAmount: Int?
    var minimumAmountCurrency: String?
}

@Model(naming: .snakeCase)
struct PromotionCodePromotion {
    var coupon: Expandable?
    var type: String
}
