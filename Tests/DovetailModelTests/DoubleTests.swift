import Dovetail
import DovetailTesting
import Testing

/// Floating point numbers come back bit by bit.
struct DoubleTests {
    static let values: [Double] = [
        0, 1, 0.1, 0.3, 1.0 / 3, 2.0 / 3, 1e21, 1e22, 1e23, 1e-7, 1e15, 1e16, 123456789.123456789,
        Double.leastNonzeroMagnitude, Double.leastNormalMagnitude.nextDown, 2.2250738585072014e-308,
        1.7976931348623157e308,
        1.7976931348623155e308, 9007199254740991, 9007199254740992, 9007199254740994,
        4503599627370495.5, 999999999.9999999, 1e9 - 0.000001, 0.000001, 0.0000005,
        72057594037927952, 8.41e21, 2.0e-3, 17.000000000000004, 0.30000000000000004,
        9.5367431640625e-07, 179.99999999999997, 1.2345678901234567, 100000000.00000001,
    ]

    @Test(arguments: values)
    func `round trip`(value: Double) throws {
        for signed in [value, -value] {
            let back = try Double(json: signed.json())
            #expect(back.bitPattern == signed.bitPattern)
            try expectRoundTrip(signed)
        }
    }

    @Test
    func `negative zero`() throws {
        #expect(try (-0.0).json() == "-0")
        #expect(try Double(json: "-0").sign == .minus)
        #expect(try Double(json: "-0.0e5").sign == .minus)
        #expect(try Double(json: "0").sign == .plus)
    }

    /// The same text gives the same bits as the standard library's parser, and we write as few
    /// digits as it does.
    @Test
    func `random bits`() throws {
        var random = SeededRandom()
        let values = (0..<10_000).map { _ in random.finiteDouble() }
        let back = try [Double](json: values.json())
        #expect(back.map(\.bitPattern) == values.map(\.bitPattern), random.comment)
    }

    @Test
    func `random decimals`() throws {
        var random = SeededRandom()
        for _ in 0..<5_000 {
            let digits = Int.random(in: 1...20, using: &random)
            var text = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }
                .joined()
            let point = Int.random(in: 0...digits, using: &random)
            text.insert(".", at: text.index(text.startIndex, offsetBy: point))
            if text.hasSuffix(".") { text += "0" }
            text = String(text.drop { $0 == "0" })
            if text.hasPrefix(".") { text = "0" + text }
            if Bool.random(using: &random) {
                text += "e\(Int.random(in: -30...30, using: &random))"
            }
            let expected = try #require(Double(text))
            let found = try Double(json: text)
            #expect(found.bitPattern == expected.bitPattern, "\(text) \(random.comment)")
            #expect(try Double(json: found.json()).bitPattern == expected.bitPattern)
        }
    }

    /// Exactly between two doubles, and just beside the middle: the even one wins, or the nearer.
    @Test(arguments: [
        "9007199254740993", "9007199254740995", "4503599627370496.5", "4503599627370497.5",
        "4503599627370496.501", "4503599627370496.499", "9007199254740993.000",
        "9007199254740993.001",
        "1125899906842624.125", "1125899906842624.375", "9223372036854775807.5e0",
        "9999999999999999999",
        "0.9999999999999999999", "9.999999999999999999e27", "1000000000000000.0625e-27",
        "7205759403792793.5e1", "18014398509481985", "18014398509481987e0",
        "0.1111111111111111111e-8",
        "8.5e22", "8.5e23", "1e23", "9e-27", "9e-28", "9007199254740993e27", "9007199254740993e-27",
    ])
    func `doubles are rounded to the nearest`(text: String) throws {
        let expected = try #require(Double(text))
        #expect(try Double(json: text).bitPattern == expected.bitPattern)
        #expect(try Double(json: "-" + text).bitPattern == (-expected).bitPattern)
    }

    @Test(
        arguments: [
            (1.0, "1"), (-1.5, "-1.5"), (0.25, "0.25"), (100, "100"), (0.1, "0.1"),
            (0.30000000000000004, "0.30000000000000004"), (1e300, "1e+300"), (123.456, "123.456"),
            (0.000001, "0.000001"), (1e9, "1000000000"), (-0.5, "-0.5"), (10.01, "10.01"),
        ]
    )
    func `text is short`(value: Double, text: String) throws {
        #expect(try value.json() == text)
    }

    @Test(arguments: ["1e309", "-1e309", "1.7976931348623159e308", "1e999999999"])
    func `too large`(text: String) throws {
        let error = try decodingError(of: Box<Double>.self, "{\"value\": \(text)}")
        #expect(error.kind == .numberOutOfRange)
        #expect(error.description == "value: expected Double, found \(text) (line 1, column 11)")
    }

    @Test(arguments: ["1e-400", "0e-999999999", "0.0e99999999", "2e-324"])
    func `too small is zero`(text: String) throws {
        #expect(try Double(json: text) == 0)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func `no form in JSON`(value: Double) throws {
        let error = try #require(throws: ModelEncodingError.self) { try Box(value: value).json() }
        #expect(error.kind == .notRepresentable)
    }
}
