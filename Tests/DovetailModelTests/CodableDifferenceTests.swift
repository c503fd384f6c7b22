import Dovetail
import DovetailTesting
import Foundation
import Testing

/// Plain `Codable` types are what Foundation's coders make of them, in any shape that these write.
@Suite struct CodableDifferenceTests {
    enum Color: String, Codable { case red, green }

    indirect enum Shape: Codable, Equatable {
        case dot
        case circle(Double)
        case rectangle(width: Int, height: Int?)
        case several([Shape])
    }

    struct Point: Codable, Equatable {
        var x: Double
        var y: Float
    }

    struct Everything: Codable, Equatable {
        var small: Int8
        var large: UInt64
        var huge: Int128?
        var double: Double
        var flag: Bool
        var text: String
        var note: String?
        var point: Point?
        var points: [Point]
        var counts: [String: Int]
        var names: [Int: String]
        var byColor: [Color.RawValue: [Double]]
        var date: Date
        var dates: [Date]?
        var data: Data
        var url: URL
        var price: Decimal
        var shape: Shape
        var color: Color
        var gaps: [Int?]
        var children: [Everything]
        var one: Set<Int>
        var id: UUID
        var nested: [[String: [Int]]]
    }

    @Model struct Holder: Equatable { var value: Everything }

    private struct PlainHolder: Codable { var value: Everything }

    private struct Source {
        var random: SeededRandom
        /// Whether it leaves out what a property list has no form for.
        let isPropertyList: Bool

        mutating func text() -> String {
            let controls = isPropertyList ? [] : ["\u{1}", "z\u{0}"]
            let texts =
                controls + [
                    "", "a", "é", "\"q\\", "\n\t", "😀", "a longer text with / in it", "\u{2028}",
                ]
            return random.pick(texts) + (random.isOne(in: 3) ? random.pick(texts) : "")
        }

        mutating func double() -> Double {
            let doubles: [Double] = [
                0, -0.0, 1, 1.5, 1e20, 1e-7, 123_456_789.125, .leastNonzeroMagnitude,
                .greatestFiniteMagnitude, 0.1, 1e15, 1e16, 9_007_199_254_740_992,
            ]
            return random.isOne(in: 2)
                ? random.pick(doubles) : Double(random.below(2_000_001) - 1_000_000) / 7
        }

        mutating func point() -> Point {
            Point(x: double(), y: random.isOne(in: 2) ? 0.1 : Float(random.below(100)))
        }

        mutating func shape(_ depth: Int = 0) -> Shape {
            switch random.below(depth > 2 ? 3 : 4) {
            case 0: .dot
            case 1: .circle(double())
            case 2: .rectangle(width: random.below(9), height: random.pick([nil, 3]))
            default: .several((0..<random.below(3)).map { _ in shape(depth + 1) })
            }
        }

        mutating func everything(_ depth: Int = 0) -> Everything {
            Everything(
                small: Int8(random.below(256) - 128),
                large: isPropertyList ? 7 : random.pick([7, UInt64.max]),
                huge: isPropertyList ? nil : random.pick([nil, Int128(1) << 100]),
                double: double(),
                flag: random.isOne(in: 2),
                text: text(),
                note: random.isOne(in: 2) ? nil : text(),
                point: random.isOne(in: 2) ? nil : point(),
                points: (0..<random.below(3)).map { _ in point() },
                counts: Dictionary(
                    (0..<random.below(20)).map { _ in ("\(text())\(random.below(30))", 1) },
                    uniquingKeysWith: { first, _ in first }
                ),
                names: Dictionary(
                    (0..<random.below(5)).map { _ in (random.below(100), text()) },
                    uniquingKeysWith: { first, _ in first }
                ),
                byColor: ["red": [double()]],
                date: Date(timeIntervalSinceReferenceDate: Double(random.below(1_000_000_000))),
                dates: random.pick([nil, [Date(timeIntervalSinceReferenceDate: 5)]]),
                data: Data((0..<random.below(5)).map { _ in UInt8(random.below(256)) }),
                url: URL(string: "https://a.example/c?d=\(random.below(9))#é")
                    ?? URL(fileURLWithPath: "/"),
                price: Decimal(random.below(1000)) / 7,
                shape: shape(),
                color: random.pick([.red, .green]),
                gaps: [1, nil, 3],
                children: depth > 1
                    ? [] : (0..<random.below(3)).map { _ in everything(depth + 1) },
                one: [random.below(9)],
                id: UUID(),
                nested: [["k": [1, 2]], [:]]
            )
        }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    @Test func `JSON is the same byte by byte`() throws {
        var source = Source(random: SeededRandom(), isPropertyList: false)
        let seed = source.random.seed
        for round in 0..<60 {
            let value = source.everything()
            let theirs = try Self.encoder.encode(PlainHolder(value: value))
            let ours = try Holder(value: value).encoded(as: .json)
            #expect(ours == theirs, "seed \(seed), round \(round)")
            let read = try Holder(decoding: theirs, as: .json)
            let expected = try Self.decoder.decode(PlainHolder.self, from: theirs)
            #expect(read.value == expected.value, "seed \(seed), round \(round)")
            #expect(try Holder(ModelDocument(Holder(value: value))) == read)
        }
    }

