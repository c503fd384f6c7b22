import Dovetail

@Model(naming: .snakeCase, typeName: "account")
struct Account: PaymentSource {
    var businessProfile: AccountBusinessProfile?
    var businessType: String?
    var capabilities: AccountCapabilities?
    var chargesEnabled: Bool?
    var controller: AccountController?
    var country: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var defaultCurrency: String?
    var detailsSubmitted: Bool?
    var email: String?
    var externalAccounts: List?
    var futureRequirements: Requirements?
    var id: String
    var metadata: [String: String]?
    var payoutsEnabled: Bool?
    var requirements: Requirements?
    var settings: AccountSettings?
    var tosAcceptance: AccountTosAcceptance?
    var type: String?
    var deleted: Bool?
}

@Model(naming: .snakeCase)
struct AccountCardIssuingTosAcceptance {
    var date: String?
    var ip: String?
}

@Model(naming: .snakeCase)
struct AccountDeclineOn {
    var avsFailure: Bool
    var cvcFailure: Bool
}

@Model(naming: .snakeCase)
struct AccountSchedule {
    var delayDays: Int
    var interval: String
}

@Model(naming: .snakeCase)
struct AccountAnnualRevenue {
    var amount: Int?
    var currency: String?
    var fiscalYearEnd: String?
}

@Model(naming: .snakeCase)
struct AccountBacsDebitPayments {
    var displayName: String?
    var serviceUserNumber: String?
}

@Model(naming: .snakeCase)
struct AccountBranding {
    var icon: Expandable?
    var logo: Expandable?
    var primaryColor: String?
    var secondaryColor: String?
}

@Model(naming: .snakeCase)
struct AccountCardIssuing {
    var tosAcceptance: AccountCardIssuingTosAcceptance
}

@Model(naming: .snakeCase)
struct AccountCardPayments {
    var declineOn: AccountDeclineOn
    var statementDescriptorPrefix: String?
    var statementDescriptorPrefixKana: String?
    var statementDescriptorPrefixKanji: String?
}

@Model(naming: .snakeCase)
struct AccountDashboard {
    var displayName: String?
    var timezone: String
}

@Model(naming: .snakeCase)
struct AccountInvoices {
    var defaultAccountTaxIds: String?
    var hostedPaymentMethodSave: String?
}

@Model(naming: .snakeCase)
struct AccountPayments {
    var statementDescriptor: String?
    var statementDescriptorKana: String?
    var statementDescriptorKanji: String?
    var statementDescriptorPrefixKana: String?
    var statementDescriptorPrefixKanji: String?
}

@Model(naming: .snakeCase)
struct AccountPayouts {
    var debitNegativeBalances: Bool
    var schedule: AccountSchedule
    var statementDescriptor: String?
}

@Model(naming: .snakeCase)
struct AccountBusinessProfile {
    var annualRevenue: AccountAnnualRevenue
    var estimatedWorkerCount: String?
    var mcc: String?
    var name: String?
    var productDescription: String?
    var supportAddress: Address
    var supportEmail: String?
    var supportPhone: String?
    var supportUrl: String?
    var url: String?
    var minorityOwnedBusinessDesignation: String?
}

@Model(naming: .snakeCase)
struct AccountCapabilities {
    var cardPayments: String
    var transfers: String
}

@Model(naming: .snakeCase)
struct AccountController {
    var type: String
}

@Model(naming: .snakeCase)
struct Requirements {
    var alternatives: [ModelDocument]
    var currentDeadline: String?
    var currentlyDue: [String]
    var disabledReason: String?
    var errors: [ModelDocument]
    var eventuallyDue: [String]
    var pastDue: [String]
    var pendingVerification: [String]
}

