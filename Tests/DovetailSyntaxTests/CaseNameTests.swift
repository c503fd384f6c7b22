import DovetailSyntax
import Testing

/// `@Attribute(name:aliases:)` on cases of enums.
struct CaseNameTests {
    @Test
    func `names and aliases`() throws {
        let source = #"""
            @Model(naming: .snakeCase) enum A {
                @Attribute(name: "B b") case aCase
                @Attribute(aliases: ["old", #"a\.b"#]) case theOther(x: Int)
                @Attribute() case third, fourth
            }
            """#
        let reading = readModel(source)
        #expect(reading.problems.isEmpty)
        guard case .caseEnum(let cases) = try #require(reading.declaration).shape else {
            Issue.record("no enum of cases")
            return
        }
        #expect(cases.map(\.documentName) == ["B b", "the_other", "third", "fourth"])
        #expect(cases.map(\.aliases) == [[], ["old", "a.b"], [], []])
    }

    static let several =
        "a name in documents belongs to one case; write a line with `case` for each of them"
    static let option =
        "a case has a name and aliases in documents and no options; write them as in "
        + "@Attribute(name: \"old\"), and put options on properties"
    static let raw =
        "a case of an enum with a raw type is written as its raw value; remove the attribute and "
        + "write the name as the raw value, as in `case open = \"OPEN\"`"

    static func nested(_ name: String) -> String {
        "the name of a case is one field, but \"\(name)\" is a path; write a dot that belongs to "
            + "the name as `\\.`"
    }

    static let cases: [(source: String, problems: [String])] = [
        ("enum A {\n@Attribute(name: \"x\") case a, b\n}", ["2:1 " + several]),
        ("enum A {\n@Attribute(name: \"x.y\") case a\n}", ["2:18 " + nested("x.y")]),
        ("enum A {\n@Attribute(name: x) case a\n}", ["2:18 " + ModelProblemTests.noLiteral]),
        (
            "enum A {\n@Attribute(aliases: x) case a\n}",
            ["2:21 " + AttributeProblemTests.aliases]
        ),
        ("enum A {\n@Attribute(.transient) case a\n}", ["2:12 " + option]),
        ("enum A {\n@Transient case a\n}", ["2:1 " + option]),
        (
            "enum A {\ncase a\n@Attribute(name: \"a\") case b\n}",
            ["3:28 " + ModelProblemTests.repeatedCase("a")]
        ),
        (
            "enum A {\n@Attribute(aliases: [\"b\", \"c\"]) case a\ncase b\n}",
            ["2:38 " + AttributeProblemTests.repeatedAlias("b")]
        ),
        ("enum A: String {\n@Attribute(name: \"x\") case a\n}", ["2:1 " + raw]),
        (
            "enum A: Int {\n@Attribute(aliases: [\"x\"]) case a\n@Transient case b\n}",
            ["2:1 " + raw, "3:1 " + raw]
        ),
        (
            "enum A {\n@Attribute(.transient, name: \"x.\") case a, b\ncase b(x: Int, x: Int)\n}",
            [
                "2:1 " + several, "2:12 " + option, "2:30 " + nested("x."),
                "3:6 " + ModelProblemTests.repeatedCase("b"),
                "3:16 " + ModelProblemTests.repeatedCase("x"),
            ]
        ),
    ]

    @Test(arguments: cases)
    func `every problem at its place`(source: String, problems: [String]) {
        let reading = readModel("@Model " + source)
        #expect(reading.problems == problems)
        #expect(reading.declaration == nil)
    }
}