    @Test(arguments: [ModelFormat.plist, .binaryPlist])
    func `property lists are read by both`(_ format: ModelFormat) throws {
        var source = Source(random: SeededRandom(), isPropertyList: true)
        let seed = source.random.seed
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .plist ? .xml : .binary
        for round in 0..<60 {
            let value = source.everything()
            let theirs = try encoder.encode(PlainHolder(value: value))
            let ours = try Holder(value: value).encoded(as: format)
            #expect(
                try ModelDocument(decoding: ours, as: format)
                    == ModelDocument(decoding: theirs, as: format),
                "seed \(seed), round \(round)"
            )
            #expect(try Holder(decoding: theirs, as: format).value == value, "seed \(seed)")
            let back = try PropertyListDecoder().decode(PlainHolder.self, from: ours)
            #expect(back.value == value, "seed \(seed), round \(round)")
        }
    }

    /// A class with a superclass, containers that it asks for twice, and others inside of these.
    class Base: Codable {
        var number: Int
        init(_ number: Int) { self.number = number }
    }

    final class Derived: Base {
        enum CodingKeys: String, CodingKey { case list, nested, mixed }

        var list: [Int]

        init(_ number: Int, _ list: [Int]) {
            self.list = list
            super.init(number)
        }

        required init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            list = try fields.decode([Int].self, forKey: .list)
            var mixed = try fields.nestedUnkeyedContainer(forKey: .mixed)
            #expect(mixed.count == 4)
            #expect(try mixed.decode(Int.self) == 1)
            let inner = try mixed.nestedContainer(keyedBy: CodingKeys.self)
            #expect(try inner.decode(Int.self, forKey: .nested) == 2)
            #expect(try mixed.decodeNil())
            let number = try mixed.superDecoder().singleValueContainer().decode(Int.self)
            #expect(number == 5)
            #expect(mixed.isAtEnd)
            #expect(throws: DecodingError.self) { try mixed.decode(Int.self) }
            let nested = try fields.nestedContainer(keyedBy: CodingKeys.self, forKey: .nested)
            #expect(nested.allKeys == [.list, .mixed])
            #expect(!nested.contains(.nested))
            try super.init(from: fields.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode([Int](), forKey: .list)
            try fields.encode(list, forKey: .list)
            var mixed = fields.nestedUnkeyedContainer(forKey: .mixed)
            try mixed.encode(1)
            var inner = mixed.nestedContainer(keyedBy: CodingKeys.self)
            try inner.encode(2, forKey: .nested)
            try mixed.encodeNil()
            try 5.encode(to: mixed.superEncoder())
            var nested = fields.nestedContainer(keyedBy: CodingKeys.self, forKey: .nested)
            try nested.encode("q", forKey: .mixed)
            var again = fields.nestedContainer(keyedBy: CodingKeys.self, forKey: .nested)
            try again.encode("z", forKey: .list)
            try super.encode(to: fields.superEncoder())
        }
    }

    @Model struct Pair { var derived: Derived }

    @Test func `classes keep what is their superclass's`() throws {
        let derived = Derived(1, [2])
        let text = String(decoding: try Self.encoder.encode(derived), as: UTF8.self)
        let ours = String(decoding: try Pair(derived: derived).encoded(as: .json), as: UTF8.self)
        #expect(ours == "{\"derived\":\(text)}")
        for format in [ModelFormat.json, .plist, .binaryPlist] {
            let data = try Pair(derived: derived).encoded(as: format)
            let read = try Pair(decoding: data, as: format).derived
            #expect(read.number == 1 && read.list == [2])
        }
    }

