import Dovetail
import DovetailTesting
import Testing

@Model
private struct Record: Codable, Equatable {
    @Model
    struct Part: Codable, Equatable {
        var name: String
        var weight: Double?
    }

    var flag: Bool
    var number: Int
    var tiny: Int8
    var huge: UInt64
    var double: Double
    var float: Float
    var decimal: Decimal
    var text: String
    var date: Date
    var data: Data
    var url: URL
    var uuid: UUID
    var shade: Shade
    var level: Level?
    var part: Part
    var parts: [Part]
    var table: [String: Part]
    var numbers: [Int: String]
    var grid: [[Double]]
    var maybe: String?
}

extension Record {
    fileprivate init(_ random: inout SeededRandom) {
        func anyPart() -> Part {
            Part(
                name: random.text(),
                weight: Bool.random(using: &random) ? random.finiteDouble() : nil
            )
        }
        func count() -> Range<Int> { 0..<Int.random(in: 0...3, using: &random) }
        flag = .random(using: &random)
        number = Int(truncatingIfNeeded: random.next())
        tiny = .random(in: .min ... .max, using: &random)
        huge = random.next()
        double = random.finiteDouble()
        float = Float(Int16.random(in: .min ... .max, using: &random)) / 64
        decimal = Decimal(Int64(truncatingIfNeeded: random.next())) / 1_000_000
        text = random.text()
        date = Date(
            timeIntervalSinceReferenceDate: Double(
                Int.random(in: -3_000_000_000...3_000_000_000, using: &random)
            )
        )
        data = Data((0..<Int.random(in: 0...9, using: &random)).map { _ in 7 })
        url = URL(string: "http://a.b/\(random.next())?q=1") ?? URL(fileURLWithPath: "/")
        uuid = UUID()
        shade = Shade.allCases.randomElement(using: &random) ?? .dark
        level = Level.allCases.randomElement(using: &random)
        part = anyPart()
        parts = count().map { _ in anyPart() }
        table = Dictionary(count().map { _ in (random.text(), anyPart()) }) { $1 }
        numbers = Dictionary(
            count().map { _ in (Int(truncatingIfNeeded: random.next()), random.text()) }
        ) { $1 }
        grid = count().map { _ in count().map { _ in random.finiteDouble() } }
        maybe = Bool.random(using: &random) ? random.text() : nil
    }
}

/// Types that are also `Codable`: Foundation reads what we write, and we read what it writes.
struct FoundationComparisonTests {
    @Test
    func `random models`() throws {
        var random = SeededRandom()
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let formats: [JSONEncoder.OutputFormatting] = [
            [], .prettyPrinted, [.prettyPrinted, .sortedKeys], .withoutEscapingSlashes,
        ]
        for index in 0..<400 {
            let record = Record(&random)
            let ours = try record.encoded(as: .json)
            #expect(try Record(decoding: ours, as: .json) == record, random.comment)
            #expect(try decoder.decode(Record.self, from: ours) == record, random.comment)
            encoder.outputFormatting = formats[index % formats.count]
            let theirs = try encoder.encode(record)
            #expect(try Record(decoding: theirs, as: .json) == record, random.comment)
        }
    }

    @Test
    func `random arrays`() throws {
        var random = SeededRandom()
        let records = (0..<50).map { _ in Record(&random) }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        #expect(
            try [Record](decoding: encoder.encode(records), as: .json) == records,
            random.comment
        )
        #expect(try [Record](decoding: records.encoded(as: .json), as: .json) == records)
    }
}
