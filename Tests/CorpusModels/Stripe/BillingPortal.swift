import Dovetail

@Model(naming: .snakeCase, typeName: "billing_portal.configuration")
struct BillingPortalConfiguration: StripeObject {
    var active: Bool
    var application: Expandable?
    var businessProfile: BillingPortalConfigurationBusinessProfile
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var defaultReturnUrl: String?
    var features: BillingPortalConfigurationFeatures
    var id: String
    var isDefault: Bool
    var livemode: Bool
    var loginPage: BillingPortalConfigurationLoginPage
    var metadata: [String: String]?
    var updated: Int
    var name: String?
}

@Model(naming: .snakeCase)
struct BillingPortalConfigurationConditions {
    var type: String
}

@Model(naming: .snakeCase)
struct BillingPortalConfigurationCancellationReason {
    var enabled: Bool
    var options: [String]
}

@Model(naming: .snakeCase)
struct BillingPortalConfigurationScheduleAtPeriodEnd {
    var conditions: [BillingPortalConfigurationConditions]
}

@Model(naming: .snakeCase)
struct BillingPortalConfigurationCustomerUpdate {
    var allowedUpdates: [String]
    var enabled: Bool
}

@Model(naming: .snakeCase)
struct BillingPortalConfigurationInvoiceHistory {
    var enabled: Bool
}

@Model(naming: .snakeCase)
struct BillingPortalConfigurationPaymentMethodUpdate {
    var enabled: Bool
    var paymentMethodConfiguration: Expandable?
}

@Model(naming: .snakeCase)
struct BillingPortalConfigurationSubscriptionCancel {
    var cancellationReason: BillingPortalConfigurationCancellationReason
    var enabled: Bool
    var mode: String
    var prorationBehavior: String
}

@Model(naming: .snakeCase)
struct BillingPortalConfigurationSubscriptionUpdate {
    var defaultAllowedUpdates: [String]
    var enabled: Bool
    var prorationBehavior: String
    var scheduleAtPeriodEnd: BillingPortalConfigurationScheduleAtPeriodEnd
    var trialUpdateBehavior: String
    var billingCycleAnchor: String?
}

@Model(naming: .snakeCase)
struct BillingPortalConfigurationBusinessProfile {
    var headline: String?
    var privacyPolicyUrl: String
    var termsOfServiceUrl: String
}

@Model(naming: .snakeCase)
struct BillingPortalConfigurationFeatures {
    var customerUpdate: BillingPortalConfigurationCustomerUpdate
    var invoiceHistory: BillingPortalConfigurationInvoiceHistory
    var paymentMethodUpdate: BillingPortalConfigurationPaymentMethodUpdate
    var subscriptionCancel: BillingPortalConfigurationSubscriptionCancel
    var subscriptionUpdate: BillingPortalConfigurationSubscriptionUpdate
}

@Model(naming: .snakeCase)
struct BillingPortalConfigurationLoginPage {
    var enabled: Bool
    var url: String?
}

@Model(naming: .snakeCase, typeName: "billing_portal.session")
struct BillingPortalSession: StripeObject {
    var configuration: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var customer: Expandable
    var flow: BillingPortalSessionFlow
    var id: String
    var livemode: Bool
    var locale: String?
    var onBehalfOf: Expandable?
    var returnUrl: String
    var url: String
    var customerAccount: String?
}

@Model(naming: .snakeCase)
struct BillingPortalSessionCouponOffer {
    var coupon: String
}

@Model(naming: .snakeCase)
struct BillingPortalSessionRedirect {
    var returnUrl: String
}

@Model(naming: .snakeCase)
struct BillingPortalSessionRetention {
    var couponOffer: BillingPortalSessionCouponOffer
    var type: String
}

@Model(naming: .snakeCase)
struct BillingPortalSessionItems {
    var id: String?
    var price: Expandable?
}

@Model(naming: .snakeCase)
struct BillingPortalSessionAfterCompletion {
    var hostedConfirmation: HostedConfirmation
    var redirect: BillingPortalSessionRedirect
    var type: String
}

@Model(naming: .snakeCase)
struct BillingPortalSessionSubscriptionCancel {
    var retention: BillingPortalSessionRetention
    var subscription: String
}

@Model(naming: .snakeCase)
struct BillingPortalSessionSubscriptionUpdate {
    var subscription: String
}

@Model(naming: .snakeCase)
struct BillingPortalSessionSubscriptionUpdateConfirm {
    var discounts: [Expandable]?
    var items: [BillingPortalSessionItems]
    var subscription: String
}

@Model(naming: .snakeCase)
struct BillingPortalSessionFlow {
    var afterCompletion: BillingPortalSessionAfterCompletion
    var subscriptionCancel: BillingPortalSessionSubscriptionCancel
    var subscriptionUpdate: BillingPortalSessionSubscriptionUpdate
    var subscriptionUpdateConfirm: BillingPortalSessionSubscriptionUpdateConfirm
    var type: String
}
