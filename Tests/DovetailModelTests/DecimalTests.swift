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

    /// What is read digit by digit is what Foundation makes of the text, unless that loses a digit.
    @Test
    func `random texts are what Foundation reads`() throws {
        var random = SeededRandom()
        func digits(_ most: Int) -> String {
            let count = Int.random(in: 1...most, using: &random)
            let isRound = Int.random(in: 0..<4, using: &random) == 0
            return (0..<count).map { place in
                isRound && place > 2 ? "0" : "\(Int.random(in: 0...9, using: &random))"
            }
            .joined()
        }
        func significant(_ text: String) -> String {
            var digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
            while digits.last == "0" { digits.removeLast() }
            return String(digits)
        }
        for _ in 0..<5_000 {
            var whole = String(digits(22).drop { $0 == "0" })
            if whole.isEmpty { whole = "0" }
            var text = (Bool.random(using: &random) ? "-" : "") + whole
            if Bool.random(using: &random) { text += "." + digits(24) }
            if Int.random(in: 0..<4, using: &random) == 0 {
                text += "e\(Int.random(in: -90...90, using: &random))"
            }
            let expected = try #require(Decimal(string: text), "\(text)")
            if significant(expected.description) == significant(text) {
                let value = try Decimal(json: text)
                #expect(value == expected, "\(text) \(random.comment)")
                #expect(value.description == expected.description, "\(text)")
                #expect(value.hashValue == expected.hashValue && value.isFinite, "\(text)")
            } else {
                let error = try decodingError(of: Decimal.self, text)
                #expect(error.kind == .numberOutOfRange, "\(text) \(random.comment)")
            }
        }
    }
}
