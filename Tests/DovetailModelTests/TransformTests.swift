import Dovetail
import Testing

/// A type of another library: neither a model nor `Codable`.
struct GridPoint: Hashable, Sendable {
    var x, y: Int
}

/// The adapter for it, written once for all models that have such properties.
enum PointText: ModelTransform {
    struct NoPoint: Error {}

    static func decode(_ stored: String) throws -> GridPoint {
        let parts = stored.split(separator: ",").compactMap { Int($0) }
        guard parts.count == 2 else { throw NoPoint() }
        return GridPoint(x: parts[0], y: parts[1])
    }

    static func encode(_ value: GridPoint) throws -> String {
        guard value.x >= 0 else { throw ModelTransformError(expected: "points to the right") }
        guard value.y >= 0 else { throw NoPoint() }
        return "\(value.x),\(value.y)"
    }
}

/// An adapter whose stored form is a whole object.
enum PointObject: ModelTransform {
    @Model
    struct Form {
        var x: Int
        @Attribute(name: "rest.y") var y: Int
    }

    static func decode(_ stored: Form) throws -> GridPoint {
        guard stored.x != 13 else { throw ModelTransformError(expected: "a lucky number") }
        return GridPoint(x: stored.x, y: stored.y)
    }

    static func encode(_ value: GridPoint) -> Form { Form(x: value.x, y: value.y) }
}

@Model
private struct Drawing: Equatable {
    @Attribute(.transformed(by: PointText.self)) var origin: GridPoint
    @Attribute(.transformed(by: PointText.self)) let fixed: GridPoint?
    @Attribute(.transformed(by: PointText.self)) var defaulted: GridPoint = GridPoint(x: 1, y: 1)
    @Attribute(.transformed(by: PointText.self)) var both: GridPoint? = GridPoint(x: 2, y: 2)
    @Attribute(.transformed(elementsBy: PointText.self)) var path: [GridPoint]
    @Attribute(.transformed(elementsBy: PointText.self)) var sparse: [GridPoint?] = []
    @Attribute(.transformed(elementsBy: PointText.self)) var grid: [[GridPoint]]?
    @Attribute(.transformed(elementsBy: PointText.self)) var marks: Set<GridPoint> = []
    @Attribute(.transformed(elementsBy: PointText.self)) var named: [String: GridPoint] = [:]
    @Attribute(.transformed(by: PointObject.self), name: "a.b") var object: GridPoint?
}

@Model
private struct Forms: Equatable {
    @Attribute(.transformed(by: SecondsSince1970.self)) var seconds: Date?
    @Attribute(.transformed(by: MillisecondsSince1970.self)) var milliseconds: Date?
    @Attribute(.transformed(by: ISO8601Day.self)) var day: Date?
    @Attribute(.transformed(by: Base64URL.self)) var base64: Data?
    @Attribute(.transformed(by: Hexadecimal.self)) var hex: Data?
    @Attribute(.transformed(by: DecimalAsString.self)) var decimal: Decimal?
    @Attribute(.transformed(by: AsString<Int>.self)) var int: Int?
    @Attribute(.transformed(by: AsString<Double>.self)) var double: Double?
    @Attribute(.transformed(by: BoolAsInteger.self)) var bool: Bool?
    @Attribute(.transformed(by: DurationInSeconds.self)) var duration: Duration?
    var exact: Duration?
}

/// Properties with another form in documents: `@Attribute(.transformed(by:))`.
struct TransformTests {
    @Test
    func `through optionals and collections`() throws {
        let json = """
            {"origin":"1,2","fixed":"3,4","defaulted":"5,6","both":null,"path":["7,8","9,9"],\
            "sparse":["1,1",null],"grid":[[],["2,2"]],"marks":["3,3","4,4"],\
            "named":{"k":"5,5"},"a":{"b":{"x":6,"rest":{"y":7}}}}
            """
        let drawing = try Drawing(json: json)
        #expect(drawing.origin == GridPoint(x: 1, y: 2))
        #expect(drawing.both == nil)
        #expect(drawing.marks.count == 2)
        #expect(drawing.object == GridPoint(x: 6, y: 7))
        #expect(try drawing.json() == json)
    }

    @Test
    func `absent and null`() throws {
        let drawing = try Drawing(json: #"{"origin":"0,0","path":[],"fixed":null}"#)
        #expect(drawing.fixed == nil)
        #expect(drawing.defaulted == GridPoint(x: 1, y: 1))
        #expect(drawing.both == GridPoint(x: 2, y: 2))
        #expect(drawing.grid == nil)
        #expect(
            try drawing.json() == """
                {"origin":"0,0","defaulted":"1,1","both":"2,2","path":[],"sparse":[],"marks":[],\
                "named":{}}
                """
        )
        #expect(try decodingError(of: Drawing.self, #"{"origin":"0,0"}"#).path == "path")
    }

    @Test(
        arguments: [
            (
                #"{"origin":"x"}"#,
                #"origin: expected GridPoint, found "x", refused by PointText: NoPoint() (line 1, column 11)"#
            ),
            (
                "{\"path\":[\"1,1\",\n\"2\"]}",
                #"path[1]: expected GridPoint, found "2", refused by PointText: NoPoint() (line 2, column 1)"#
            ),
            (
                #"{"a":{"b":{"x":13,"rest":{"y":1}}}}"#,
                "a.b: expected a lucky number, found object (line 1, column 11)"
            ),
        ]
    )
    func `what a transform throws`(json: String, description: String) throws {
        let error = try decodingError(of: Drawing.self, json)
        #expect(error.kind == .rejected)
        #expect(error.description == description)
    }

