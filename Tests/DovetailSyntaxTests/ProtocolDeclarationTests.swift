import DovetailSyntax
import Testing

/// What `@ModelProtocol` reads of a protocol, and what it complains about.
struct ProtocolDeclarationTests {
    @Test
    func `holds what is written`() throws {
        let reading = readProtocol(
            #"@ModelProtocol(typeKey: "resource\u{54}ype") public protocol P: Q, Sendable {}"#
        )
        let declaration = try #require(reading.declaration)
        #expect(reading.problems.isEmpty)
        #expect(declaration.name == "P")
        #expect(declaration.access == "public ")
        #expect(declaration.typeKey?.text == "resourceType")
        #expect(declaration.parents == ["Q", "Sendable"])
    }

    @Test
    func `holds the requirements that a key path can have`() throws {
        let reading = readProtocol(
            """
            @ModelProtocol protocol P: Q, Sendable {
                associatedtype Food
                var a: Int { get }
                var `default`: [String]? { get set }
                static var b: Int { get }
                var c: Int { get throws }
                var d: Int { get async }
                var e: Food { get }
                var f: [Self] { get }
                var g: Int { mutating get }
                @MainActor var h: Int { get }
                var id: ID { get }
                func i()
                var j: Int { get }, k: Int { get }
            }
            """
        )
        #expect(reading.problems.isEmpty)
        let declaration = try #require(reading.declaration)
        #expect(declaration.requirements.map(\.plainName) == ["a", "default", "j", "k"])
        #expect(declaration.requirements[1].name == "`default`")
        #expect(declaration.parentsWithRequirements == ["Q"])
        let isolated = readProtocol("@MainActor @ModelProtocol protocol P { var a: Int { get } }")
        #expect(isolated.declaration?.requirements.isEmpty == true)
    }

    @Test(
        arguments: [
            ("enum E { @ModelProtocol protocol P {} }", ""),
            ("public enum E { @ModelProtocol public protocol P {} }", "public "),
            ("enum E { @ModelProtocol public protocol P {} }", ""),
            ("package enum E { @ModelProtocol public protocol P {} }", "package "),
            ("private enum E { @ModelProtocol public protocol P {} }", "fileprivate "),
            ("enum E { @ModelProtocol fileprivate protocol P {} }", "fileprivate "),
            ("public extension E { @ModelProtocol protocol P {} }", "public "),
            ("extension E.F { @ModelProtocol public protocol P {} }", "public "),
        ]
    )
    func `inside of a type what it writes is as visible as both`(
        source: String,
        access: String
    )
        throws
    {
        let declaration = try #require(readProtocol(source).declaration)
        #expect(declaration.isNested && declaration.access == access)
    }

    @Test(
        arguments: [
            "func f() { @ModelProtocol protocol P {} }",
            "enum E<T> { @ModelProtocol protocol P {} }",
        ]
    )
    func `is left to the compiler where it refuses protocols itself`(source: String) {
        let reading = readProtocol(source)
        #expect(reading.declaration == nil && reading.problems.isEmpty)
    }

    @Test
    func `holds the types that its extension cannot see`() throws {
        let source =
            "@ModelProtocol(unknown: .preserve) protocol P { "
            + "var a: Kind? { get }; var b: [any Q & R] { get }; var c: Kind? { get } }"
        let nested = try #require(readProtocol("enum E { \(source) }").declaration)
        #expect(nested.localTypes == ["Kind?", "[any Q & R]", "any Q & R", "any Q", "any R"])
        #expect(readProtocol(source).declaration?.localTypes.isEmpty == true)
    }

    @Test
    func `has no type key of its own`() throws {
        let declaration = try #require(readProtocol("@ModelProtocol protocol P {}").declaration)
        #expect(declaration.typeKey == nil)
        #expect(declaration.access.isEmpty)
        #expect(declaration.parents.isEmpty)
    }

