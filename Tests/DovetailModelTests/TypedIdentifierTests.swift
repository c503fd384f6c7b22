import Dovetail
import Testing

private struct Code: TypedIdentifier {
    let rawValue: String

    init?(rawValue: String) {
        guard rawValue.count == 3 else { return nil }
        self.rawValue = rawValue
    }
}

@Model
private struct Parcel: Equatable {
    var id: ThingID
    var code: Code
    var contents: [ThingID]
    var origin: ThingID?
}

/// Identifiers of their own types are their raw values in documents.
struct TypedIdentifierTests {
    @Test
    func `are written as their raw values`() throws {
        let parcel = try Parcel(json: #"{"id":1,"code":"abc","contents":[-2,3],"origin":null}"#)
        #expect(parcel.id == ThingID(rawValue: 1))
        #expect(parcel.code.rawValue == "abc")
        #expect(parcel.contents.map(\.rawValue) == [-2, 3])
        #expect(try parcel.json() == #"{"id":1,"code":"abc","contents":[-2,3]}"#)
        try expectRoundTrip(parcel)
    }

    @Test
    func `a raw value that is refused`() throws {
        let error = try decodingError(of: Parcel.self, #"{"id":1,"code":"abcd"}"#)
        #expect(error.kind == .unknownCase)
        #expect(
            error.description == #"code: expected a case of Code, found "abcd" (line 1, column 16)"#
        )
    }

    @Test
    func `a raw value of another kind`() throws {
        let error = try decodingError(of: Parcel.self, #"{"id":"1"}"#)
        #expect(error.description == #"id: expected Int64, found "1" (line 1, column 7)"#)
    }
}
