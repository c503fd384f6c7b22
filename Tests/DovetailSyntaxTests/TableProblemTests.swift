import DovetailSyntax
import Testing

/// `.unique`, `.generated`, `.references` and `table:`, and every complaint about them at its place.
struct TableProblemTests {
    static let noKey =
        "the database gives primary keys only; write @Attribute(.primaryKey, .generated), or remove "
        + ".generated"
    static let noInteger =
        "a generated key is a whole number that is nil until the row is stored; write the type as "
        + "Int64? or Int?, without a transform, or remove .generated"
    static let composite =
        "the database gives no part of a key of several properties; remove .generated, or "
        + ".primaryKey at the others, and make them unique with #Unique"
    static let references =
        "a property refers to one model; give the other reference a property of its own"
    static let noType =
        "a macro cannot see the value of an expression; write the model as in .references(Team.self)"
    static let rule = "deleteRule: takes .cascade, .deny, .noAction, .nullify"
    static let collection =
        "a column holds one key, so a collection cannot refer to rows; write a property of one key "
        + "in the other model, or a model that holds two keys"
    static let noOptional =
        "a reference that becomes nil needs an optional property; write the type with a question "
        + "mark, or another delete rule"
    static let noColumn =
        "a property that is transient, computed, static or lazy has no column; remove the option, "
        + "or make it a stored property of the model"

    static let noRequirement =
        "satisfies: names a property that a protocol requires; write it with the protocol, as in "
        + "satisfies: \\(any Boxed).boxID"

    static func twice(_ name: String) -> String {
        "another stored property stands for the requirement '\(name)' already, by its name or by "
            + "satisfies:; remove one of the two"
    }

