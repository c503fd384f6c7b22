import Dovetail

@Model(naming: .snakeCase, typeName: "bank_account")
struct BankAccount: PaymentSource {
    var accountHolderName: String?
    var accountHolderType: String?
    var accountType: String?
    var bankName: String?
    var country: String?
    var currency: String?
    var customer: Expandable?
    var fingerprint: String?
    var id: String
    var last4: String?
    var metadata: [String: String]?
    var routingNumber: String?
    var status: String?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "card")
struct Card: PaymentSource {
    var addressCity: String?
    var addressCountry: String?
    var addressLine1: String?
    var addressLine1Check: String?
    var addressLine2: String?
    var addressState: String?
    var addressZip: String?
    var addressZipCheck: String?
    var brand: String?
    var country: String?
    var customer: Expandable?
    var cvcCheck: String?
    var dynamicLast4: String?
    var expMonth: Int?
    var expYear: Int?
    var fingerprint: String?
    var funding: String?
    var id: String
    var last4: String?
    var metadata: [String: String]?
    var name: String?
    var tokenizationMethod: String?
    var regulatedStatus: String?
    var networks: CardNetworks?
    var deleted: Bool?
}

@Model(naming: .snakeCase)
struct CardNetworks {
    var preferred: String?
}

@Model(naming: .snakeCase, typeName: "funding_instructions")
struct FundingInstructions: StripeObject {
    var bankTransfer: FundingInstructionsBankTransfer
    var currency: String
    var fundingType: String
    var livemode: Bool
}

@Model(naming: .snakeCase)
struct FundingInstructionsFinancialAddresses {
    var supportedNetworks: [String]
    var type: String
}

@Model(naming: .snakeCase)
struct FundingInstructionsBankTransfer {
    var country: String
    var financialAddresses: [FundingInstructionsFinancialAddresses]
    var type: String
}

@Model(naming: .snakeCase, typeName: "source")
struct Source: PaymentSource {
    var allowRedisplay: String?
    var amount: Int?
    var clientSecret: String
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String?
    var flow: String
    var id: String
    var livemode: Bool
    var metadata: [String: String]?
    var owner: SourceOwner
    var statementDescriptor: String?
    var status: String
    var type: String
    var usage: String?
    var achCreditTransfer: SourceAchCreditTransfer?
    var receiver: SourceReceiver?
    var achDebit: SourceAchDebit?
}

@Model(naming: .snakeCase)
struct SourceOwner {
    var address: Address
    var email: String?
    var name: String?
    var phone: String?
    var verifiedAddress: Address
    var verifiedEmail: String?
    var verifiedName: String?
    var verifiedPhone: String?
}

@Model(naming: .snakeCase)
struct SourceAchCreditTransfer {
    var accountNumber: String
    var bankName: String
    var fingerprint: String
    var routingNumber: String
    var swiftCode: String
}

@Model(naming: .snakeCase)
struct SourceReceiver {
    var address: String
    var amountCharged: Int
    var amountReceived: Int
    var amountReturned: Int
    var refundAttributesMethod: String
    var refundAttributesStatus: String
}

@Model(naming: .snakeCase)
struct SourceAchDebit {
    var bankName: String
    var country: String
    var fingerprint: String
    var last4: String
    var routingNumber: String
    var type: String
}

@Model(naming: .snakeCase, typeName: "source_mandate_notification")
struct SourceMandateNotification: StripeObject {
    var amount: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var id: String
    var livemode: Bool
    var reason: String
    var sepaDebit: SourceMandateNotificationSepaDebit
    var source: any PaymentSource
    var status: String
    var type: String
}

@Model(naming: .snakeCase)
struct SourceMandateNotificationSepaDebit {
    var creditorIdentifier: String
    var last4: String
    var mandateReference: String
}

@Model(naming: .snakeCase, typeName: "source_transaction")
struct SourceTransaction: StripeObject {
    var achCreditTransfer: ModelDocument
    var amount: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var currency: String
    var id: String
    var livemode: Bool
    var source: Expandable
    var status: String
    var type: String
}

@Model(naming: .snakeCase, typeName: "token")
struct Token: StripeObject {
    var card: any PaymentSource
    var clientIp: String?
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var id: String
    var livemode: Bool
    var type: String
    var used: Bool
}