    /// What both make of a text: the value, or the kind of error and where it is.
    private func outcome<Value: Decodable & Equatable>(
        _ text: String,
        _ type: Value.Type
    ) -> (theirs: String, ours: String) {
        let data = Data("[\(text)]".utf8)
        let theirs: String
        do {
            theirs = "\(try Self.decoder.decode([Value].self, from: data))"
        } catch DecodingError.typeMismatch {
            theirs = "typeMismatch"
        } catch DecodingError.valueNotFound {
            theirs = "typeMismatch"
        } catch DecodingError.keyNotFound {
            theirs = "missingField"
        } catch {
            theirs = "rejected"
        }
        do {
            return (theirs, "\(try [Plain<Value>](decoding: data, as: .json).map(\.value))")
        } catch let error as ModelDecodingError {
            return (theirs, "\(error.kind)")
        } catch {
            return (theirs, "\(error)")
        }
    }

    /// A value as the reader gives it to plain types.
    struct Plain<Value: Decodable>: ModelValue {
        static var columnType: ColumnType { .document }
        let value: Value

        init(modelValue reader: inout ModelReader) throws {
            value = try reader.readCodable(Value.self)
        }

        func encode(to writer: inout ModelWriter) throws { try writer.writeNull() }
    }

    struct Field: Codable, Equatable { var a: Int }
    struct OptionalField: Codable, Equatable { var a: Int? }

    @Test(arguments: [
        "1", "1.0", "1.5", "1e2", "300", "-1", "1e400", "\"1\"", "null", "true", "[1]", "{}",
        "18446744073709551615", "18446744073709551616", "9007199254740993", "-0", "0.1", "3.5e38",
        "\"2024-01-01T00:00:00Z\"", "\"AAE=\"", "\"a b\"", "[null]", #"{"a":1}"#, #"{"a":null}"#,
        #"[1,2,"x"]"#,
    ])
    func `what is no value of a type is the same`(_ text: String) {
        func check<Value: Decodable & Equatable>(_ type: Value.Type) {
            let (theirs, ours) = outcome(text, type)
            #expect(ours == theirs, "\(type)")
        }
        check(Int.self)
        check(Int8.self)
        check(UInt64.self)
        check(Double.self)
        check(Float.self)
        check(Bool.self)
        check(String.self)
        check(Date.self)
        check(Data.self)
        check(URL.self)
        check(Decimal.self)
        check([Int].self)
        check([Int?].self)
        check([String: Int].self)
        check(Field.self)
        check(OptionalField.self)
        check(Int?.self)
        check(Color.self)
        check(Shape.self)
        check(Int128.self)
    }

    fileprivate final class Chain: Codable {
        var next: Chain?
        init(_ next: Chain?) { self.next = next }
    }

    @Model fileprivate struct ChainHolder { var chain: Chain }

    /// Opens containers in each other, with no value in between.
    fileprivate struct Nest: Codable {
        enum CodingKeys: CodingKey { case inner }
        let isList: Bool

        init(isList: Bool) { self.isList = isList }
        init(from decoder: any Decoder) throws { isList = false }

        func encode(to encoder: any Encoder) throws {
            if isList {
                var list = encoder.unkeyedContainer()
                for _ in 0..<100_000 { list = list.nestedUnkeyedContainer() }
            } else {
                var object = encoder.container(keyedBy: CodingKeys.self)
                for _ in 0..<100_000 {
                    object = object.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
                }
            }
        }
    }

    @Model fileprivate struct NestHolder { var nest: Nest }

    @Test(arguments: [false, true])
    func `containers without an end are refused`(_ isList: Bool) {
        let holder = NestHolder(nest: Nest(isList: isList))
        let error = #expect(throws: ModelEncodingError.self) { try holder.encoded(as: .json) }
        #expect(error?.kind == .tooDeep)
    }

    @Test func `what is too deep is an error of both directions`() throws {
        var chain = Chain(nil)
        for _ in 0..<ModelReader.maximumDepth { chain = Chain(chain) }
        let error = #expect(throws: ModelEncodingError.self) {
            try ChainHolder(chain: chain).encoded(as: .json)
        }
        #expect(error?.kind == .tooDeep)
        let depth = ModelReader.maximumDepth
        let text =
            String(repeating: #"{"chain":"#, count: 1)
            + String(repeating: #"{"next":"#, count: depth) + "null"
            + String(repeating: "}", count: depth + 1)
        #expect(throws: ModelDecodingError.self) {
            try ChainHolder(decoding: Data(text.utf8), as: .json)
        }
        // As deep as it may be.
        var least = Chain(nil)
        for _ in 0..<100 { least = Chain(least) }
        let data = try ChainHolder(chain: least).encoded(as: .json)
        #expect(try ChainHolder(decoding: data, as: .json).encoded(as: .json) == data)
    }
}
