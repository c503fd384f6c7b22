import Dovetail
import Testing

/// Names that differ only after the seven bytes and the length that are compared first.
@Model
enum Station: String, CaseIterable {
    case empty = ""
    case seven = "station"
    case north = "station-north"
    case south = "station-south"
    case northern = "station-northern"
    case westerly = "station-westerly"
    case eighth1 = "eighth01"
    case eighth2 = "eighth02"
    case quoted = "a\"b\\c"
    case lines = "one\ntwo"
    case umlaut = "größe"
    case emoji = "😀😀😀"
    case `default`
    case long = "a name that is longer than anyone would ever care to write into a source file, a"
    case longer = "a name that is longer than anyone would ever care to write into a source file, b"
}

@Model
private enum Ratio: Double, CaseIterable {
    case half = 0.5
    case whole = 1
}

@Model
private enum Small: UInt8, CaseIterable {
    case first = 0
    case last = 255
}

@Model
private enum OwnRawValue: String, CaseIterable {
    case one, two

    init?(rawValue: String) {
        switch rawValue {
        case "1!", "one": self = .one
        case "2!": self = .two
        default: return nil
        }
    }

    var rawValue: String { self == .one ? "1!" : "2!" }
}

@Model(naming: .snakeCase)
private enum Forgiving: String, CaseIterable {
    case open
    case shut

    init?(rawValue: String) {
        switch rawValue.lowercased() {
        case "open": self = .open
        case "shut": self = .shut
        default: return nil
        }
    }
}

/// Enums are their raw values in documents.
struct RawEnumTests {
    @Test(arguments: Station.allCases)
    func `every name`(station: Station) throws {
        try expectRoundTrip(station)
        #expect(try station.json() == station.rawValue.json())
        // Every scalar as an escape.
        let escaped = station.rawValue.utf16.map {
            let digits = String($0, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
        #expect(try Station(json: "\"\(escaped)\"") == station)
    }

    @Test
    func `other raw types`() throws {
        try expectRoundTrip(Level.allCases)
        try expectRoundTrip(Ratio.allCases)
        try expectRoundTrip(Small.allCases)
        #expect(try Level.allCases.json() == "[-1,300]")
        #expect(try Ratio(json: "5e-1") == .half)
        #expect(try Level(json: "3e2") == .high)
    }

    @Test(
        arguments: [
            "Station", "station ", "statio", "stationx", "station-norths", "station-sorth",
            "eighth03", "größE", "a", "seven",
        ]
    )
    func `a name of no case`(name: String) throws {
        let error = try decodingError(of: Box<Station>.self, "{\"value\":\"\(name)\"}")
        #expect(error.kind == .unknownCase)
        #expect(error.path == "value")
        #expect(error.expected == "a case of Station")
        #expect(error.found == "\"\(name)\"")
        #expect(error.column == 10)
    }

    @Test
    func `a number of no case`() throws {
        let error = try decodingError(of: Box<Level>.self, "{\"value\": 5}")
        #expect(error.description == "value: expected a case of Level, found 5 (line 1, column 11)")
        #expect(try decodingError(of: Small.self, "256").kind == .numberOutOfRange)
        #expect(try decodingError(of: Level.self, "\"low\"").kind == .typeMismatch)
        #expect(try decodingError(of: Station.self, "1").kind == .typeMismatch)
        #expect(try decodingError(of: Station.self, "null").kind == .typeMismatch)
    }

    @Test
    func `raw values that an enum makes itself are asked for`() throws {
        for value in OwnRawValue.allCases { try expectRoundTrip(value) }
        #expect(try OwnRawValue.one.json() == "\"1!\"")
        #expect(try OwnRawValue(json: "\"one\"") == .one)
        #expect(try decodingError(of: OwnRawValue.self, "\"two\"").kind == .unknownCase)
        for value in Forgiving.allCases { try expectRoundTrip(value) }
        #expect(try Forgiving(json: "\"SHUT\"") == .shut)
    }

    @Test
    func `Foundation reads them`() throws {
        let data = try Station.allCases.encoded(as: .json)
        #expect(try JSONDecoder().decode([Station].self, from: data) == Station.allCases)
        let written = try JSONEncoder().encode(Station.allCases)
        #expect(try [Station](decoding: written, as: .json) == Station.allCases)
    }
}
