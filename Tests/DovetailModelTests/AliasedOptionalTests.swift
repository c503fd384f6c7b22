import Dovetail
import Testing

private typealias Maybe = Int?
private typealias MaybeOf<Wrapped> = Wrapped?

@Model
private struct Aliased: Equatable {
    var plain: Maybe
    var generic: MaybeOf<String>
    var nested: Names.MaybeNumber
    var spelled: Swift.Optional<Int>
    var implicit: Int!
    var filled: Maybe = 5
    var empty: Maybe = nil
    var required: Names.Number

    enum Names {
        typealias MaybeNumber = Double?
        typealias Number = Double
    }
}

@Model
private enum AliasedCase: Equatable {
    case one(Maybe, MaybeOf<String>)
    case filled(Maybe = 5)
}

/// A typealias of an optional behaves like the optional.
struct AliasedOptionalTests {
    @Test
    func `nil is left out and may be absent`() throws {
        let empty = Aliased(plain: nil, generic: nil, nested: nil, spelled: nil, required: 1)
        #expect(try empty.json() == #"{"filled":5,"required":1}"#)
        #expect(try Aliased(json: #"{"required":1}"#) == empty)
        try expectRoundTrip(empty)
        let full = Aliased(
            plain: 1,
            generic: "a",
            nested: 2,
            spelled: 3,
            implicit: 4,
            filled: nil,
            empty: 6,
            required: 7
        )
        #expect(
            try full.json() == """
                {"plain":1,"generic":"a","nested":2,"spelled":3,"implicit":4,"filled":null,"empty":6,\
                "required":7}
                """
        )
        try expectRoundTrip(full)
        let nulls = #"{"plain":null,"generic":null,"nested":null,"implicit":null,"empty":null,"#
        #expect(try Aliased(json: nulls + #""spelled":null,"required":1}"#) == empty)
    }

    @Test
    func `an alias of a plain type is required`() throws {
        let error = try decodingError(of: Aliased.self, "{}")
        #expect(
            error.description
                == "required: expected a value, found no such field (line 1, column 1)"
        )
    }

    @Test
    func `in cases`() throws {
        #expect(try AliasedCase.one(nil, nil).json() == #"{"one":{}}"#)
        #expect(try AliasedCase.filled(nil).json() == #"{"filled":{"_0":null}}"#)
        for value in [AliasedCase.one(nil, nil), .one(1, "a"), .filled(nil), .filled()] {
            try expectRoundTrip(value)
        }
    }

    @Test
    func `columns may be null`() {
        #expect(
            Aliased.modelAttributes.map(\.isOptional)
                == [true, true, true, true, true, true, true, false]
        )
    }
}
