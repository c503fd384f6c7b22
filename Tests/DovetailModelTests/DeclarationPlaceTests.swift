import Dovetail
import Testing

// Where a declaration may be, and what may be named around it.

enum Outer {
    @Model
    struct Nested: Equatable {
        var value: Int

        @Model
        enum Kind: Equatable { case one(Nested), two }
    }

    @Model
    fileprivate struct Hidden: Equatable {
        private var value = 2
    }
}

extension Outer.Nested {
    @Model
    struct Inside: Equatable {
        var nested: Outer.Nested
    }
}

/// Everything that generated code names, or could name, means something else here.
private enum Shadows {
    struct Optional {}
    struct Data {}
    struct Date {}
    struct Bool {}
    struct Void {}
    struct Array {}
    struct Dovetail {}
    struct Foundation {}
    struct Swift {}
    struct ModelReader {}
    struct ModelWriter {}
    struct ModelAttribute {}
    struct ModelValue {}
    struct Sendable {}
    struct Identifiable {}
    struct Encodable {}
    struct Decodable {}
    struct ModelKey {}
    struct String {}
    struct Task: Equatable {}
    struct StaticString {}

    @Model
    struct Value: Equatable {
        @Attribute(.primaryKey) var number: Int
        var maybe: Int?
        var flag = true
        var text = "x"
        var list: [Int] = []
    }

    @Model
    enum Choice: Equatable { case a(Int?, list: [Int]), task }

    @Model
    enum Raw: Int { case a }

}

private enum MoreShadows {
    @Model
    struct Task: Equatable { var title: String }

    @Model
    struct Date: Equatable { var year: Int }

    @Model
    struct Model: Equatable { var date: Date; var task: Task? }

    @Model
    struct Optional: Equatable { var model: Model; var data: Foundation.Data }
}

@Model
private struct Backticks: Equatable {
    var `default`: Int
    var `init`: Int
    var `self`: Int?
    let `let`: Int
    var `is spaced`: Int
}

/// Declarations in every place.
struct DeclarationPlaceTests {
    @Test
    func `nested types`() throws {
        try expectRoundTrip(Outer.Nested(value: 1))
        try expectRoundTrip(Outer.Nested.Kind.one(Outer.Nested(value: 1)))
        try expectRoundTrip(Outer.Nested.Inside(nested: Outer.Nested(value: 1)))
        #expect(Outer.Nested.Inside.typeName == "Inside")
        try expectRoundTrip(Outer.Hidden())
    }

    @Test
    func `shadowed names`() throws {
        try expectRoundTrip(Shadows.Value(number: 1, maybe: 2))
        try expectRoundTrip(Shadows.Choice.a(1, list: [1]))
        try expectRoundTrip(Shadows.Choice.task)
        try expectRoundTrip(Shadows.Raw.a)
        let model = MoreShadows.Model(date: .init(year: 1), task: .init(title: "t"))
        try expectRoundTrip(MoreShadows.Optional(model: model, data: Data([1])))
    }

    @Test
    func `names in backticks are names without them`() throws {
        let value = Backticks(default: 1, init: 2, self: nil, let: 5, `is spaced`: 6)
        #expect(
            try value.json() == #"{"default":1,"init":2,"let":5,"is spaced":6}"#
        )
        try expectRoundTrip(value)
    }
}
