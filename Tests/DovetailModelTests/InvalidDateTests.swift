import Dovetail
import Testing

/// What looks like a date-time of RFC 3339 and is none.
struct InvalidDateTests {
    @Test(
        arguments: [
            "", "2024", "2024-03-01", "10:20:30Z", "2024-03-01T10:20:30", "2024-03-01T10:20Z",
            "2024-03-01T10:20:30.Z", "2024-03-01T10:20:30,5Z", "2024-3-01T10:20:30Z",
            "24-03-01T10:20:30Z", "2024-00-01T10:20:30Z", "2024-13-01T10:20:30Z",
            "2024-03-00T10:20:30Z", "2024-03-32T10:20:30Z", "2024-04-31T10:20:30Z",
            "2023-02-29T10:20:30Z", "1900-02-29T10:20:30Z", "2024-02-30T10:20:30Z",
            "2024-03-01T24:00:00Z", "2024-03-01T10:60:30Z", "2024-03-01T10:20:61Z",
            "2024-03-01T10:20:30+1:00", "2024-03-01T10:20:30+010", "2024-03-01T10:20:30+24:00",
            "2024-03-01T10:20:30+", "2024-03-01T10:20:30+1", "2024-03-01T10:20:30+01:",
            "2024-03-01T10:20:30+2400", "2024-03-01T10:20:30+0160", "2024-03-01T10:20:30+010000",
            "2024-03-01T10:20:30+01:60", "2024-03-01T10:20:30 +01:00", "2024-03-01T10:20:30ZZ",
            "2024-03-01T10:20:30Z ", " 2024-03-01T10:20:30Z", "2024-03-01T10:20:30.5",
            "2024/03/01T10:20:30Z", "2024-03-01_10:20:30Z", "+2024-03-01T10:20:30Z",
            "-024-03-01T10:20:30Z", "12024-03-01T10:20:30Z", "2024-03-01T10:20:30.5.5Z",
            "２024-03-01T10:20:30Z", "2024-03-01T10:20:30\\u0000Z", "2024-W09-5T10:20:30Z",
        ]
    )
    func `is refused`(text: String) throws {
        let error = try decodingError(of: Box<Date>.self, "{\"value\": \"\(text)\"}")
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "value")
        #expect(error.expected == "Date in ISO 8601")
        #expect(error.found == "\"\(text)\"")
        #expect(error.column == 11)
    }

    @Test(arguments: ["1709288430", "null", "true", "[]", "{}"])
    func `only strings`(text: String) throws {
        let error = try decodingError(of: Box<Date>.self, "{\"value\": \(text)}")
        #expect(error.kind == .typeMismatch)
    }
}
