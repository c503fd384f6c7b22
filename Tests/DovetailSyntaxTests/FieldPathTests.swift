import DovetailSyntax
import Testing

/// Names with dots: places in nested objects.
struct FieldPathTests {
    private func attributes(_ members: String) throws -> [ModelDeclaration.Attribute] {
        let reading = readModel("@Model struct A { \(members) }")
        #expect(reading.problems.isEmpty)
        guard case .structure(let attributes) = try #require(reading.declaration).shape else {
            Issue.record("no struct")
            return []
        }
        return attributes
    }

    @Test(
        arguments: [
            (#""a.b.c""#, ["a", "b", "c"], "a.b.c"),
            (##"#"a\.b.c"#"##, ["a.b", "c"], #"["a.b"].c"#),
            (#""a\\.b""#, ["a.b"], #"["a.b"]"#),
            (#""a b.c[0]""#, ["a b", "c[0]"], #"["a b"]["c[0]"]"#),
            (##"#"a\b\"#"##, [#"a\b\"#], #"["a\b\"]"#),
            (#""""#, [""], #"[""]"#),
        ]
    )
    func `dots separate`(literal: String, components: [String], text: String) throws {
        let path = try attributes("@Attribute(name: \(literal)) var x: Int")[0].path
        #expect(path.components == components)
        #expect(path.text == text)
        #expect(path.columnName == components.joined(separator: "."))
        #expect(path.isNested == (components.count > 1))
    }

    @Test
    func `attributes of one object follow each other`() throws {
        let found = try attributes(
            """
            @Attribute(name: "p.q.a") var a: Int
            var b: Int
            @Attribute(name: "p.c") var c: Int
            @Attribute(name: "p.q.d", aliases: ["d", "old.d"]) var d: Int
            """
        )
        #expect(found.map(\.documentName) == ["p.q.a", "p.q.d", "p.c", "b"])
        let written = ModelDeclaration.Attribute.writtenFields(of: found)
        #expect(written.map(\.name) == ["p", "b"])
        #expect(written[0].members.map(\.name) == ["q", "c"])
        #expect(written[0].members[0].members.map(\.attribute) == [0, 1])
        let read = ModelDeclaration.Attribute.readFields(of: found)
        #expect(read.map(\.name) == ["p", "b", "d", "old"])
        #expect(read[2].attribute == 1)
        #expect(read[3].members[0].attribute == 1)
    }
}
