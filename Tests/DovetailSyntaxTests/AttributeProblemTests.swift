import DovetailSyntax
import Testing

/// Every complaint about the options of `@Attribute` and about `@Fallback`, at its place.
struct AttributeProblemTests {
    static func valueAndObject(_ name: String) -> String {
        "\"\(name)\" is a value for one attribute and an object around another; give one of them "
            + "another name, or write a dot that belongs to the name as `\\.`"
    }
    static func repeatedAlias(_ name: String) -> String {
        "the alias \"\(name)\" is a name in this model already; remove one of the two"
    }
    static func emptyName(_ path: String) -> String {
        "the path \"\(path)\" has an empty name beside a dot; write a dot that belongs to the name "
            + "as `\\.`"
    }
    static let aliases =
        "aliases have to be string literals in brackets, as in `aliases: [\"old\"]`"
    static let option =
        "an option of @Attribute has to be written out, as in `.transient`; a macro cannot see the "
        + "value of an expression"
    static let transformer =
        "a macro cannot see the value of an expression; write the type of the transformer, as in "
        + ".transformable(by: ColorTransformer.self)"
    static let nameLiteral =
        "a name in documents has to be a string literal without interpolation"
    static let noDefault =
        "a transient property is not read from documents, so it needs a default value"
    static let transforms =
        "a property has one transform at most; write one that does the work of both"
    static let elements =
        "elementsBy: transforms what an array, set or dictionary holds; write the type as one of "
        + "these, or use by:"
    static let empty =
        "an empty value that is left out would come back as nil; make the property no optional, or "
        + "remove .omittedWhenEmpty"
    static let noRawType =
        "@Fallback stands for unknown raw values, so the enum needs a raw type, as in `: String`, "
        + "or the case a string to keep, as in `case other(String)`"
    static let fallbacks =
        "an enum has one case for unknown raw values; write @Fallback on a case of its own, once"
    static let noLiteral = ModelProblemTests.noLiteral

    static let constant =
        ".constant asks documents for the value of a constant; write the property as "
        + "`let name: Type = value`, or remove .constant"
    static let constantKey =
        "a constant is not read from rows and documents, so it cannot be the primary key; write "
        + "`var`, or `let` without a value"

