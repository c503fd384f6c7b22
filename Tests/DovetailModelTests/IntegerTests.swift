import Dovetail
import DovetailTesting
import Testing

/// Whole numbers of every width, their limits, and what does not fit.
struct IntegerTests {
    private func checkLimits<Integer: FixedWidthInteger & ModelValue>(
        of type: Integer.Type
    ) throws {
        for value in [Integer.min, .min + 1, 0, 1, 9, 10, 99, 100, .max / 10, .max - 1, .max] {
            try expectRoundTrip(value)
            #expect(try value.json() == value.description)
        }
        let above = (Int128(Integer.max) + 1).description
        let below = (Int128(Integer.min) - 1).description
        for text in [above, below, above + "0", "1e20", "-1e20", "1e400", "1.5", "1e-1"] {
            let error = try decodingError(of: Box<Integer>.self, "{\"value\":\(text)}")
            #expect(error.kind == .numberOutOfRange)
            #expect(error.path == "value")
            #expect(error.expected == "\(Integer.self)")
            #expect(error.found == text)
            #expect(error.column == 10)
        }
    }

    @Test
    func `integers at the limits of their types`() throws {
        try checkLimits(of: Int.self)
        try checkLimits(of: Int8.self)
        try checkLimits(of: Int16.self)
        try checkLimits(of: Int32.self)
        try checkLimits(of: Int64.self)
        try checkLimits(of: UInt.self)
        try checkLimits(of: UInt8.self)
        try checkLimits(of: UInt16.self)
        try checkLimits(of: UInt32.self)
        try checkLimits(of: UInt64.self)
    }

    @Test
    func `every byte`() throws {
        let signed = Array(Int8.min...Int8.max)
        #expect(try [Int8](json: signed.json()) == signed)
        let unsigned = Array(UInt8.min...UInt8.max)
        #expect(try [UInt8](json: unsigned.json()) == unsigned)
    }

    static let zeros = String(repeating: "0", count: 100)

    static let spellings: [(String, Int64)] = [
        ("-0", 0), ("0.0", 0), ("-0.000e5", 0), ("0e999999999", 0), ("2.0", 2), ("2e1", 20),
        ("2E+1", 20), ("20e-1", 2), ("2.50e1", 25), ("-1.20e1", -12), ("1234.5e1", 12345),
        ("9223372036854775807.0", Int64.max), ("-9223372036854775808", Int64.min),
        ("9.223372036854775807e18", Int64.max), ("0.0000000001e10", 1),
        ("1\(zeros)e-100", 1), ("1.\(zeros)", 1), ("0.\(zeros)7e101", 7),
    ]

    /// As for `JSONDecoder`, a number is whole by its value and not by how it is written.
    @Test(arguments: spellings)
    func `is whole by its value`(text: String, value: Int64) throws {
        #expect(try Int64(json: text) == value)
        #expect(try Box<Int64>(json: "{ \"value\" : \(text) }").value == value)
    }

    @Test(
        arguments: [
            "1.\(zeros)1", "123456789e-8", "1e-999999999",
            "9\(zeros)", "1e999999999", "18446744073709551616",
            "99999999999999999999", "340282366920938463463374607431768211456",
        ]
    )
    func `neither whole nor small`(text: String) throws {
        #expect(try decodingError(of: UInt64.self, text).kind == .numberOutOfRange)
    }

    @Test
    func `random bits`() throws {
        var random = SeededRandom()
        let values = (0..<2_000).map { _ in Int64(truncatingIfNeeded: random.next()) }
            .map { $0 >> Int64.random(in: 0..<64, using: &random) }
        #expect(try [Int64](json: values.json()) == values, random.comment)
        let unsigned = values.map { UInt64(bitPattern: $0) }
        #expect(try [UInt64](json: unsigned.json()) == unsigned, random.comment)
    }
}
