import Dovetail
import DovetailTesting
import Testing

/// Numbers keep their text and are compared by value.
struct DocumentNumberTests {
    @Test(arguments: [
        "0", "-0", "-0.0", "1", "1.0", "1e0", "1E+2", "1e400", "-1e-400", "0.10",
        "123456789012345678901234567890", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "18446744073709551615", "0.1000000000000000055511151231257827",
        "1e99999999999999999999999999", "3.141592653589793", "12e-1",
    ])
    func `keeps its text`(text: String) throws {
        let document = try ModelDocument(json: text)
        #expect(document.numberText == text)
        let root = try document.json()
        #expect(root == text)
        let list = try ModelDocument(json: "[\(text)]").json()
        #expect(list == "[\(text)]")
    }

    @Test(arguments: [
        ["1", "1.0", "1e0", "10e-1", "0.1E1", "1.000000000000000000000000000"],
        ["0", "-0", "0.0", "-0.0", "0e5", "0e99999999999999999999"],
        ["120", "12e1", "1.2e2", "1200e-1", "120.0"],
        ["-5", "-5.0", "-50e-1"],
        ["9223372036854775807", "9223372036854775807.0", "922337203685477580.7e1"],
        ["123456789012345678901234567890", "12345678901234567890123456789e1"],
        ["1e400", "10e399", "1E+400"],
        ["1e99999999999999999999", "1e+099999999999999999999"],
        ["0.1", "1e-1", "0.10"],
    ])
    func `equal values`(texts: [String]) throws {
        let documents = try texts.map { try ModelDocument(json: $0) }
        for document in documents {
            #expect(document == documents[0])
            #expect(document.hashValue == documents[0].hashValue)
            #expect(document.intValue == documents[0].intValue)
            #expect(document.doubleValue == documents[0].doubleValue)
            #expect(document.decimalValue == documents[0].decimalValue)
        }
    }

    @Test
    func `different values`() throws {
        let texts = [
            "0", "1", "-1", "10", "0.1", "1e400", "1e401", "-1e400", "1e-400",
            "123456789012345678901234567890", "123456789012345678901234567891",
            "1234567890123456789", "12345678901234567890", "1e99999999999999999999",
            "1e-99999999999999999999",
        ]
        let documents = try texts.map { try ModelDocument(json: $0) }
        for (index, document) in documents.enumerated() {
            for other in documents[..<index] { #expect(document != other) }
        }
        #expect(Set(documents).count == texts.count)
    }

    @Test
    func `of every Swift type`() {
        #expect(ModelDocument.integer(5) == .double(5))
        #expect(ModelDocument.integer(UInt64.max).numberText == "18446744073709551615")
        #expect(ModelDocument.decimal(Decimal(string: "0.1")!) == .double(0.1))
        #expect(ModelDocument.double(1e16) == .integer(10_000_000_000_000_000))
        #expect(ModelDocument.double(.nan) == .double(.nan))
        #expect(ModelDocument.double(.nan) == .decimal(.nan))
        #expect(ModelDocument.double(.infinity) != .double(-.infinity))
        #expect(ModelDocument.double(.infinity) != .double(.nan))
        #expect(ModelDocument.double(2).kind == .double)
        #expect(ModelDocument.decimal(2).kind == .decimal)
        #expect(ModelDocument.integer(Int.min).intValue == .min)
    }

    @Test
    func `accessors give the number of a kind or nil`() throws {
        let cases: [(String, ModelDocument.Kind, Int?, Double?, Decimal?)] = [
            ("12", .integer, 12, 12, 12),
            ("2.0", .double, 2, 2, 2),
            ("2.5", .double, nil, 2.5, 2.5),
            ("1e400", .double, nil, nil, nil),
            ("1e18", .double, 1_000_000_000_000_000_000, 1e18, Decimal(string: "1e18")),
            ("1e19", .double, nil, 1e19, Decimal(string: "1e19")),
            ("-9223372036854775808.0", .double, .min, -0x1p63, Decimal(Int64.min)),
            ("9223372036854775808", .integer, nil, 0x1p63, Decimal(UInt64(1) << 63)),
            ("-0", .integer, 0, 0, 0),
        ]
        for (text, kind, int, double, decimal) in cases {
            let document = try ModelDocument(json: text)
            #expect(document.kind == kind, "\(text)")
            #expect(document.intValue == int, "\(text)")
            #expect(document.doubleValue == double, "\(text)")
            #expect(document.decimalValue == decimal, "\(text)")
            #expect(document.stringValue == nil)
        }
        #expect(try ModelDocument(json: "-0").doubleValue?.sign == .minus)
    }

    @Test
    func `NaN and infinities are not written`() {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(throws: ModelEncodingError.self) { try ModelDocument.double(value).json() }
            #expect(ModelDocument.double(value).description.hasPrefix("<double: JSON has no form"))
        }
    }

    @Test
    func `random numbers read as they are written`() throws {
        var random = SeededRandom()
        for _ in 0..<2_000 {
            let value = random.finiteDouble()
            let made = ModelDocument.double(value)
            let read = try ModelDocument(json: made.json())
            #expect(read == made, random.comment)
            #expect(read.hashValue == made.hashValue, random.comment)
            #expect(read.doubleValue == value, random.comment)
            let whole = Int64(bitPattern: random.next())
            #expect(try ModelDocument(json: "\(whole)") == .integer(whole), random.comment)
            #expect(try ModelDocument(json: "\(whole)00e-2") == .integer(whole), random.comment)
            #expect(try ModelDocument(json: "\(whole)00e-2").intValue == Int(whole))
        }
    }
}
