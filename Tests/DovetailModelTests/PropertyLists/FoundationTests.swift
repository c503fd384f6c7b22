import Dovetail
import DovetailTesting
import Foundation
import Testing

@Model
private struct Record: Codable, Equatable {
    @Model
    struct Part: Codable, Equatable {
        var name: String
        var weight: Double?
        var marks: [Int?]
    }

    var flag: Bool
    var number: Int
    var tiny: Int8
    var huge: UInt64
    var double: Double
    var float: Float
    var text: String
    var date: Date
    var data: Data
    var uuid: UUID
    var shade: Shade
    var level: Level?
    var parts: [Part]
    var table: [String: Part]
    var numbers: [Int: String]
    var grid: [[Double]]
    var maybe: String?
}

extension Record {
    fileprivate init(_ random: inout SeededRandom, isXML: Bool) {
        // XML has no form for control characters.
        func text() -> String {
            let text = random.text()
            guard isXML else { return text }
            return String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0xFFFE })
        }
        func count() -> Range<Int> { 0..<Int.random(in: 0...3, using: &random) }
        func anyPart() -> Part {
            Part(
                name: text(),
                weight: Bool.random(using: &random) ? random.finiteDouble() : nil,
                marks: count().map { _ in Bool.random(using: &random) ? nil : 3 }
            )
        }
        flag = .random(using: &random)
        number = Int(truncatingIfNeeded: random.next()) >> Int.random(in: 0...63, using: &random)
        tiny = .random(in: .min ... .max, using: &random)
        huge = random.next()
        double = Bool.random(using: &random) ? random.finiteDouble() : .infinity
        float = Float(random.finiteDouble())
        self.text = text()
        let seconds = Int.random(in: -3_000_000_000...3_000_000_000, using: &random)
        date = Date(timeIntervalSinceReferenceDate: Double(seconds) + (isXML ? 0 : 0.625))
        data = Data((0..<Int.random(in: 0...99, using: &random)).map { UInt8($0) })
        uuid = UUID()
        shade = Shade.allCases.randomElement(using: &random) ?? .dark
        level = Level.allCases.randomElement(using: &random)
        parts = count().map { _ in anyPart() }
        table = Dictionary(count().map { ("\(text())\($0)", anyPart()) }) { first, _ in first }
        numbers = Dictionary(uniqueKeysWithValues: count().map { ($0 - 1, text()) })
        grid = count().map { _ in count().map { _ in random.finiteDouble() } }
        maybe = Bool.random(using: &random) ? text() : nil
    }
}

/// The kinds that Foundation's coders write as dictionaries.
@Model
private struct Dictionaries: Codable, Equatable {
    var price: Decimal
    var link: URL
    var relative: URL
}

struct PropertyListFoundationTests {
    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `reads what Foundation writes and the other way round`(
        outputFormat: PropertyListSerialization.PropertyListFormat
    ) throws {
        var random = SeededRandom()
        let encoder = PropertyListEncoder()
        encoder.outputFormat = outputFormat
        let format: ModelFormat = outputFormat == .xml ? .plist : .binaryPlist
        for _ in 0..<300 {
            let record = Record(&random, isXML: outputFormat == .xml)
            let theirs = try encoder.encode(record)
            let read = try Record(decoding: theirs, as: format)
            #expect(read == record, "\(random.comment)")
            let ours = try record.encoded(as: format)
            let readByThem = try PropertyListDecoder().decode(Record.self, from: ours)
            #expect(readByThem == record, "\(random.comment)")
            let document = try ModelDocument(decoding: theirs, as: format)
            let again = try ModelDocument(decoding: document.encoded(as: format), as: format)
            #expect(again == document, "\(random.comment)")
        }
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `reads the dictionaries of decimals and addresses`(
        outputFormat: PropertyListSerialization.PropertyListFormat
    ) throws {
        let base = try #require(URL(string: "https://a.b/c/"))
        let value = Dictionaries(
            price: try #require(Decimal(string: "-12.50")),
            link: try #require(URL(string: "https://a.b/c?d")),
            relative: try #require(URL(string: "d", relativeTo: base))
        )
        let encoder = PropertyListEncoder()
        encoder.outputFormat = outputFormat
        let read = try Dictionaries(decoding: encoder.encode(value), as: .plist)
        #expect(read.price == value.price)
        #expect(read.link == value.link)
        #expect(read.relative.absoluteString == "https://a.b/c/d")
    }

    /// Foundation's dates in XML have whole seconds, ours keep the fraction where it is no trouble.
    @Test func `Foundation reads dates with a fraction in XML`() throws {
        for seconds in [0.5, -0.5, 694_224_000.123456] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let written = try [date].encoded(as: .plist)
            let theirs = try PropertyListDecoder().decode([Date].self, from: written)
            #expect(theirs == [Date(timeIntervalSinceReferenceDate: seconds.rounded(.down))])
            let ours = try [Date](decoding: written, as: .plist)
            #expect(ours == [date])
        }
    }

    /// The same bytes, so that a file that is written again shows no difference.
    @Test func `the XML form looks like Foundation's`() throws {
        let document: ModelDocument = [
            "a": [1, -5, 1.5, true, "x<&>\"'y", [], [:], [[2]]],
            "b": ["c": .date(Date(timeIntervalSinceReferenceDate: 86_400))],
            "d": .data(Data(repeating: 7, count: 200)),
            "e": .data(Data()), "f": "", "g": .double(.nan), "h": .double(-.infinity),
            "i": .double(.infinity),
        ]
        let written = try document.encoded(as: .plist)
        let list = try PropertyListSerialization.propertyList(from: written, format: nil)
        let theirs = try PropertyListSerialization.data(
            fromPropertyList: list,
            format: .xml,
            options: 0
        )
        #expect(String(decoding: written, as: UTF8.self) == String(decoding: theirs, as: UTF8.self))
    }

    @Test func `equal strings are written once`() throws {
        let names = (0..<1000).map { "a name that is long enough \($0 % 7)" }
        let written = try names.encoded(as: .binaryPlist)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        #expect(try written.count == encoder.encode(names).count)
    }
}