    @Test
    func `holds every argument`() throws {
        let reading = readProtocol(
            #"""
            @ModelProtocol(
                aliases: ["a", "b"], tagging: .adjacent(tag: "t", content: "c"), tagKind: .integer,
                conformers: A.self, B<Int>.self
            ) protocol P {}
            """#
        )
        #expect(reading.problems.isEmpty)
        let declaration = try #require(reading.declaration)
        #expect(declaration.aliases == ["a", "b"])
        #expect(declaration.tagging == .adjacent(tag: "t", content: "c"))
        #expect(declaration.tagKind == .integer)
        #expect(declaration.conformers == ["A.self", "B<Int>.self"])
        let external = readProtocol("@ModelProtocol(tagging: .external) protocol P {}")
        #expect(external.declaration?.tagging == .external)
        let plain = readProtocol("@ModelProtocol(typeKey: nil, tagging: .internal) protocol P {}")
        #expect(plain.declaration?.tagging == .internal)
        #expect(plain.declaration?.conformers == nil)
    }

    static let typeKeyBeside =
        "this tagging has no type key; use .internal, or remove the type key "
        + "(the first name of .adjacent(tag:content:) is the key there)"
    static let privateInside =
        "a private type inside of another one is out of reach for the extension that the macro "
        + "writes; make it fileprivate"
    static let taggings =
        "tagging: takes .internal, .adjacent(tag: \"…\", content: \"…\"), .external, .untagged"
    static let noLiteral = "a name in documents has to be a string literal without interpolation"
    static let empty = "a name in documents cannot be empty; write at least one character"
    static let noList =
        "names in documents have to be written as a list of string literals, as in [\"a\", \"b\"]"

    static func same(_ name: String) -> String { "\"\(name)\" is named twice; remove one of them" }

    static let levelWithoutKey =
        "a protocol with a name is told by the key above, so its conformers need a key of their own; "
        + "write typeKey:, or remove typeName:"
    static let problems: [(source: String, problems: [String])] = [
        ("enum E {\n  @ModelProtocol private protocol P {}\n}", ["2:18 " + privateInside]),
        ("enum E { private enum F { @ModelProtocol protocol P {} } }", ["1:27 " + privateInside]),
        (#"@ModelProtocol(typeKey: "") protocol P {}"#, ["1:25 " + empty]),
        (
            #"@ModelProtocol(typeKey: "a..b") protocol P {}"#,
            [
                "1:25 the path \"a..b\" has an empty name beside a dot; write a dot that belongs to the "
                    + "name as `\\.`"
            ]
        ),
        (
            "@ModelProtocol(tagging: .untagged) protocol P {}",
            [
                "1:1 without tags conformers are tried in an order, which only a list says; write "
                    + "conformers: A.self, B.self"
            ]
        ),
        (#"@ModelProtocol(typeName: "a") protocol P: Q {}"#, ["1:26 " + levelWithoutKey]),
        (
            #"@ModelProtocol(typeKey: "k", typeName: "a") protocol P: Sendable {}"#,
            [
                "1:40 the name is that of a conformer of another model protocol; refine one, as in "
                    + "`protocol Block: Object`, or remove typeName:"
            ]
        ),
        (
            "@ModelProtocol(default: A.self, tagging: .external) protocol P {}",
            [
                "1:25 this is for type keys inside of the object; use .internal tagging, or remove it"
            ]
        ),
        (
            "@ModelProtocol(wrapper: flag) protocol P {}",
            ["1:25 wrapper: takes true or false; a macro cannot see the value of an expression"]
        ),
        (
            #"@ModelProtocol(tagging: .adjacent(tag: "", content: "")) protocol P {}"#,
            [
                "1:25 the tag and the content are both named \"\"; give one of them another name",
                "1:40 " + empty, "1:53 " + empty,
            ]
        ),
        (
            #"@ModelProtocol(tagging: .adjacent(tag: "a", content: "a")) protocol P {}"#,
            ["1:25 the tag and the content are both named \"a\"; give one of them another name"]
        ),
        (
            #"@ModelProtocol(tagging: .adjacent(tag: a, content: "b\(c)")) protocol P {}"#,
            ["1:40 " + noLiteral, "1:52 " + noLiteral]
        ),
        ("@ModelProtocol(tagging: .beside) protocol P {}", ["1:25 " + taggings]),
        ("@ModelProtocol(tagging: x) protocol P {}", ["1:25 " + taggings]),
        (
            "@ModelProtocol(unknown: .keep) protocol P {}",
            ["1:25 unknown: and unknownFields: take .throw, .skip, .preserve"]
        ),
        (
            "@ModelProtocol(tagKind: .double) protocol P {}",
            ["1:25 tagKind: takes .string, .integer, .boolean, .stringOrList, .scalar"]
        ),
        (
            #"@ModelProtocol(typeKey: "a", tagging: .external) protocol P {}"#,
            ["1:25 " + typeKeyBeside]
        ),
        (
            #"@ModelProtocol(aliases: ["a"], tagging: .external) protocol P {}"#,
            ["1:25 " + typeKeyBeside]
        ),
        (
            #"@ModelProtocol(typeKey: "a", tagging: .adjacent(tag: "b", content: "c")) protocol P {}"#,
            ["1:25 " + typeKeyBeside]
        ),
        (#"@ModelProtocol(typeKey: "a", aliases: ["a"]) protocol P {}"#, ["1:39 " + same("a")]),
        (#"@ModelProtocol(aliases: ["a", "b", "a"]) protocol P {}"#, ["1:36 " + same("a")]),
        ("@ModelProtocol(aliases: names) protocol P {}", ["1:25 " + noList]),
        (
            #"@ModelProtocol(aliases: [a, ""]) protocol P {}"#,
            ["1:26 " + noLiteral, "1:29 " + empty]
        ),
        (
            "\n@ModelProtocol struct P {}",
            ["2:1 @ModelProtocol belongs on a protocol; use @Model for a struct or an enum"]
        ),
        (
            "@ModelProtocol protocol Value {}",
            [
                "1:25 generated code has a type named Value where it has to name this protocol; give the "
                    + "protocol another name"
            ]
        ),
        (
            "@ModelProtocol(wrapper: true) protocol Coding {}",
            [
                "1:40 generated code has a type named Coding where it has to name this protocol; give the "
                    + "protocol another name"
            ]
        ),
        (
            "  @ModelProtocol(typeKey: key) protocol P {}",
            ["1:27 a name in documents has to be a string literal without interpolation"]
        ),
        (
            #"@ModelProtocol(typeKey: "a\(b)") protocol P {}"#,
            ["1:25 a name in documents has to be a string literal without interpolation"]
        ),
    ]

    @Test(arguments: problems)
    func `every problem at its place`(source: String, problems: [String]) {
        let reading = readProtocol(source)
        #expect(reading.problems == problems)
        #expect(reading.declaration == nil)
    }

    @Test
    func `aliases of a model`() throws {
        let reading = readModel(#"@Model(typeName: "a", aliases: ["b", "c"]) struct A {}"#)
        #expect(reading.declaration?.typeAliases == ["b", "c"])
        #expect(readModel("@Model(aliases: x) struct A {}").problems == ["1:17 " + Self.noList])
        #expect(
            readModel(#"@Model(aliases: ["b", "b"]) struct A {}"#).problems
                == ["1:23 " + Self.same("b")]
        )
    }

    @Test(
        arguments: [
            ("", ""), ("public", "public "), ("package", "package "), ("internal", ""),
            ("private", "fileprivate "), ("fileprivate", "fileprivate "),
        ]
    )
    func `access of what is generated`(written: String, generated: String) throws {
        let source = "@ModelProtocol \(written) protocol P {}"
        #expect(try #require(readProtocol(source).declaration).access == generated)
    }
}
