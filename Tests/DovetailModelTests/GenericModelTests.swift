import Dovetail
import TestAssets
import Testing

/// Nothing says that `Item` is a model; the extension does.
@Model
private struct Page<Item> {
    var items: [Item]
    var next: Int?
}

extension Page: Equatable where Item: Equatable {}

@Model
private struct Pair<First: Equatable, Second>: Equatable where Second: Model & Equatable {
    var first: First
    var second: Second?
}

/// The parameter is in no property, so it may be anything.
@Model
private struct Tagged<Tag>: Equatable {
    var rawValue: Int
}

/// A parameter that is only `Codable` is written as such.
@Model
private struct Wrapped<Value: Codable & Equatable>: Equatable {
    var value: Value
}

@Model
private struct Table<Key: Hashable & ModelKey, Value: Equatable>: Equatable {
    var rows: [Key: [Value]]
    @Transient var cache: Value?
}

@Model
private enum Outcome<Success, Failure> {
    case success(Success)
    indirect case both(Success, Outcome<Success, Failure>)
    case failure([Failure])
}

extension Outcome: Equatable where Success: Equatable, Failure: Equatable {}

private struct Around<Value: Equatable> {
    @Model
    struct Inside: Equatable {
        var value: Value
    }
}

private struct NoModel: Codable, Equatable {
    var x = 1
}

/// Models with type parameters.
struct GenericModelTests {
    @Test
    func `parameters that are models`() throws {
        let page = Page(items: [Inner(), Inner(number: 2)], next: 3)
        try expectRoundTrip(page)
        #expect(try Page(items: [1, 2]).json() == #"{"items":[1,2]}"#)
        #expect(Page<Int>.typeName == "Page")
        try expectRoundTrip(Pair(first: "a", second: Inner()))
        try expectRoundTrip(Table(rows: ["a": [1]]))
        try expectRoundTrip(Around<Int>.Inside(value: 1))
        #expect(!(Page<NoModel>.self is any Model.Type))
    }

    @Test
    func `parameters that need not be`() throws {
        try expectRoundTrip(Tagged<NoModel>(rawValue: 1))
        try expectRoundTrip(Wrapped(value: NoModel()))
        #expect(try Wrapped(value: NoModel()).json() == #"{"value":{"x":1}}"#)
    }

    @Test
    func `generic enums are read and written`() throws {
        try expectRoundTrip(Outcome<Int, String>.failure(["x"]))
        try expectRoundTrip(Outcome<Int, String>.both(1, .success(2)))
        let error = try decodingError(of: Outcome<Int, String>.self, #"{"failure":{"_0":[1]}}"#)
        #expect(error.path == "failure._0[0]")
    }

    @Test
    func `optional parameters`() throws {
        // The parameter is not written as an optional, so nil is null.
        #expect(try Box<Int?>(value: nil).json() == #"{"value":null}"#)
        #expect(try Box<Int?>(json: #"{"value":null}"#).value == nil)
    }
}
