import DovetailSyntax
import Testing

/// What `version:` and `readsNewer:` take.
struct VersionProblemTests {
    static let number = "version: takes a whole number from 1 on, written as a literal"
    static let rawEnum =
        "an enum with a raw type is written as one value, with no object that could hold a version; "
        + "remove version:, and give the model around it one"
    static let field =
        "the field \"$version\" holds the version of the model; give what is declared under this "
        + "name another one with @Attribute(name:)"
    static let literal =
        "readsNewer: takes true or false; a macro cannot see the value of an expression"

    static let cases: [ModelProblemTests.Case] = [
        .init(name: "zero", source: "@Model(version: 0) struct A {}", problems: ["1:17 " + number]),
        .init(
            name: "negative",
            source: "@Model(version: -1) struct A {}",
            problems: ["1:17 " + number]
        ),
        .init(
            name: "constant",
            source: "@Model(version: Self.current) struct A {}",
            problems: ["1:17 " + number]
        ),
        .init(
            name: "raw enum",
            source: "@Model(version: 2) enum A: String { case a }",
            problems: ["1:17 " + rawEnum]
        ),
        .init(
            name: "attribute of the name",
            source: "@Model(version: 2) struct A { @Attribute(name: \"$version\") var a: Int }",
            problems: ["1:17 " + field]
        ),
        .init(
            name: "case of the name",
            source: "@Model(version: 2) enum A { @Attribute(name: \"$version\") case a }",
            problems: ["1:17 " + field]
        ),
        .init(
            name: "expression",
            source: "@Model(readsNewer: isNewer) struct A {}",
            problems: ["1:20 " + literal]
        ),
        .init(
            name: "deletion as an expression",
            source: "@Model(deletion: rule) struct A {}",
            problems: [
                "1:18 deletion: takes .remove or .mark; a macro cannot see the value of an expression"
            ]
        ),
        .init(
            name: "deletion of a class",
            source: "@Model(deletion: .mark) final class A { var a = 1; init() {} }",
            problems: []
        ),
        .init(
            name: "deletion of an enum",
            source: "@Model(deletion: .mark) enum A { case a }",
            problems: [
                "1:18 an enum has no table of its own, so no row of it is deleted; remove "
                    + "'deletion: .mark'"
            ]
        ),
        .init(
            name: "managed as an expression",
            source: "@Model(managed: isManaged) final class A {}",
            problems: [
                "1:17 managed: takes true or false; a macro cannot see the value of an expression"
            ]
        ),
    ]

    @Test(arguments: cases)
    func `is reported at its place`(_ test: ModelProblemTests.Case) {
        #expect(readModel(test.source).problems == test.problems)
    }

    @Test(arguments: [
        "@Model(version: 1) struct A {}",
        "@Model(version: 12, readsNewer: false) enum A { case a }",
        "@Model struct A { @Attribute(name: \"$version\") var a: Int }",
    ])
    func `what is right is not`(_ source: String) {
        #expect(readModel(source).problems == [])
    }
}
