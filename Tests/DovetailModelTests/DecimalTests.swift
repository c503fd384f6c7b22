import Dovetail
import DovetailTesting
import Testing

/// Decimal numbers keep their digits.
struct DecimalTests {
    @Test(
        arguments: [
            "0", "1", "-1", "0.1", "12345678901234567890123456789012345678",
            "-12345678901234567890123456789012345678", "99999999999999999999999999999999999999",
            "0.12345678901234567890123456789012345678", "1234567890.0123456789012345678901234567",
            "0.00000000000000000000000000000000000001", "79.99", "1000000", "0.5",
            "18446744073709551616",
            "340282366920938463463374607431768211455", "100000000000000000000000000000000000001",
        ]
    )
    func `every digit`(text: String) throws {
        let value = try Decimal(json: text)
        #expect(value == Decimal(string: text))
        #expect(value.description == text)
        #expect(try value.json() == text)
        try expectRoundTrip(value)
    }

    static let spellings: [(String, String?)] = [
        ("1e2", "100"), ("1.50", "1.5"), ("-0", "0"), ("0.000e9", "0"), ("12E-1", "1.2"),
        ("1e-5", "0.00001"), ("000", nil), ("1.", nil), ("+1", nil), ("\"1\"", nil),
        (String(repeating: "9", count: 39), nil), ("1e200", nil), ("1e999999999", nil),
        ("1e-999999999", nil), ("123e-130", nil), ("1e-127", "1e-127"),
    ]

    @Test(arguments: spellings)
    func `is read by its value`(text: String, value: String?) throws {
        guard let value else {
            _ = try decodingError(of: Decimal.self, text)
            return
        }
        #expect(try Decimal(json: text) == Decimal(string: value))
    }

    @Test(arguments: [String(repeating: "9", count: 39), "1e200", "1e-200", "0.1e-999999999"])
    func `does not fit`(text: String) throws {
        let error = try decodingError(of: Box<Decimal>.self, "{\"value\":\(text)}")
        #expect(error.kind == .numberOutOfRange)
        #expect(error.path == "value")
        #expect(error.expected == "Decimal")
    }

    @Test
    func `decimals up to the limits of the type`() throws {
        for value in [Decimal.greatestFiniteMagnitude, .leastFiniteMagnitude] {
            #expect(try Decimal(json: value.json()) == value)
        }
        #expect(try Decimal(json: "1e-128") == Decimal(sign: .plus, exponent: -128, significand: 1))
    }

    @Test
    func `not a number`() throws {
        let error = try #require(throws: ModelEncodingError.self) { try Decimal.nan.json() }
        #expect(error.kind == .notRepresentable)
    }

    @Test
    func `random digits`() throws {
        var random = SeededRandom()
        for _ in 0..<1_000 {
            var value = Decimal(Int64(truncatingIfNeeded: random.next()))
            value *= Decimal(Int64(truncatingIfNeeded: random.next() >> 4))
            value = Decimal(
                sign: value.sign,
                exponent: Int.random(in: -60...60, using: &random),
                significand: value.magnitude
            )
            #expect(try Decimal(json: value.json()) == value, "\(value) \(random.comment)")
        }
    }
}
