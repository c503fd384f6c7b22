import Dovetail
import Testing

@Model
enum TaskStatus: Int, CaseIterable {
    case open = 1, closed
    @Fallback case unknown = -1
}

@Model
private enum Priority: String, CaseIterable {
    case low, high
    case urgent = "very urgent"
    @Fallback case other
}

@Model
private enum Narrow: UInt8 {
    case one = 1
    @Fallback case `default` = 0
}

@Model
private enum Conditional: String {
    #if os(Windows)
        case first
    #else
        case second
    #endif
    @Dovetail.Fallback case none
}

/// Enums with a case for raw values that no case has.
struct FallbackCaseTests {
    @Test
    func `unknown raw values are the fallback`() throws {
        #expect(
            try [TaskStatus](json: "[1,2,-1,99,2e0]") == [
                .open, .closed, .unknown, .unknown, .closed,
            ]
        )
        #expect(
            try [Priority](json: #"["low","very urgent","very urgenT","","lov","\u006cow"]"#)
                == [.low, .urgent, .other, .other, .other, .low]
        )
        #expect(try [Conditional](json: #"["second","first"]"#) == [.second, .none])
        #expect(try Box<TaskStatus?>(json: #"{"value":7}"#).value == .unknown)
        #expect(try Box<TaskStatus?>(json: #"{"value":null}"#).value == nil)
    }

    @Test
    func `numbers that do not fit are unknown too`() throws {
        #expect(
            try [Narrow](json: "[1,0,2,256,-1,1e30,99999999999999999999]")
                == [.one] + Array(repeating: .default, count: 6)
        )
    }

    @Test
    func `every case is its raw value`() throws {
        try expectRoundTrip(TaskStatus.allCases)
        try expectRoundTrip(Priority.allCases)
        #expect(try TaskStatus.unknown.json() == "-1")
        #expect(try Priority.other.json() == "\"other\"")
    }

    @Test(arguments: ["\"open\"", "true", "null", "[]", "{}", "", "1x"])
    func `another kind of value is an error`(json: String) throws {
        let document = "{\"value\":\(json)}"
        let error = try decodingError(of: Box<TaskStatus>.self, document)
        #expect(error.kind != .unknownCase)
        #expect(error.line == 1)
    }

    @Test(arguments: ["1", "true", "null", "[]", "\"\\x\"", "\"open"])
    func `another kind than a string is an error`(json: String) throws {
        let error = try decodingError(of: Box<Priority>.self, "{\"value\":\(json)}")
        #expect(error.kind != .unknownCase)
    }
}