    static let cases: [(members: String, problems: [String])] = [
        ("@Attribute(.generated) var a: Int?", ["2:12 " + noKey]),
        ("@Attribute(.generated, .unique) var id: Int?", ["2:12 " + noKey]),
        ("@Attribute(.primaryKey, .generated) var a: Int", ["2:41 " + noInteger]),
        ("@Attribute(.primaryKey, .generated) var a: String?", ["2:41 " + noInteger]),
        ("@Attribute(.primaryKey, .generated) var a: Int32?", ["2:41 " + noInteger]),
        ("@Attribute(.primaryKey, .generated) var a: Alias", ["2:41 " + noInteger]),
        (
            "@Attribute(.primaryKey, .generated, .transformed(by: A.self)) var a: Int?",
            ["2:67 " + noInteger]
        ),
        (
            "@Attribute(.primaryKey, .generated) var a: Int?\n@Attribute(.primaryKey) var b: Int",
            ["2:25 " + composite]
        ),
        (
            "@Attribute(.references(B.self), .references(C.self)) var b: Int",
            ["2:33 " + references]
        ),
        ("@Attribute(.references(target)) var b: Int", ["2:24 " + noType]),
        ("@Attribute(.references(Targets.first)) var b: Int", ["2:24 " + noType]),
        ("@Attribute(.references(B.self, deleteRule: rule)) var b: Int", ["2:44 " + rule]),
        ("@Attribute(.references(B.self, deleteRule: .other)) var b: Int", ["2:44 " + rule]),
        ("@Attribute(.references(B.self)) var b: [B.ID]", ["2:12 " + collection]),
        ("@Attribute(.references(B.self)) var b: Set<Int>?", ["2:12 " + collection]),
        (
            "@Attribute(.references(B.self, deleteRule: .nullify)) var b: Int64",
            ["2:59 " + noOptional]
        ),
        (#"@Attribute(satisfies: \.name) var b: Int"#, ["2:23 " + noRequirement]),
        (#"@Attribute(satisfies: \P.name.count) var b: Int"#, ["2:23 " + noRequirement]),
        (#"@Attribute(satisfies: path) var b: Int"#, ["2:23 " + noRequirement]),
        (
            #"@Attribute(satisfies: \P.c) var b: Int; @Attribute(satisfies: \Q.c) var d: Int"#,
            ["2:63 " + twice("c")]
        ),
        (#"@Attribute(satisfies: \(any P).c) var b: Int; var c: Int"#, ["2:23 " + twice("c")]),
        (#"@Attribute(satisfies: \P.c) var b: Int { 1 }"#, ["2:23 " + noColumn]),
        ("@Transient @Attribute(.unique) var b = 1", ["2:23 " + noColumn]),
        (
            "@Attribute(.transient, .primaryKey, .generated) var b: Int?",
            ["2:24 " + noColumn, "2:37 " + noColumn]
        ),
        ("@Attribute(.references(B.self)) var b: Int { 1 }", ["2:12 " + noColumn]),
        ("@Attribute(.unique) static var b = 1", ["2:12 " + noColumn]),
        ("@Attribute(.unique) lazy var b = 1", ["2:12 " + noColumn]),
    ]

    @Test(arguments: cases)
    func `options that do not fit are reported at their place`(
        members: String,
        problems: [String]
    ) {
        let reading = readModel("@Model struct A {\n\(members)\n}")
        #expect(reading.problems == problems)
        #expect(reading.declaration == nil)
    }

    static let tables: [(source: String, problems: [String])] = [
        (
            "@Model(table: name) struct A {}",
            ["1:15 the name of a table has to be a string literal without interpolation"]
        ),
        (
            "@Model(table: \"\") final class A {}",
            [
                "1:15 the name of a table cannot be empty; write at least one character, or remove "
                    + "table:"
            ]
        ),
        ("@Model(table: \"a\") enum A: Int { case a }", ["1:15 " + tableOfEnum]),
        ("@Model(table: \"a\") enum A { case a(Int) }", ["1:15 " + tableOfEnum]),
    ]
    static let tableOfEnum =
        "an enum has no table, as it is a value in a column of others; remove table:, or hold the "
        + "enum in a struct that has it"

    @Test(arguments: tables)
    func `a name that is no name of a table is reported`(source: String, problems: [String]) {
        #expect(readModel(source).problems == problems)
    }

    @Test(arguments: [".unique", ".generated", ".references(B.self)"])
    func `a case of an enum has no such option`(option: String) {
        let reading = readModel("@Model enum A {\n@Attribute(\(option)) case a\n}")
        #expect(reading.problems == ["2:12 " + CaseNameTests.option])
    }

    @Test
    func `requirements are read with their names`() throws {
        let reading = readModel(
            #"""
            @Model struct A {
                @Attribute(satisfies: \(any P).name) @Attribute(satisfies: \Q.`default`) var a: Int
                @Attribute(satisfies: nil) var b: Int
            }
            """#
        )
        #expect(reading.problems.isEmpty)
        guard case .structure(let attributes)? = reading.declaration?.shape else {
            Issue.record("no structure")
            return
        }
        let names = attributes.map { $0.property.attribute.satisfied.map(\.name) }
        #expect(names == [["name", "default"], []])
    }

    @Test
    func `options are read with their types and rules`() throws {
        let source = """
            @Model(table: #"my "table""#) struct A {
                @Attribute(.primaryKey, .generated, .unique) var id: Optional<Swift.Int64>
                @Attribute(.unique, name: "e_mail") var email: String
                @Attribute(AttributeOption.references(B.self, deleteRule: DeleteRule.cascade))
                var b: B.ID
                @Attribute(.references(Outer.B<Int>.self, deleteRule: .nullify)) @Attribute(.unique)
                var c: B.ID
                @Attribute(.references(A.self)) var a: Int!
            }
            """
        let reading = readModel(source)
        #expect(reading.problems.isEmpty)
        let model = try #require(reading.declaration)
        #expect(model.table == #"my "table""#)
        guard case .structure(let attributes) = model.shape else {
            Issue.record("no struct")
            return
        }
        let options = attributes.map(\.property.attribute.table)
        #expect(options.map(\.isUnique) == [true, true, false, true, false])
        #expect(options.map(\.isGenerated) == [true, false, false, false, false])
        #expect(options.map(\.reference?.typeName) == [nil, nil, "B", "Outer.B<Int>", "A"])
        #expect(options.map(\.reference?.deleteRule) == [nil, nil, "cascade", "nullify", nil])
    }

    @Test
    func `models around are spelled by a nested declaration`() throws {
        let source = """
            enum Outer { @Model final class A { @Attribute(.references(B.self)) var b: Int } }
            """
        let model = try #require(readModel(source).declaration)
        #expect(model.localTypes == ["B"])
        #expect(model.spelling("B") == "_$Types.T0")
    }
}
