import Dovetail
import DovetailTesting
import Testing

/// Single precision: what is written reads back as the same bits, and is rounded once.
struct FloatTests {
    static let values: [Float] = [
        0, 1, 0.1, 3.4028235e38, 1.1754944e-38, Float.leastNonzeroMagnitude, 16777216, 16777215,
        0.3, 1.0 / 3,
        Float.leastNormalMagnitude.nextDown, 2.5, 1e10, 8388609.5,
    ]

    @Test(arguments: values)
    func `round trip`(value: Float) throws {
        for signed in [value, -value] {
            #expect(try Float(json: signed.json()).bitPattern == signed.bitPattern)
            try expectRoundTrip(signed)
        }
    }

    @Test
    func `short text`() throws {
        #expect(try (0.1 as Float).json() == "0.1")
        #expect(try (16777216 as Float).json() == "16777216")
    }

    @Test
    func `random bits`() throws {
        var random = SeededRandom()
        let values = (0..<10_000).map { _ in Float(bitPattern: UInt32(random.next() >> 32)) }
            .filter(\.isFinite)
        let back = try [Float](json: values.json())
        #expect(back.map(\.bitPattern) == values.map(\.bitPattern), random.comment)
    }

    /// Texts whose double is exactly the middle between two floats, on one side of it or on it.
    @Test(arguments: [
        "16777217", "16777217.000000001", "16777216.999999999", "-16777219.0000000000001",
        "1.00000005960464477539062500001", "1.0000000596046447753906249999",
        "3.4028235677973366163e38", "7.006492321624085354618e-46", "7.0064923216240853547e-46",
        "-2.1019476964872256063e-45",
    ])
    func `is rounded once`(text: String) throws {
        let expected = try #require(Float(text))
        #expect(try Float(json: text).bitPattern == expected.bitPattern)
    }

    private func xml(_ element: String) -> Data {
        Data("<plist><array>\(element)</array></plist>".utf8)
    }

    /// The same in property lists, and in a document that was migrated.
    @Test(arguments: [
        "16777217", "16777217.000000001", "16777216.999999999", "-16777219.0000000000001",
        "1.00000005960464477539062500001", "1.0000000596046447753906249999",
        "3.4028235677973366163e38", "7.0064923216240853547e-46", "9007199791611905",
        "+16777217.000000001",
    ])
    func `is rounded once in property lists`(text: String) throws {
        let expected = try #require(Float(text))
        let real = try [Float](decoding: xml("<real>\(text)</real>"), as: .plist)
        #expect(real.map(\.bitPattern) == [expected.bitPattern])
        if let number = Int(text) {
            let whole = try [Float](decoding: xml("<integer>\(number)</integer>"), as: .plist)
            #expect(whole.map(\.bitPattern) == [expected.bitPattern])
        }
        let own = ModelFormat(
            name: "own",
            decode: { try ModelDocument(decoding: $0, as: .json) },
            encode: { try $0.encoded(as: .json) }
        )
        let plain = text.hasPrefix("+") ? String(text.dropFirst()) : text
        let carried = try [Float](decoding: Data("[\(plain)]".utf8), as: own)
        #expect(carried.map(\.bitPattern) == [expected.bitPattern])
    }

    @Test
    func `is the nearest float in property lists`() throws {
        var random = SeededRandom()
        for _ in 0..<1_000 {
            let float = Float(random.next() >> 40 | 1 << 23) / Float(1 << (random.next() % 20))
            // The middle to the next float, and texts beside it that no double tells apart.
            let middle = (Double(float) + Double(float.nextUp)) / 2
            let exact = try #require(Decimal(string: String(format: "%.24f", middle)))
            let step = Decimal(sign: .plus, exponent: -28, significand: 1)
            for number in [exact, exact + step, exact - step] {
                let text = number.description
                let expected = try #require(Float(text))
                let read = try [Float](decoding: xml("<real>\(text)</real>"), as: .plist)
                #expect(read == [expected], random.comment)
            }
        }
    }

    @Test(arguments: ["1e39", "-1e39", "3.5e38", "1e300"])
    func `too large`(text: String) throws {
        let error = try decodingError(of: Box<Float>.self, "{\"value\": \(text)}")
        #expect(error.kind == .numberOutOfRange)
        #expect(error.description == "value: expected Float, found \(text) (line 1, column 11)")
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity])
    func `no form in JSON`(value: Float) throws {
        let error = try #require(throws: ModelEncodingError.self) { try value.json() }
        #expect(error.kind == .notRepresentable)
    }

    @Test func `a document in memory has the number that its text in JSON means`() throws {
        var random = SeededRandom()
        var values: [Float] = [0.1, 0.3, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
        for _ in 0..<1_000 {
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            if value.isFinite { values.append(value) }
        }
        for value in values {
            let box = Box(value: value)
            let document = try ModelDocument(box)
            let text = try box.encoded(as: .json)
            #expect(try document == ModelDocument(decoding: text, as: .json), random.comment)
            #expect(try document.encoded(as: .json) == text, random.comment)
            #expect(try Box<Float>(document) == box, random.comment)
        }
    }
}
