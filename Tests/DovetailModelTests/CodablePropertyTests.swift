import Dovetail
import Testing

private struct Money: Codable, Equatable {
    enum Currency: String, Codable { case euro, franc }
    struct Parts: Codable, Equatable { var whole: UInt8 }

    var currency: Currency
    var parts: [Parts]
    var paid: Date?
    var rates: [String: Double] = [:]
}

/// Throws errors of its own.
private struct Stubborn: Codable, Equatable {
    struct Refusal: Error {}
    init() {}
    init(from decoder: any Decoder) throws { throw Refusal() }
    func encode(to encoder: any Encoder) throws { throw Refusal() }
}

@Model
private struct Holder: Equatable {
    var stubborn: Stubborn
}

/// Refuses everything that is negative.
private struct Positive: Codable, Equatable {
    let value: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value = try container.decode(Int.self)
        guard value >= 0 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "below zero")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

@Model
private struct Invoice: Equatable {
    var total: Money
    var positions: [Money] = []
    var byName: [String: Money]? = nil
    var count: Positive? = nil
}

/// Plain `Codable` types as properties, and the paths of their errors.
struct CodablePropertyTests {
    @Test
    func `round trip`() throws {
        let money = Money(
            currency: .euro,
            parts: [.init(whole: 255)],
            paid: Date(timeIntervalSinceReferenceDate: 730_981_230.123456),
            rates: ["a/b": 0.1]
        )
        var invoice = try Invoice(
            json: #"{"total":{"currency":"franc","parts":[],"rates":{}}, "count": 7 }"#
        )
        #expect(invoice.total == Money(currency: .franc, parts: []))
        #expect(invoice.count?.value == 7)
        invoice.total = money
        invoice.positions = [money, Money(currency: .franc, parts: [])]
        invoice.byName = ["x": money]
        let json = try invoice.json()
        #expect(json.contains("\"2024-03-01T10:20:30.123456"))
        #expect(json.contains("\"a/b\":0.1"))
        #expect(try Invoice(json: json) == invoice)
    }

    @Test
    func `equal values give equal documents`() throws {
        let rates = Dictionary(uniqueKeysWithValues: (0..<40).map { ("n\($0)", 1.0) })
        let money = Money(currency: .euro, parts: [], rates: rates)
        let documents = try (0..<20).map { _ in try Invoice(total: money).json() }
        #expect(Set(documents).count == 1)
    }

    static let failures: [(String, ModelDecodingError.Kind, String)] = [
        (#"{"total":5}"#, .typeMismatch, "total"),
        (#"{"total":{"parts":[],"rates":{}}}"#, .missingField, "total.currency"),
        (#"{"total":{"currency":"yen","parts":[],"rates":{}}}"#, .rejected, "total.currency"),
        (
            #"{"total":{"currency":"euro","parts":[{"whole":1},{"whole":"x"}],"rates":{}}}"#,
            .typeMismatch, "total.parts[1].whole"
        ),
        (
            #"{"total":{"currency":"euro","parts":[],"rates":{"a.b":true}}}"#, .typeMismatch,
            #"total.rates["a.b"]"#
        ),
        (
            #"{"total":{"currency":"euro","parts":[],"rates":{},"paid":"today"}}"#, .rejected,
            "total.paid"
        ),
        (
            #"{"positions":[{"currency":"euro","parts":[null],"rates":{}}]}"#, .typeMismatch,
            "positions[0].parts[0]"
        ),
        (#"{"count":-1}"#, .rejected, "count"),
        (#"{"total":null}"#, .typeMismatch, "total"),
    ]

    @Test(arguments: failures)
    func `path inside of the value`(
        json: String,
        kind: ModelDecodingError.Kind,
        path: String
    ) throws {
        let error = try decodingError(of: [Invoice].self, "[\(json)]")
        #expect(error.kind == kind)
        #expect(error.path == "[0]." + path)
        #expect(error.line == 1)
    }

    @Test(arguments: ["{", "{\"currency\":}", "[1,]", "tru", "\"\\x\""])
    func `broken documents stay broken`(json: String) throws {
        let error = try decodingError(of: Invoice.self, "{\"total\":\(json)")
        #expect([.invalidSyntax, .unexpectedEnd].contains(error.kind))
    }

    @Test
    func `errors of the type itself`() throws {
        let decoding = try decodingError(of: [Holder].self, #"[{"stubborn":{}}]"#)
        #expect(decoding.kind == .rejected)
        #expect(decoding.path == "[0].stubborn")
        #expect(decoding.expected == "Stubborn")
        let encoding = try #require(throws: ModelEncodingError.self) {
            try Holder(stubborn: Stubborn()).json()
        }
        #expect(encoding.kind == .rejected)
    }

    @Test
    func `a repeated field is refused`() throws {
        let error = try decodingError(of: Invoice.self, #"{"count":1,"count":2}"#)
        #expect(error.kind == .repeatedField)
    }
}
