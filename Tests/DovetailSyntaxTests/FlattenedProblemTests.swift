import DovetailSyntax
import Testing

/// `.flattened`, `prefix:` and `flattenable:`, and every complaint about them at its place.
struct FlattenedProblemTests {
    static let option =
        "a flattened property is no field of its own, so options for one do not apply to it; write "
        + "them in the model that is flattened, and the property as a `var` or as a `let` without a "
        + "value"
    static let noModel =
        "only the fields of a model can be flattened; write a struct or an enum with "
        + "@Model(flattenable: true), or an optional of one"
    static let inClass =
        "the columns of a class that a context keeps are its own properties; remove .flattened, or "
        + "make the class a struct"
    static let prefix =
        "prefix: is for the fields of a flattened model; add .flattened, or write name:"
    static let noColumn =
        "a property that is transient, computed, static or lazy has no column; remove the option, "
        + "or make it a stored property of the model"
    static let declaration =
        "a struct or an enum whose cases have values can be flattened; remove flattenable:, or hold "
        + "this one in a struct that has it"
    static let path =
        "an object around attributes cannot be flattened, as the model around it may have the same; "
        + "write a name without a dot, and the object as a model of its own"
    static let enumCase =
        "each case of an enum that can be flattened is one field, so it has one value; write cases "
        + "as in `case string(String)`, without a label, a default and an optional"

    static func outer(_ option: String) -> String {
        "a model that is flattened in another one has no \(option) of its own; say it in the model "
            + "around it, and remove it here"
    }

    static let cases: [(source: String, problems: [String])] = [
        ("struct A { @Attribute(.flattened, name: \"a\") var b: B }", ["1:30 " + option]),
        ("struct A { @Attribute(.flattened, aliases: [\"a\"]) var b: B }", ["1:30 " + option]),
        ("struct A { @Attribute(.flattened, .primaryKey) var b: B }", ["1:30 " + option]),
        ("struct A { @Attribute(.flattened, .unique) var b: B }", ["1:30 " + option]),
        ("struct A { @Attribute(.flattened, .spotlight) var b: B }", ["1:30 " + option]),
        (
            "struct A { @Attribute(.flattened, .transformed(by: T.self)) var b: B }",
            ["1:30 " + option]
        ),
        ("struct A { @Attribute(.flattened, unknown: .throw) var b: B }", ["1:30 " + option]),
        ("struct A { @Attribute(.flattened, originalName: \"c\") var b: B }", ["1:30 " + option]),
        ("struct A { @Attribute(.flattened) let b: B = B() }", ["1:30 " + option]),
        ("struct A { @Attribute(.flattened) var b: [B] }", ["1:46 " + noModel]),
        ("struct A { @Attribute(.flattened) var b: Set<B>? }", ["1:46 " + noModel]),
        ("struct A { @Attribute(.flattened) var b: any B }", ["1:46 " + noModel]),
        ("final class A { @Attribute(.flattened) var b: B }", ["1:35 " + inClass]),
        ("struct A { @Attribute(prefix: \"a\") var b: B }", ["1:38 " + prefix]),
        (
            "struct A { @Attribute(.flattened, prefix: \"\") var b: B }",
            ["1:50 a name in documents cannot be empty; write at least one character"]
        ),
        (
            "struct A { @Attribute(.flattened, prefix: c) var b: B }",
            ["1:50 a name in documents has to be a string literal without interpolation"]
        ),
        ("struct A { @Attribute(.flattened) static var b = B() }", ["1:30 " + noColumn]),
        ("struct A { @Attribute(.flattened) var b: B { B() } }", ["1:30 " + noColumn]),
    ].map { ("@Model " + $0.0, $0.1) }

    static let models: [(source: String, problems: [String])] = [
        (
            "@Model(flattenable: isFlat) struct A {}",
            [
                "1:21 flattenable: takes true or false; a macro cannot see the value of an "
                    + "expression"
            ]
        ),
        ("@Model(flattenable: true) final class A {}", ["1:21 " + declaration]),
        ("@Model(flattenable: true) enum A: Int { case a }", ["1:21 " + declaration]),
        (
            "@Model(flattenable: true) enum A { case a; @Fallback case b(String) }",
            ["1:21 " + declaration]
        ),
        ("@Model(flattenable: true) enum A { case a(Int), b }", ["1:21 " + enumCase]),
        ("@Model(flattenable: true) enum A { case a(Int, Int) }", ["1:21 " + enumCase]),
        ("@Model(flattenable: true) enum A { case a(x: Int) }", ["1:21 " + enumCase]),
        ("@Model(flattenable: true) enum A { case a(Int?) }", ["1:21 " + enumCase]),
        ("@Model(flattenable: true) enum A { case a(Int = 1) }", ["1:21 " + enumCase]),
        (
            "@Model(flattenable: true, version: 2) struct A {}", ["1:21 " + outer("version")]
        ),
        (
            "@Model(flattenable: true, readsNewer: true) struct A {}",
            ["1:21 " + outer("version")]
        ),
        (
            "@Model(flattenable: true, unknownFields: .preserve) struct A {}",
            ["1:21 " + outer("place for unknown fields")]
        ),
        (
            "@Model(flattenable: true) struct A { @Attribute(name: \"a.b\") var a: Int }",
            ["1:66 " + path]
        ),
        (
            "@Model(flattenable: true) struct A { @Attribute(aliases: [\"x.b\"]) var a: Int }",
            ["1:71 " + path]
        ),
    ]

    @Test(arguments: cases + models)
    func `what does not fit is reported at its place`(source: String, problems: [String]) {
        let reading = readModel(source)
        #expect(reading.problems == problems)
        #expect(reading.declaration == nil)
    }

    @Test
    func `what fits is no problem`() {
        let sources = [
            "@Model struct A { @Attribute(.flattened) let b: B; @Attribute(.flattened) var c: B? }",
            "@Model struct A { @Attribute(.flattened, prefix: \"a\") var b = B() }",
            "@Model(managed: false) final class A { @Attribute(.flattened) var b: B }",
            "@Model(flattenable: true, unknownFields: .throw) struct A { @Attribute(name: #\"a\\.b\"#) var a: Int }",
            "@Model(flattenable: true) enum A { case a(Int), b([String]) }",
            "@Model(flattenable: false) enum A { case a }",
            "@Model struct A { #Index<A>([\\.b.c, \\.d?.e]); @Attribute(.flattened) var b: B; @Attribute(.flattened) var d: B? }",
        ]
        for source in sources { #expect(readModel(source).problems == []) }
        #expect(sources.count == 7)
    }

    @Test
    func `an index over a flattened model itself has no column`() {
        let reading = readModel(
            "@Model struct A { #Index<A>([\\.b]); @Attribute(.flattened) var b: B }"
        )
        #expect(reading.names == ["indexWithoutColumn"])
    }

    @Test
    func `a default for unknown fields is not for models that are flattened`() {
        let reading = readModel(
            "@ModelDefaults(unknownFields: .preserve) enum E { "
                + "@Model(flattenable: true) struct A { var b: Int } }"
        )
        #expect(reading.problems.isEmpty && reading.declaration?.unknownFields == .skip)
    }
}
