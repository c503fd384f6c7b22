import Dovetail
import DovetailTesting
import Testing

/// Numbers that keep their text, and dates that keep their offset.
struct SurvivingTextTests {
    @Model struct Price: Identifiable, Equatable {
        var id: Int
        var amount: ExactNumber
        var at: OffsetDate
        var steps: [ExactNumber] = []
        var until: OffsetDate?
    }

    static let documents = [
        #"{"id":1,"amount":1.50,"at":"2024-03-01T11:20:30.25+01:00","steps":[1e2,-0,0.10],"#
            + #""until":"2024-03-01T11:20:30Z"}"#,
        #"{"id":2,"amount":-0.0,"at":"1999-12-31T23:59:59.1-08:30","steps":[]}"#,
        #"{"id":3,"amount":12345678901234567890.1234567890,"at":"2001-01-01T00:00:00+00:00","steps":[]}"#,
        #"{"id":4,"amount":1E400,"at":"0999-12-31T23:59:59.5+14:00","steps":[7]}"#,
        #"{"id":5,"amount":1,"at":"2024-03-01T11:20:30.485331387+01:00","steps":[],"#
            + #""until":"9999-12-31T23:59:59.9999999Z"}"#,
        #"{"id":6,"amount":1,"at":"2024-12-31T23:59:59.999999999Z","steps":[],"#
            + #""until":"0000-01-01T00:00:00.000000001Z"}"#,
        #"{"id":7,"amount":1,"at":"2024-02-29T23:59:59.999999999999999999-00:30","steps":[],"#
            + #""until":"1969-12-31T23:59:59.123456789012Z"}"#,
        #"{"id":8,"amount":1,"at":"2024-02-29T23:59:59.500-0030","steps":[],"#
            + #""until":"2024-02-29T23:59:59+14"}"#,
    ]

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `text survives`(format: ModelFormat) throws {
        var count = 0
        for json in Self.documents {
            let price = try Price(decoding: Data(json.utf8), as: .json)
            #expect(try price.encoded(as: .json) == Data(json.utf8))
            #expect(try Price(ModelDocument(price)).encoded(as: .json) == Data(json.utf8))
            guard format != .cbor else { continue }
            let again = try Price(decoding: price.encoded(as: format), as: format)
            #expect(try again.encoded(as: .json) == Data(json.utf8))
            count += 1
        }
        #expect(count == (format == .cbor ? 0 : Self.documents.count))
    }

    @Test
    func `laws hold`() throws {
        for json in Self.documents {
            try checkModel(Price(decoding: Data(json.utf8), as: .json), changes: 2_000)
        }
    }

    @Test
    func `rows keep it`() throws {
        let container = try ModelContainer(
            for: Price.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        let prices = try Self.documents.map { try Price(decoding: Data($0.utf8), as: .json) }
        context.insert(contentsOf: prices)
        try context.save()
        let stored = try context.fetch(FetchDescriptor<Price>(sortBy: [SortDescriptor(\.id)]))
        #expect(stored == prices)
    }

    @Test
    func `values are there`() throws {
        let price = try Price(decoding: Data(Self.documents[0].utf8), as: .json)
        #expect(
            price.amount.decimalValue == Decimal(string: "1.5") && price.amount.doubleValue == 1.5
        )
        #expect(price.amount.intValue == nil && price.steps[0].intValue == 100)
        #expect(price.at.offset == 3600 && price.until?.offset == nil)
        #expect(price.at.date.timeIntervalSince1970 == 1_709_288_430.25)
        #expect(ExactNumber("+1") == nil && ExactNumber(".5") == nil && ExactNumber("01") == nil)
        #expect(
            ExactNumber("") == nil && ExactNumber("1x") == nil && (3 as ExactNumber).text == "3"
        )
    }

    @Test
    func `digits belong to the date that was read`() throws {
        let json = Data(#"["2024-03-01T11:20:30.485331387Z"]"#.utf8)
        let read = try [OffsetDate](decoding: json, as: .json)
        #expect(abs(read[0].date.timeIntervalSince1970 - 1_709_292_030.485331387) < 1e-6)
        #expect(read[0] != OffsetDate(read[0].date) && read[0] == read[0])
        var changed = read
        changed[0].date += 1
        changed[0].date -= 1
        let text = String(decoding: try changed.encoded(as: .json), as: UTF8.self)
        #expect(text.hasPrefix(#"["2024-03-01T11:20:30.4853314"#) && text.hasSuffix(#"00Z"]"#))
        // What .NET writes for no end; as a `Date`, it is the last that can be written.
        let end = Data(#"["9999-12-31T23:59:59.9999999Z"]"#.utf8)
        let dates = try [Date](decoding: end, as: .json)
        #expect(try [Date](decoding: dates.encoded(as: .json), as: .json) == dates)
        #expect(dates[0] > Date(timeIntervalSince1970: 253_402_300_799.9))
    }

    @Test
    func `what is neither is an error at its place`() throws {
        for (field, value) in [
            ("amount", #""1.5""#), ("amount", "true"), ("at", #""2024-03-01""#), ("at", "1"),
            ("at", #""2024-03-01T11:20:30""#), ("at", #""2024-03-01T11:20:30+25:00""#),
        ] {
            let others = ["amount": "1", "at": #""2024-03-01T11:20:30Z""#]
            let fields = others.merging([field: value]) { $1 }.map { #""\#($0)":\#($1)"# }
            let json = "{\"id\":1,\(fields.sorted().joined(separator: ","))}"
            let error = try #require(throws: ModelDecodingError.self) {
                try Price(decoding: Data(json.utf8), as: .json)
            }
            #expect(error.path == field)
        }
        for offset in [30, 86_400, -86_400, .max, .min] {
            #expect(throws: ModelEncodingError.self) {
                try OffsetDate(Date(timeIntervalSince1970: 0), offset: offset).encoded(as: .json)
            }
        }
    }
}
