import DovetailSyntax
import Testing

/// Every complaint of `@Model`, at its place of the source, all of a declaration at once.
struct ModelProblemTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let source: String
        let problems: [String]
        var testDescription: String { name }
    }

    static let unsupported =
        "@Model works on structs, enums and final classes; put the attribute on one of these"
    static let local =
        "a model cannot be local to a function; move the declaration to a type or to the file"
    static let openClass =
        "a subclass would be written and read as its parent, so a class that no context keeps has to be "
        + "final; write 'final class', and a model protocol for what classes have in common"
    static let hidden =
        "a private type inside of another one is out of reach for the extension that the macro "
        + "writes; make it fileprivate"
    static let noCases =
        "an enum without cases has no value that could be written; give it a case, or leave "
        + "@Model out"
    static let conditionalCase =
        "a macro is not told whether this case is compiled, as it cannot evaluate canImport; use "
        + "another condition such as os(Linux), move it out of #if, or give the enum a raw type"

    static func conditional(_ name: String) -> String {
        "a macro is not told whether '\(name)' is compiled, as it cannot evaluate canImport; use "
            + "another condition such as os(Linux), move it out of #if, or give it a default value "
            + "and mark it @Transient"
    }

    static func repeatedCase(_ name: String) -> String {
        "two cases or values of a case are named \"\(name)\" in documents; rename one of them"
    }

    static let tooMany =
        "a union without tags has at most 64 cases, as they are tried one after the other; nest it in "
        + "another one"
    static let typeKey =
        "the type key is that of a model protocol, which the macro has to see; write it after the name "
        + "of the struct, as in `struct Circle: Shape`, or remove writesTypeKey:"
    static let payload =
        "payload: says how the values of cases are written, and no case here holds one; remove it"
    static let tuple =
        "a stored property of a model needs a name of its own; write one property a name"
    static let several =
        "each property of a class that a context keeps has accessors of its own, which a macro can give "
        + "to one alone; write a 'var' for each"
    static let noLiteral = "a name in documents has to be a string literal without interpolation"
    static let naming =
        "naming: and typeNaming: take .asDeclared, .snakeCase, .snakeCaseWithDigits, .kebabCase, "
        + ".pascalCase"
    static let transient =
        "a transient property is not read from documents, so it needs a default value"

    static func step(_ name: String, _ label: String) -> String {
        "nobody calls this function: a step between versions is "
            + "'static func \(name)(_ document: inout ModelDocument, \(label) version: Int) throws'"
    }

    static func untyped(_ name: String) -> String {
        "the type of '\(name)' has to be written, as in `var \(name): Type`; a macro cannot "
            + "infer it from this default value"
    }

    static func repeated(_ name: String) -> String {
        "two attributes are named \"\(name)\" in documents; give one of them another name "
            + "with @Attribute(name:)"
    }

    static let cases: [Case] = [
        Case(
            name: "unknown fields",
            source: "@Model(unknownFields: .preserve) enum E: Int { case a }\n",
            problems: [
                "1:1 an enum has no place for fields that it does not declare; remove "
                    + "unknownFields:, or hold the enum in a struct that has it"
            ]
        ),
        Case(
            name: "policy of unknown fields",
            source: "@Model(unknownFields: .keep) struct S { var x = 1 }",
            problems: ["1:23 unknown: and unknownFields: take .throw, .skip, .preserve"]
        ),
        Case(
            name: "payload",
            source: "@Model(payload: .naked) enum E { case a(Int) }",
            problems: ["1:17 payload: takes .fields, .bare"]
        ),
        Case(
            name: "payload without values",
            source: "@Model(payload: .bare) enum E { case a, b }",
            problems: ["1:17 " + payload]
        ),
        Case(
            name: "payload of a struct",
            source: "@Model(payload: .bare) struct S { var x = 1 }",
            problems: ["1:17 " + payload]
        ),
        Case(
            name: "tagging",
            source: "@Model(tagging: .internal) enum E { case a(Int) }",
            problems: ["1:17 tagging: of an enum takes .external, .untagged"]
        ),
        Case(
            name: "cases without tags and values",
            source: "@Model(tagging: .untagged) enum E { case a, b }",
            problems: [
                "1:17 cases without tags are told apart by their values, and no case here holds one; "
                    + "remove tagging:"
            ]
        ),
        Case(
            name: "version of cases without tags",
            source: "@Model(version: 2, tagging: .untagged) enum E { case a(Int) }",
            problems: [
                "1:29 an enum without tags may be a value that is no object, so nothing could hold a "
                    + "version; remove version:, and give the models in its cases one"
            ]
        ),
        Case(
            name: "steps between versions",
            source: "@Model(version: 2) struct S { var x = 1; "
                + "static func migrate(_ d: ModelDocument, from v: Int) -> ModelDocument { d }; "
                + "func demote(_ d: inout ModelDocument, to v: Int) {}; func migrate(_ n: Int) {} }",
            problems: ["1:54 " + step("migrate", "from"), "1:124 " + step("demote", "to")]
        ),
        Case(
            name: "many cases without tags",
            source: "@Model(tagging: .untagged) enum E { case a(Int), "
                + (0..<64).map { "c\($0)" }.joined(separator: ", ") + " }",
            problems: ["1:17 " + tooMany]
        ),
        Case(
            name: "omitted values",
            source: "@Model(omits: .zero, typeNaming: .x) struct S { var x = 1 }",
            problems: ["1:15 omits: takes .nils, .empty, .nothing", "1:34 " + naming]
        ),
        Case(
            name: "type key",
            source: "@Model(writesTypeKey: flag) struct S: P { var x = 1 }",
            problems: [
                "1:23 writesTypeKey: takes true or false; a macro cannot see the value of an expression"
            ]
        ),
        Case(
            name: "kept name",
            source: "@Model(keepsTypeName: flag) struct S: P { var x = 1 }",
            problems: [
                "1:23 keepsTypeName: takes true or false; a macro cannot see the value of an "
                    + "expression"
            ]
        ),
        Case(
            name: "kept name without a place",
            source: "@Model(aliases: [\"a\"], keepsTypeName: true) struct S: P { var x = 1 }",
            problems: [
                "1:39 the name that a document gives is one of aliases: and kept among the fields that "
                    + "are not declared; write aliases: and unknownFields: .preserve, or remove "
                    + "keepsTypeName:"
            ]
        ),
        Case(
            name: "type key of no protocol",
            source: "@Model(writesTypeKey: true) struct S: Sendable { var x = 1 }",
            problems: ["1:23 " + typeKey]
        ),
        Case(
            name: "type key of an enum",
            source: "@Model(writesTypeKey: true) enum E: P { case a(Int) }",
            problems: ["1:23 " + typeKey]
        ),
        Case(name: "actor", source: "@Model actor A {}", problems: ["1:1 " + unsupported]),
        Case(
            name: "class that is not final",
            source: "\n  @Model(managed: false) public class A { var x = 1; let y = [] }",
            problems: ["2:33 " + openClass, "2:58 " + untyped("y")]
        ),
        Case(
            name: "protocol",
            source: "@Model protocol A {}",
            problems: ["1:1 " + unsupported]
        ),
        Case(
            name: "extension",
            source: "@Model extension A {}",
            problems: ["1:1 " + unsupported]
        ),
        Case(
            name: "local",
            source: "func f() {\n    @Model struct A {}\n}",
            problems: ["2:5 " + local]
        ),
        Case(
            name: "local in a method",
            source: "struct B { func f() { struct C { @Model struct A {} } } }",
            problems: ["1:34 " + local]
        ),
        Case(
            name: "private and nested",
            source: "private enum B {\n    @Model private struct A {}\n}",
            problems: ["2:12 " + hidden]
        ),
        Case(
            name: "inside of a private and nested one",
            source: "extension C { private enum B { @Model struct A {} } }",
            problems: ["1:32 " + hidden]
        ),
        Case(
            name: "conditional properties",
            source: """
                @Model final class A {
                    #if canImport(A)
                        var a: Int, b = 1
                        static var c = 1
                        @Transient var d = 1
                    #elseif FLAG
                        #if os(Linux)
                            let e: Int
                        #endif
                        #if os(macOS)
                            let g: Int
                        #endif
                        var f: Int { 1 }
                    #endif
                }
                """,
            problems: [
                "3:13 " + conditional("a"), "3:21 " + conditional("b"),
                "8:17 " + conditional("e"),
            ]
        ),
        Case(
            name: "main actor",
            source: "@Model @MainActor final class A { @MainActor func f() {} }",
            problems: [
                "1:8 a model is read and written on any thread, so it cannot belong to the main "
                    + "actor; remove @MainActor here, and add it to the members that need it"
            ]
        ),
        Case(
            name: "no cases",
            source: "@Model enum A { static let a = 1 }",
            problems: ["1:13 " + noCases]
        ),
        Case(
            name: "conditional cases",
            source: """
                @Model enum A {
                    case a
                    #if canImport(A) && FLAG
                        case b, c(Int)
                    #else
                        #if os(Linux)
                            case d
                        #endif
                    #endif
                }
                """,
            problems: ["4:14", "4:17", "7:18"].map { $0 + " " + conditionalCase }
        ),
        Case(
            name: "repeated case names",
            source: """
                @Model(naming: .snakeCase) enum A {
                    case a(x: Int), a(y: Int), bC, b_c
                    case d(_1: Int, Int), e(aB: Int, a_b: Int)
                }
                """,
            problems: [
                "2:21 " + repeatedCase("a"), "2:36 " + repeatedCase("b_c"),
                "3:21 " + repeatedCase("_1"), "3:38 " + repeatedCase("a_b"),
            ]
        ),
        Case(
            name: "repeated names of raw cases",
            source: """
                @Model(naming: .snakeCase) enum A: String {
                    case inReview, open
                    case old = "in_review"
                }
                """,
            problems: ["3:10 " + repeatedCase("in_review")]
        ),
        Case(
            name: "untyped",
            source: "@Model struct A {\n    var list = [1, 2]\n    var now = Date.now\n}",
            problems: ["2:9 " + untyped("list"), "3:9 " + untyped("now")]
        ),
        Case(
            name: "untyped expression",
            source: "@Model struct A { var a = 1 + 1, b = -x }",
            problems: ["1:23 " + untyped("a"), "1:34 " + untyped("b")]
        ),
        Case(
            name: "tuple",
            source: "@Model struct A { var (a, b) = (1, 2) }",
            problems: ["1:23 " + tuple]
        ),
        Case(
            name: "several properties of a managed class",
            source: "@Model final class A {\n  let a = 1, b = 2\n  var c = 3, d: Int = 4\n"
                + "  private var e, f: B?\n  @Transient var g = 5, h = 6\n  static var i = 7, j = 8\n"
                + "  #if os(Linux)\n  var k = 9, l = 10\n  #endif\n  var m = 11\n}",
            problems: ["3:7 " + several, "4:15 " + several, "8:7 " + several]
        ),
        Case(
            name: "repeated name",
            source: "@Model struct A {\n  var a: Int\n  @Attribute(name: \"a\") var b: Int\n}",
            problems: ["3:29 " + repeated("a")]
        ),
        Case(
            name: "repeated by the naming rule",
            source: "@Model(naming: .snakeCase) struct A { var aB: Int; var a_b = 1 }",
            problems: ["1:56 " + repeated("a_b")]
        ),
        Case(
            name: "interpolated name",
            source: "@Model struct A { @Attribute(name: \"a\\(x)\") var b: Int }",
            problems: ["1:36 " + noLiteral]
        ),
        Case(
            name: "name from a constant",
            source: "@Model struct A { @Attribute(.primaryKey, name: key) var b: Int }",
            problems: ["1:49 " + noLiteral]
        ),
        Case(
            name: "type name from a constant",
            source: "@Model(typeName: name) struct A {}",
            problems: ["1:18 " + noLiteral]
        ),
        Case(
            name: "naming",
            source: "@Model(naming: .screaming) struct A {}",
            problems: ["1:16 " + naming]
        ),
        Case(
            name: "transient",
            source: """
                @Model struct A {
                    @Transient var a: Int
                    @Attribute(.transient) let b: Int?
                    @Dovetail.Transient var c: Int?
                    @Transient var d = 1
                    @Transient var e: Int { 1 }
                }
                """,
            problems: ["2:20 " + transient, "3:32 " + transient]
        ),
        Case(
            name: "everything at once",
            source: """
                func f() {
                    @Model(naming: .x, typeName: y)
                    struct A {
                        var list = []
                        var (a, b): (Int, Int)
                        @Transient var c: Int
                        @Attribute(name: d) var d: Int
                        @Attribute(name: "e") var d2: Int
                        var e: Int
                    }
                }
                """,
            problems: [
                "2:5 " + local, "2:20 " + naming, "2:34 " + noLiteral, "4:13 " + untyped("list"),
                "5:13 " + tuple, "6:24 " + transient, "7:26 " + noLiteral, "9:13 " + repeated("e"),
            ]
        ),
        Case(
            name: "local enum without cases",
            source: "func f() { @Model enum A {} }",
            problems: ["1:12 " + local, "1:24 " + noCases]
        ),
    ]

    @Test(arguments: cases)
    func `is reported at its place`(_ entry: Case) {
        let reading = readModel(entry.source)
        #expect(reading.problems == entry.problems)
        #expect(reading.declaration == nil)
    }
}