    @Test
    func `another kind of value`() throws {
        let error = try decodingError(of: Drawing.self, #"{"origin":5}"#)
        #expect(error.description == "origin: expected String, found 5 (line 1, column 11)")
    }

    @Test
    func `what a transform throws when writing`() throws {
        var drawing = try Drawing(json: #"{"origin":"0,0","path":[]}"#)
        drawing.origin.y = -1
        let plain = try #require(throws: ModelEncodingError.self) { try drawing.json() }
        #expect(plain.kind == .rejected)
        #expect(plain.explanation == "PointText: NoPoint")
        drawing.origin.x = -1
        let stated = try #require(throws: ModelEncodingError.self) { try drawing.json() }
        #expect(stated.explanation == "PointText takes points to the right")
    }

    @Test(
        arguments: [
            #"{"seconds":0.5}"#, #"{"seconds":1709288430}"#, #"{"seconds":-62135596800}"#,
            #"{"milliseconds":1709288430123}"#, #"{"milliseconds":-1}"#,
            #"{"day":"2024-03-01"}"#, #"{"day":"0000-01-01"}"#, #"{"day":"1999-12-31"}"#,
            #"{"base64":""}"#, #"{"base64":"-_8"}"#, #"{"base64":"AQID"}"#, #"{"base64":"AQ"}"#,
            #"{"hex":""}"#, #"{"hex":"00ff7a"}"#,
            #"{"decimal":"12345678901234567890.123456789"}"#, #"{"decimal":"-0.5"}"#,
            #"{"int":"-12"}"#, #"{"double":"0.1"}"#, #"{"double":"nan"}"#,
            #"{"bool":0}"#, #"{"bool":1}"#,
            #"{"duration":0.1}"#, #"{"duration":-1.5}"#, #"{"duration":86400}"#,
            #"{"duration":1e-07}"#,
            #"{"exact":0.000000000000000001}"#, #"{"exact":-9223372036854775807.5}"#,
            #"{"exact":12}"#, #"{"exact":-0.25}"#,
        ]
    )
    func `built in forms come back`(json: String) throws {
        #expect(try Forms(json: json).json() == json)
    }

    @Test
    func `built in forms are what they say`() throws {
        let forms = try Forms(
            json: """
                {"seconds":1.5,"milliseconds":1500,"day":"1970-01-02","base64":"-_8=","hex":"FBff",\
                "decimal":"1.50","int":"007","double":"1e3","bool":1,"duration":1.000000001,\
                "exact":1e-3}
                """
        )
        #expect(forms.seconds == Date(timeIntervalSince1970: 1.5))
        #expect(forms.milliseconds == Date(timeIntervalSince1970: 1.5))
        #expect(forms.day == Date(timeIntervalSince1970: 86_400))
        #expect(forms.base64 == Data([0xFB, 0xFF]))
        #expect(forms.hex == Data([0xFB, 0xFF]))
        #expect(forms.decimal == 1.5)
        #expect(forms.int == 7)
        #expect(forms.double == 1000)
        #expect(forms.bool == true)
        #expect(forms.duration == .seconds(1) + .nanoseconds(1))
        #expect(forms.exact == .milliseconds(1))
    }

    @Test(
        arguments: [
            ("day", #""2024-02-30""#, "a day such as 2024-03-01"),
            ("day", #""2024-03-01T00:00:00Z""#, "a day such as 2024-03-01"),
            ("base64", #""a+b=""#, "base64url"), ("base64", #""a""#, "base64url"),
            ("base64", #""é""#, "base64url"),
            ("hex", #""abc""#, "two hexadecimal digits a byte"),
            ("hex", #""zz""#, "two hexadecimal digits a byte"),
            ("hex", #""１１""#, "two hexadecimal digits a byte"),
            ("decimal", #""12a""#, "Decimal as a string"),
            ("decimal", #"" 1""#, "Decimal as a string"),
            ("decimal", #""""#, "Decimal as a string"),
            ("int", #""1.5""#, "Int as a string"), ("bool", "2", "0 or 1"),
            ("duration", "1e300", "a number of seconds"),
        ]
    )
    func `built in forms refuse`(name: String, value: String, expected: String) throws {
        let error = try decodingError(of: Forms.self, "{\"\(name)\": \(value)}")
        #expect(error.kind == .rejected)
        #expect(error.path == name)
        #expect(error.expected == expected)
        #expect(error.column == name.count + 6)
    }

    @Test
    func `a moment beside its form`() throws {
        let date = Date(timeIntervalSince1970: 1_709_288_430.123_4)
        let forms = Forms(milliseconds: date, day: date)
        #expect(try forms.json() == #"{"milliseconds":1709288430123,"day":"2024-03-01"}"#)
        let far = Forms(milliseconds: .init(timeIntervalSince1970: 1e300))
        #expect(throws: ModelEncodingError.self) { try far.json() }
        #expect(throws: ModelEncodingError.self) { try Forms(decimal: .nan).json() }
    }

    @Test
    func `spans of time are exact`() throws {
        for value: Duration in [
            .zero, .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(-1),
            Duration(secondsComponent: -5, attosecondsComponent: -999_999_999_999_999_999),
        ] {
            try expectRoundTrip(value)
        }
        for text in ["1e19", "0.0000000000000000001", "-9223372036854775809"] {
            #expect(try decodingError(of: Duration.self, text).kind == .numberOutOfRange)
        }
        #expect(try decodingError(of: Duration.self, "\"1\"").kind == .typeMismatch)
    }
}
