import DovetailSyntax
import SwiftSyntax
import Testing

/// What a declaration with `@Model` is read as.
struct ModelDeclarationTests {
    private func attributes(_ source: String) throws -> [ModelDeclaration.Attribute] {
        let reading = readModel(source)
        #expect(reading.problems.isEmpty)
        guard case .structure(let attributes) = try #require(reading.declaration).shape else {
            Issue.record("no struct")
            return []
        }
        return attributes
    }

    @Test
    func `stored properties in their order`() throws {
        let found = try attributes(
            """
            @Model struct A {
                let a: Int, b: String?
                var c, d: Double
                var e = 1, f: Bool
                static var g: Int = 1
                lazy var h: Int = 1
                var i: Int { 1 }
                var j: Int { get { 1 } set {} }
                var k: Int = 1 { didSet {} }
                let constant = 5
                var n: Int? = nil, o: Int? = 1, p: Alias = nil
                private(set) var `default`: Optional<Int>
                @Transient var l = 1
                @Attribute(.transient) var m: Int = 1
            }
            """
        )
        #expect(
            found.map(\.documentName) == [
                "a", "b", "c", "d", "e", "f", "k", "constant", "n", "o", "p", "default",
            ]
        )
        #expect(
            found.map { $0.property.type.description }
                == [
                    "Int", "String?", "Double", "Double", "Swift::Int", "Bool", "Int",
                    "Swift::Int", "Int?", "Int?", "Alias", "Optional<Int>",
                ]
        )
        #expect(
            found.map(\.property.hasDefault)
                == [
                    false, false, false, false, true, false, true, true, false, true, true, false,
                ]
        )
        #expect(
            found.map(\.property.isOptional)
                == [
                    false, true, false, false, false, false, false, false, true, true, false, true,
                ]
        )
        #expect(found.map(\.property.name).last == "`default`")
    }

    @Test(
        arguments: [
            ("\"x\"", "Swift::String"), ("true", "Swift::Bool"), ("1", "Swift::Int"),
            ("-1", "Swift::Int"), ("1.5", "Swift::Double"), ("-1e3", "Swift::Double"),
            ("Date()", "Date"), ("0x10", "Swift::Int"), ("\"\"\"\nx\n\"\"\"", "Swift::String"),
        ]
    )
    func `type of a default`(value: String, type: String) throws {
        let found = try attributes("@Model struct A { var a = \(value) }")
        #expect(found.map { $0.property.type.description } == [type])
    }

    @Test
    func `primary keys`() throws {
        let ownID = try attributes("@Model struct A { var id: Int; var sku: Int }")
        #expect(ownID.map(\.isPrimaryKey) == [true, false])
        let named = try attributes(
            "@Model struct A { var id: Int; @Attribute(.primaryKey) var sku: Int }"
        )
        #expect(named.map(\.isPrimaryKey) == [false, true])
    }

    @Test(
        arguments: [
            ("@Model(typeName: \"lorry\") struct A {}", "lorry", "", false, false),
            ("@Model public struct A { var id: Int }", "A", "public ", false, true),
            ("@Model package struct A<T> { var id: Int { 1 } }", "A", "package ", true, true),
            ("struct B<T> { @Model fileprivate struct A {} }", "A", "", true, false),
            ("extension B { @Model struct A {} }", "A", "", false, false),
        ]
    )
    func `name access and place`(
        source: String,
        typeName: String,
        access: String,
        isGeneric: Bool,
        declaresID: Bool
    ) throws {
        let declaration = try #require(readModel(source).declaration)
        #expect(declaration.name == "A")
        #expect(declaration.typeName == typeName)
        #expect(declaration.access == access)
        #expect(declaration.isGeneric == isGeneric)
        #expect(declaration.declaresID == declaresID)
    }

    @Test
    func `cases of string enums`() throws {
        let source =
            ##"@Model enum A: String { case a, `default`; case c = "x\n\u{41}", d = #"\"# }"##
        guard case .stringEnum(let cases) = try #require(readModel(source).declaration).shape else {
            Issue.record("no string enum")
            return
        }
        #expect(cases.map(\.name) == ["a", "`default`", "c", "d"])
        #expect(cases.map(\.value) == ["a", "default", "x\nA", "\\"])
    }

    @Test(
        arguments: [
            "@Model enum A: Int { case a }", "@Model enum A: UInt8, Sendable { case a }",
            "@Model enum A: Alias { case a = 1 }", "@Model enum A: Swift.Int { case a }",
            "@Model enum A: String {\n#if canImport(B)\ncase a\n#endif\ncase b }",
            "@Model enum A: Alias {\n#if canImport(B)\ncase a = 1\n#endif\ncase b }",
        ]
    )
    func `other raw enums`(source: String) throws {
        guard case .rawEnum = try #require(readModel(source).declaration).shape else {
            Issue.record("not read as an enum of raw values")
            return
        }
    }

    @Test
    func `cases with values`() throws {
        let source = """
            @Model indirect enum A: Codable {
                case a, `default`(`in`: Int, _ x: A?)
                case c(Int, name: [String] = ["x"])
            }
            """
        guard case .caseEnum(let cases) = try #require(readModel(source).declaration).shape else {
            Issue.record("no enum of cases")
            return
        }
        #expect(cases.map(\.name) == ["a", "`default`", "c"])
        #expect(cases.map(\.documentName) == ["a", "default", "c"])
        let values = cases.flatMap(\.values)
        #expect(values.map(\.label) == ["`in`", nil, nil, "name"])
        #expect(values.map(\.documentName) == ["in", "_1", "_0", "name"])
        #expect(values.map(\.type.description) == ["Int", "A?", "Int", "[String]"])
        #expect(values.map(\.defaultValue) == [nil, nil, nil, "[\"x\"]"])
    }
}