@Model(naming: .snakeCase)
struct AccountSettings {
    var bacsDebitPayments: AccountBacsDebitPayments
    var branding: AccountBranding
    var cardIssuing: AccountCardIssuing
    var cardPayments: AccountCardPayments
    var dashboard: AccountDashboard
    var invoices: AccountInvoices
    var payments: AccountPayments
    var payouts: AccountPayouts
    var sepaDebitPayments: ModelDocument
}

@Model(naming: .snakeCase)
struct AccountTosAcceptance {
    var date: String?
    var ip: String?
    var userAgent: String?
}

@Model(naming: .snakeCase, typeName: "account_link")
struct AccountLink: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date
    var url: String
}

@Model(naming: .snakeCase, typeName: "application")
struct Application: StripeObject {
    var id: String
    var name: String?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "capability")
struct Capability: StripeObject {
    var account: Expandable
    var futureRequirements: Requirements
    var id: String
    var requested: Bool
    @Attribute(.transformed(by: SecondsSince1970.self)) var requestedAt: Date
    var requirements: Requirements
    var status: String
}

@Model(naming: .snakeCase, typeName: "country_spec")
struct CountrySpec: StripeObject {
    var defaultCurrency: String
    var id: String
    var supportedBankAccountCurrencies: [String: [String]]
    var supportedPaymentCurrencies: [String]
    var supportedPaymentMethods: [String]
    var supportedTransferCountries: [String]
    var verificationFields: CountrySpecVerificationFields
}

@Model(naming: .snakeCase)
struct CountrySpecCompany {
    var additional: [ModelDocument]
    var minimum: [String]
}

@Model(naming: .snakeCase)
struct CountrySpecVerificationFields {
    var company: CountrySpecCompany
    var individual: CountrySpecCompany
}

@Model(naming: .snakeCase, typeName: "login_link")
struct LoginLink: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var url: String
}

@Model(naming: .snakeCase, typeName: "person")
struct Person: StripeObject {
    var deleted: Bool?
    var id: String
    var account: Expandable?
    var additionalTosAcceptances: PersonAdditionalTosAcceptances?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date?
    var dob: Dob?
    var firstName: String?
    var futureRequirements: PersonFutureRequirements?
    var idNumberProvided: Bool?
    var lastName: String?
    var metadata: [String: String]?
    var relationship: PersonRelationship?
    var requirements: PersonFutureRequirements?
    @Attribute(name: "ssn_last_4_provided") var ssnLast4Provided: Bool?
    var verification: PersonVerification?
}

@Model(naming: .snakeCase)
struct PersonAccount {
    var date: String?
    var ip: String?
    var userAgent: String?
}

@Model(naming: .snakeCase)
struct PersonAdditionalDocument {
    var back: String?
    var details: String?
    var detailsCode: String?
    var front: String?
}

@Model(naming: .snakeCase)
struct PersonAdditionalTosAcceptances {
    var account: PersonAccount
}

@Model(naming: .snakeCase)
struct PersonFutureRequirements {
    var alternatives: [ModelDocument]
    var currentlyDue: [String]
    var errors: [ModelDocument]
    var eventuallyDue: [String]
    var pastDue: [String]
    var pendingVerification: [String]
}

@Model(naming: .snakeCase)
struct PersonRelationship {
    var director: Bool
    var executive: Bool
    var legalGuardian: Bool
    var owner: Bool
    var percentOwnership: String?
    var representative: Bool
    var title: String?
    var authorizer: String?
}

@Model(naming: .snakeCase)
struct PersonVerification {
    var additionalDocument: PersonAdditionalDocument
    var details: String?
    var detailsCode: String?
    var document: PersonAdditionalDocument
    var status: String
}

@Model(naming: .snakeCase, typeName: "topup")
struct Topup: StripeObject {
    var amount: Int
    var balanceTransaction: Expandable?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var description: String
    var expectedAvailabilityDate: Int
    var failureCode: String?
    var failureMessage: String?
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var source: any PaymentSource
    var statementDescriptor: String?
    var status: String
    var transferGroup: String?
    var initiatedBy: String?
}
