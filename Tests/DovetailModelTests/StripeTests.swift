import Dovetail
import Testing

/// Stripe tells its resources apart by `object`. A deleted one has the same name and little else.
@ModelProtocol(typeKey: "object")
private protocol StripeObject {
    var id: String? { get }
}

/// What can be paid with; a refined protocol has the same key.
@ModelProtocol
private protocol PaymentSource: StripeObject {}

@Model(naming: .snakeCase, typeName: "card")
private struct Card: PaymentSource {
    var id: String?
    var brand: String?
    var expMonth: Int?
    var expYear: Int?
    var last4: String?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "bank_account")
private struct BankAccount: PaymentSource {
    var id: String?
    var bankName: String?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "customer")
private struct Customer: StripeObject {
    var id: String?
    var balance: Int?
    var created: Int?
    var currency: String?
    var discount: (any StripeObject)?
    var invoicePrefix: String?
    var metadata: [String: String]?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "discount")
private struct Discount: StripeObject {
    var id: String?
    /// A property named like the key.
    var object = "discount"
    var start: Int?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "charge")
private struct Charge: StripeObject {
    var id: String?
    var amount: Int
    var captured: Bool
    var created: Int
    var currency: String
    var description: String?
    var metadata: [String: String]
    var paid: Bool
}

@Model(naming: .snakeCase, typeName: "account")
private struct StripeAccount: StripeObject {
    var id: String?
    var country: String?
    var email: String?
    var capabilities: [String: String]?
    var externalAccounts: (any StripeObject)?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "balance_transaction")
private struct BalanceTransaction: StripeObject {
    var id: String?
    var amount: Int
    var net: Int
    var fee: Int
    var type: String
}

@Model(naming: .snakeCase, typeName: "coupon")
private struct Coupon: StripeObject {
    var id: String?
    var percentOff: Double?
    var duration: String?
    var valid: Bool?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "dispute")
private struct Dispute: StripeObject {
    var id: String?
    var amount: Int
    var reason: String
    var status: String
}

@Model(naming: .snakeCase, typeName: "file_link")
private struct FileLink: StripeObject {
    var id: String?
    var created: Int
    var expired: Bool
    var url: String?
}

@Model(naming: .snakeCase, typeName: "file")
private struct StripeFile: StripeObject {
    var id: String?
    var created: Int
    var purpose: String
    var links: (any StripeObject)?
}

@Model(naming: .snakeCase, typeName: "plan")
private struct Plan: StripeObject {
    var id: String?
    var amount: Int?
    var interval: String?
    var active: Bool?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "price")
private struct Price: StripeObject {
    var id: String?
    var currency: String?
    var unitAmount: Int?
    var recurring: [String: AnyJSON]?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "product")
private struct Product: StripeObject {
    var id: String?
    var name: String?
    var active: Bool?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "subscription")
private struct Subscription: StripeObject {
    var id: String?
    var currency: String
    var items: any StripeObject
    var status: String
}

@Model(naming: .snakeCase, typeName: "subscription_item")
private struct SubscriptionItem: StripeObject {
    var id: String?
    var price: (any StripeObject)?
    var plan: (any StripeObject)?
    var quantity: Int?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "tax_rate")
private struct TaxRate: StripeObject {
    var id: String?
    var displayName: String
    var percentage: Double
    var inclusive: Bool
}

@Model(naming: .snakeCase, typeName: "token")
private struct Token: StripeObject {
    var id: String?
    var card: (any PaymentSource)?
    var created: Int
    var type: String
    var used: Bool
}

@Model(naming: .snakeCase, typeName: "transfer")
private struct Transfer: StripeObject {
    var id: String?
    var amount: Int
    var reversals: any StripeObject
    var sourceTransaction: String?
}

@Model(naming: .snakeCase, typeName: "payment_intent")
private struct PaymentIntent: StripeObject {
    var id: String?
    var amount: Int
    var status: String
    var paymentMethodTypes: [String]
}

@Model(naming: .snakeCase, typeName: "payment_method")
private struct PaymentMethod: StripeObject {
    var id: String?
    var type: String
    var livemode: Bool
}

@Model(naming: .snakeCase, typeName: "payout")
private struct Payout: StripeObject {
    var id: String?
    var amount: Int
    var arrivalDate: Int
    var status: String
}

@Model(naming: .snakeCase, typeName: "refund")
private struct Refund: StripeObject {
    var id: String?
    var amount: Int
    var currency: String
    var reason: String?
}

@Model(naming: .snakeCase, typeName: "invoice")
private struct Invoice: StripeObject {
    var id: String?
    var currency: String?
    var lines: (any StripeObject)?
    var deleted: Bool?
}

@Model(naming: .snakeCase, typeName: "event")
private struct Event: StripeObject {
    var id: String?
    var apiVersion: String?
    var data: [String: AnyJSON]
    var type: String
}

@Model(naming: .snakeCase, typeName: "list")
private struct List: StripeObject {
    var id: String?
    var data: [any StripeObject]
    var hasMore: Bool
    var url: String
}

/// The fixtures of Stripe's OpenAPI description.
struct StripeTests {
    private static let folder = "polymorphic/stripe"
    private static let documents = SharedCorpora.documents(in: folder)

    @Test(.enabled(if: !documents.isEmpty, "shared/corpora is absent"))
    func everyDeclaredResource() throws {
        let data = try SharedCorpora.contents(of: "fixtures3.json", in: Self.folder)
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let resources = try #require(root["resources"] as? [String: [String: Any]])
        #expect(resources.count == 176)
        let names = Set(StripeObjectModel.conformers.knownNames)
        #expect(names.count == 26)
        var kept = 0
        var tagged = 0
        for (key, resource) in resources {
            let document = try JSONSerialization.data(withJSONObject: resource)
            let name = try #require(resource["object"] as? String, "\(key)")
            guard names.contains(name) else {
                let error = try #require(throws: ModelDecodingError.self) {
                    try StripeObjectModel.decode(document, as: .json)
                }
                #expect(error.reason == .unknownType, "\(key)")
                continue
            }
            do {
                let object = try StripeObjectModel.decode(document, as: .json)
                #expect(StripeObjectModel.typeName(of: object) == name, "\(key)")
                let written = try object.encoded(as: .json)
                tagged += try expectPart(
                    JSONSerialization.jsonObject(with: written),
                    of: resource,
                    key,
                    typeKey: "object"
                )
                let again = try StripeObjectModel.decode(written, as: .json)
                #expect(try again.encoded(as: .json) == written, "\(key)")
                kept += 1
            } catch let error as ModelDecodingError {
                // A list of a type that is not declared here.
                #expect(error.reason == .unknownType, "\(key): \(error)")
                #expect(!error.path.isEmpty, "\(key)")
            }
        }
        #expect(kept == 39)
        #expect(tagged == 58)
    }
}