    static let nullWithoutOptional =
        ".nullWhenNil is for optionals, as no other value is nil; write the type with a question "
        + "mark, or remove the option"
    static let nullIsAValue =
        "null is a value of this type, and nil an absent field; remove .nullWhenNil, or one "
        + "question mark"
    static let defaultBesideNull =
        "nil is an absent field of this type, which would come back as the default; remove the "
        + "default, or one question mark"
    static func differs(_ value: String) -> String {
        "a let with a value is written and never read, and \(value) is another one each time; write "
            + "var, or @Transient if it is not to be written"
    }
    static let cases: [(members: String, problems: [String])] = [
        (
            """
            @Attribute(.nullWhenNil) var a: Int
            @Attribute(.nullWhenNil) var b: [Int]
            @Attribute(.nullWhenNil) var c: Int?
            @Attribute(.nullWhenNil) var d: Alias
            @Attribute(.nullWhenNil) var e: Int??
            @Attribute(.nullWhenNil) var f: ModelDocument?
            """,
            [
                "2:12 " + nullWithoutOptional, "3:12 " + nullWithoutOptional,
                "6:12 " + nullIsAValue, "7:12 " + nullIsAValue,
            ]
        ),
        (
            "var a: Int?? = 1\nvar b: Int?? = nil\nvar c: ModelDocument? = [:]",
            ["2:5 " + defaultBesideNull, "4:5 " + defaultBesideNull]
        ),
        (
            """
            @Attribute(.constant) var a: Int = 1
            @Attribute(.constant) let b: Int
            @Attribute(.constant) let c: Int = 1
            """,
            ["2:27 " + constant, "3:27 " + constant]
        ),
        ("@Attribute(.primaryKey) let a: Int = 1", ["2:29 " + constantKey]),
        (
            "@Attribute(name: \"a.b\") var x: Int\nvar a: Int",
            ["3:5 " + valueAndObject("a")]
        ),
        (
            "@Attribute(name: \"a.b\") var x: Int\n@Attribute(name: \"a.b.c\") var y: Int",
            ["3:31 " + valueAndObject("b")]
        ),
        (
            "@Attribute(name: \"a.b\") var x: Int\n@Attribute(name: \"a.b\") var y: Int",
            ["3:29 " + ModelProblemTests.repeated("a.b")]
        ),
        (
            "@Attribute(name: \"a.b\") var x: Int\n@Attribute(name: #\"a\\.b\"#) var y: Int",
            ["3:32 " + ModelProblemTests.repeated("a.b")]
        ),
        (
            "@Attribute(aliases: [\"b\"]) var a: Int\nvar b: Int",
            ["2:32 " + repeatedAlias("b")]
        ),
        ("@Attribute(aliases: [\"a\"]) var a: Int", ["2:32 " + repeatedAlias("a")]),
        (
            "@Attribute(aliases: [\"c\"]) var a: Int\n@Attribute(aliases: [\"c\"]) var b: Int",
            ["3:32 " + repeatedAlias("c")]
        ),
        (
            "@Attribute(name: \"a.b\") var x: Int\n@Attribute(aliases: [#\"a\\.b\"#]) var y: Int",
            ["3:37 " + repeatedAlias("a.b")]
        ),
        (
            "@Attribute(aliases: [\"b.c\"]) var a: Int\nvar b: Int",
            ["2:34 " + valueAndObject("b")]
        ),
        ("@Attribute(name: \"a..b\") var a: Int", ["2:18 " + emptyName("a..b")]),
        (
            "@Attribute(name: \".a\", aliases: [\"b.\"]) var a: Int",
            ["2:18 " + emptyName(".a"), "2:34 " + emptyName("b.")]
        ),
        ("@Attribute(aliases: names) var a: Int", ["2:21 " + aliases]),
        ("@Attribute(aliases: [\"b\", c]) var a: Int", ["2:27 " + noLiteral]),
        ("@Attribute(option) var a: Int", ["2:12 " + option]),
        (
            "@Attribute(.transformed(by: A.self), .transformed(by: B.self)) var a: Int",
            ["2:38 " + transforms]
        ),
        ("@Attribute(.transformable(by: \"A\")) var a: B", ["2:31 " + transformer]),
        ("@Attribute(.transformable(by: name)) var a: B", ["2:31 " + transformer]),
        (
            "@Attribute(.transformable(by: A.self), .transformed(by: B.self)) var a: Int",
            ["2:40 " + transforms]
        ),
        ("@Attribute(originalName: \"a\\(1)\") var b: Int", ["2:26 " + nameLiteral]),
        ("@Attribute(hashModifier: text) var b: Int", ["2:26 " + nameLiteral]),
        ("@Attribute(.ephemeral) var b: Int", ["2:28 " + noDefault]),
        ("@Attribute(.transformed(elementsBy: A.self)) var a: Int?", ["2:12 " + elements]),
        ("@Attribute(.omittedWhenEmpty) var a: [Int]?", ["2:35 " + empty]),
        (
            "@Attribute(.omittedWhenEmpty, name: \"x.\") var a: Optional<[Int]>\nvar b = c",
            [
                "2:37 " + emptyName("x."), "2:47 " + empty,
                "3:5 " + ModelProblemTests.untyped("b"),
            ]
        ),
        (
            "let id = UUID()\nlet at: Date = .now\nlet a: UUID = Foundation.UUID(), b: UUID = .init()\n"
                + "let c: UUID = UUID(uuidString: \"\")!\nlet g: Set<Int> = .init()\nlet d = Date(timeIntervalSince1970: 0)\n"
                + "var e = UUID()\nlet f: Kind = .new",
            [
                "2:10 " + differs("UUID()"), "3:16 " + differs(".now"),
                "4:15 " + differs("Foundation.UUID()"), "4:44 " + differs(".init()"),
            ]
        ),
        (
            "@Attribute(unknown: .skip) var a: Int\n@Attribute(unknown: keep) var b: [Int]",
            [
                "2:32 unknown: .skip leaves out what an array, set or dictionary holds; write the "
                    + "type as one of these, or use .throw or .preserve",
                "3:21 unknown: and unknownFields: take .throw, .skip, .preserve",
            ]
        ),
    ]

    @Test(arguments: cases)
    func `is reported at its place`(members: String, problems: [String]) {
        let reading = readModel("@Model struct A {\n\(members)\n}")
        #expect(reading.problems == problems)
        #expect(reading.declaration == nil)
    }

    static let fallbackCases: [(source: String, problems: [String])] = [
        ("enum A: Int {\n@Fallback case a, b\n}", ["2:1 " + fallbacks]),
        ("enum A: Int {\n@Fallback case a\n@Fallback case b\n}", ["3:1 " + fallbacks]),
        ("enum A {\n@Fallback case a\n}", ["2:1 " + noRawType]),
        ("enum A { case b\n@Fallback case a(Int)\n}", ["2:1 " + noRawType]),
        ("enum A { case b\n@Fallback case a(of: String)\n}", ["2:1 " + noRawType]),
        (
            "enum A { case b(Int)\n@Fallback case a(String)\n}",
            [
                "1:13 a case with @Fallback and a string makes strings of all cases, so no other case "
                    + "can hold values; remove the values or @Fallback"
            ]
        ),
    ]

    @Test(arguments: fallbackCases)
    func `fallback problems`(source: String, problems: [String]) {
        #expect(readModel("@Model " + source).problems == problems)
    }

    @Test(
        arguments: [
            ("enum A: Int { case a; @Fallback case b }", "b"),
            ("enum A: String { case a; @Dovetail.Fallback case `default` }", "`default`"),
            ("enum A: String { case a }", nil),
            ("enum A { case a; @Fallback case b(String) }", "b"),
        ]
    )
    func `fallback case`(source: String, name: String?) throws {
        #expect(try #require(readModel("@Model " + source).declaration).fallback == name)
    }
}
