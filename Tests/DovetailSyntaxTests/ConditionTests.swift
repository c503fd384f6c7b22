import DovetailSyntax
import SwiftSyntax
import Testing

/// `#if` around members and attributes of a model, evaluated for Linux with `FLAG` set.
struct ConditionTests {
    private func attributes(_ source: String) throws -> [ModelDeclaration.Attribute] {
        let reading = readModel("@Model struct A {\n\(source)\n}")
        #expect(reading.problems.isEmpty)
        guard case .structure(let attributes) = try #require(reading.declaration).shape else {
            Issue.record("no struct")
            return []
        }
        return attributes
    }

    @Test(
        arguments: [
            ("#if os(Linux)\nvar a: Int\n#else\nvar b: Int\n#endif\nvar c: Int", ["a", "c"]),
            ("#if os(macOS)\nvar a: Int\n#elseif FLAG\nvar b: Int\n#endif", ["b"]),
            ("#if os(macOS)\nvar a: Int\n#elseif OTHER\nvar b: Int\n#endif", []),
            ("#if FLAG\n#if !FLAG\nvar a: Int\n#else\nvar b: Int\n#endif\n#endif", ["b"]),
            ("#if swift(>=5) && compiler(>=6)\nvar a: Int\n#endif", ["a"]),
            ("#if FLAG && (os(Windows) || os(Linux))\nvar a = 1\nvar x = 2\n#endif", ["a", "x"]),
            ("#if os(Windows)\nvar a = []\n@Transient var b: Int\n#endif\nvar c = 1", ["c"]),
            ("#if canImport(A)\nstatic let a = 1\nvar b: Int { 1 }\n#endif\nvar c = 1", ["c"]),
        ]
    )
    func `properties that are compiled`(source: String, names: [String]) throws {
        #expect(try attributes(source).map(\.documentName) == names)
    }

    @Test
    func `types of clauses`() throws {
        let found = try attributes("#if FLAG\nvar a: Int\n#else\nvar a: String\n#endif")
        #expect(found.map(\.property.type.description) == ["Int"])
    }

    @Test
    func `attributes that are compiled`() throws {
        let found = try attributes(
            """
            #if FLAG
            @Attribute(.primaryKey, name: "key")
            #else
            @Transient
            #endif
            var a = 1
            #if os(Windows)
            @Transient
            #endif
            var b = 1
            #if canImport(X)
            @available(*, deprecated)
            #endif
            var c = 1
            """
        )
        #expect(found.map(\.documentName) == ["key", "b", "c"])
        #expect(found.map(\.isPrimaryKey) == [true, false, false])
    }

    static let doubtfulAttribute =
        "a macro is not told whether this attribute is compiled, as it cannot evaluate canImport; "
        + "use another condition such as os(Linux), or move it out of #if"

    static let problems: [(source: String, problems: [String])] = [
        (
            "struct A {\n#if canImport(B)\n@Transient\n#endif\nvar a = 1\n}",
            ["3:1 " + doubtfulAttribute]
        ),
        (
            "enum A: Int {\ncase a\n#if canImport(B)\n@Fallback case b\n#endif\n}",
            ["4:1 " + doubtfulAttribute]
        ),
        (
            "struct A {\n#if os(Linux)\nvar a = []\n#else\nvar b = []\n#endif\n}",
            ["3:5 " + ModelProblemTests.untyped("a")]
        ),
        (
            "struct A {\nvar a = 1\n#if FLAG\n@Attribute(name: \"a\") var b = 1\n#endif\n}",
            ["4:27 " + ModelProblemTests.repeated("a")]
        ),
        (
            "enum A {\n#if os(Windows)\ncase a\n#endif\n}",
            ["1:13 " + ModelProblemTests.noCases]
        ),
    ]

    @Test(arguments: problems)
    func `problems of what is compiled`(source: String, problems: [String]) {
        #expect(readModel("@Model " + source).problems == problems)
    }

    @Test
    func `without a configuration nothing is known`() {
        let source = "@Model struct A {\n#if os(Linux)\nvar a = 1\n#endif\n}"
        #expect(
            readModel(source, in: nil).problems == ["3:5 " + ModelProblemTests.conditional("a")]
        )
    }

    @Test
    func `cases that are compiled`() throws {
        let members = """
            case a
            #if FLAG
            case b
            #else
            case c
            #endif
            """
        let plain = try #require(readModel("@Model enum A {\n\(members)\n}").declaration)
        guard case .caseEnum(let cases) = plain.shape else {
            Issue.record("no enum of cases")
            return
        }
        #expect(cases.map(\.name) == ["a", "b"])
        let raw = try #require(readModel("@Model enum A: String {\n\(members)\n}").declaration)
        guard case .stringEnum(let strings) = raw.shape else {
            Issue.record("no string enum")
            return
        }
        #expect(strings.map(\.name) == ["a", "b"])
    }
}
