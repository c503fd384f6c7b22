import Dovetail
import DovetailTesting
import Testing

/// Dates: ISO 8601 in UTC, with as many digits as the same double needs.
struct DateTests {
    @Test(
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
            (-0.5, "2000-12-31T23:59:59.5Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
            (-978_307_200, "1970-01-01T00:00:00Z"), (730_981_230.125, "2024-03-01T10:20:30.125Z"),
            (-63_145_526_400, "0000-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
            (-63_145_526_399.5, "0000-01-01T00:00:00.5Z"),
            (-978_307_200.1, "1969-12-31T23:59:59.9Z"), (-31_622_400, "2000-01-01T00:00:00Z"),
            (-26_524_800, "2000-02-29T00:00:00Z"), (-3_187_296_000, "1900-01-01T00:00:00Z"),
            (-3_182_198_400, "1900-03-01T00:00:00Z"), (0.001, "2001-01-01T00:00:00.001Z"),
            (1e-9, "2001-01-01T00:00:00.000000001Z"),
        ] as [(TimeInterval, String)]
    )
    func `dates as text`(seconds: TimeInterval, text: String) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(try date.json() == "\"\(text)\"")
        #expect(try Date(json: "\"\(text)\"") == date)
        try expectRoundTrip(date)
    }

    @Test(
        arguments: [
            "+01:00", "+0100", "+01", "-08:30", "-0830", "-11", "+0000", "Z", "+1400",
        ],
        ["", ".5", ".250"]
    )
    func `offsets of all forms are read, as Foundation reads them`(
        offset: String,
        fraction: String
    ) throws {
        let text = "2024-03-01T10:20:30\(fraction)\(offset)"
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: !fraction.isEmpty)
        let date = try style.parse(text)
        #expect(abs(try Date(json: "\"\(text)\"").timeIntervalSince(date)) < 1e-4)
        let kept = try OffsetDate(json: "\"\(text)\"")
        #expect(try kept.json() == "\"\(text)\"")
        #expect(kept.date == (try Date(json: "\"\(text)\"")))
    }

    @Test
    func `years are those of Foundation`() throws {
        var random = SeededRandom()
        for _ in 0..<2_000 {
            // From 1583 on, when the Gregorian calendar is that of Foundation without doubt.
            let seconds = Int64.random(in: -13_190_860_800..<252_423_993_600, using: &random)
            let date = Date(timeIntervalSinceReferenceDate: Double(seconds))
            #expect(try date.json() == "\"\(date.formatted(.iso8601))\"", random.comment)
        }
    }

    private func expectSame(_ seconds: TimeInterval, _ comment: Comment) throws {
        let json = try Date(timeIntervalSinceReferenceDate: seconds).json()
        let back = try Date(json: json).timeIntervalSinceReferenceDate
        #expect(back == seconds, "\(seconds) \(json) \(comment)")
    }

    @Test
    func `random dates`() throws {
        var random = SeededRandom()
        for _ in 0..<5_000 {
            // All years, and the years around now.
            try expectSame(
                .random(in: -63_145_526_400..<252_423_993_600, using: &random),
                random.comment
            )
            try expectSame(.random(in: -2e9..<2e9, using: &random), random.comment)
        }
    }

    @Test
    func `close to the reference date`() throws {
        var random = SeededRandom()
        for _ in 0..<2_000 {
            let exponent = Double.random(in: -20...3, using: &random)
            let value = Double.random(in: -1...1, using: &random) * pow(10, exponent)
            try expectSame(value, random.comment)
        }
        for edge in [1, -1, 86_400, -86_400, -1e-6, 1e-6, 1e9, -1e9] as [Double] {
            try expectSame(edge.nextUp, "")
            try expectSame(edge.nextDown, "")
        }
        for tiny in [Double.leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1e-300, -1e-300] {
            try expectSame(tiny, "")
        }
    }

    @Test
    func `dates at the limits of their text`() throws {
        try expectSame((-63_145_526_400).nextUp, "")
        try expectSame((252_423_993_600).nextDown, "")
        for seconds in [(-63_145_526_400.0).nextDown, 252_423_993_600, 1e300, -.infinity, .nan] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let error = try #require(throws: ModelEncodingError.self) { try date.json() }
            #expect(error.kind == .notRepresentable)
        }
    }

    /// RFC 3339, section 5.8, and other spellings of one date.
    @Test(
        arguments: [
            ("1985-04-12T23:20:50.52Z", 482_196_050.52),
            ("1996-12-19T16:39:57-08:00", 851_042_397), ("1990-12-31T23:59:60Z", 662_688_000),
            ("1990-12-31T15:59:60-08:00", 662_688_000),
            ("1937-01-01T12:00:27.87+00:20", -1_041_337_172.13),
            ("2024-03-01t10:20:30z", 1_709_288_430), ("2024-03-01 10:20:30Z", 1_709_288_430),
            ("2024-03-01T10:20:30-00:00", 1_709_288_430),
            ("2024-03-01T00:00:00+23:59", 1_709_164_860),
            ("2024-02-29T23:59:59.999999999999Z", 1_709_251_199.999999999999),
            ("2024-03-01T10:20:30.00000Z", 1_709_288_430), ("2000-02-29T00:00:00Z", 951_782_400),
            ("2024-03-01T10:20:30.1234567890123456789012Z", 1_709_288_430.1234567890123),
        ]
    )
    func `other spellings`(text: String, since1970: TimeInterval) throws {
        let date = try Date(json: "\"\(text)\"")
        #expect(abs(date.timeIntervalSince1970 - since1970) < 1e-6)
    }
}
