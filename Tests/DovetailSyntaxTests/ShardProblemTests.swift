import DovetailSyntax
import Testing

/// What `shardedBy:` takes, and what a sharded model may have.
struct ShardProblemTests {
    static let noProperty =
        "shardedBy: takes one property, as in shardedBy: \\.tenant; a macro cannot see the value of an "
        + "expression"
    static let withoutKey =
        "the key of a row is its shard and what tells the rows of a shard apart; mark that property "
        + "with @Attribute(.primaryKey), and give it another name than id"

    static func acrossShards(_ names: String) -> String {
        "no server sees all rows, so only what names 'a' is unique; write #Unique([\\.a, …]) for "
            + names
    }

    static let cases: [ModelProblemTests.Case] = [
        .init(
            name: "expression",
            source: "@Model(shardedBy: path) struct A {}",
            problems: ["1:19 " + noProperty]
        ),
        .init(
            name: "path of two properties",
            source: "@Model(shardedBy: \\.a.b) struct A {}",
            problems: ["1:19 " + noProperty]
        ),
        .init(
            name: "unknown property",
            source: "@Model(shardedBy: \\.b) struct A { @Attribute(.primaryKey) var a: Int }",
            problems: [
                "1:19 no stored property of the model is called 'b'; name the one that rows are "
                    + "distributed by"
            ]
        ),
        .init(
            name: "no other key",
            source: "@Model(shardedBy: \\.a) struct A { var a: Int; var b: Int }",
            problems: ["1:19 " + withoutKey]
        ),
        .init(
            name: "id is no part of it",
            source: "@Model(shardedBy: \\.a) struct A { let id: Int; var a: Int }",
            problems: ["1:19 " + withoutKey]
        ),
        .init(
            name: "optional",
            source:
                "@Model(shardedBy: \\.a) struct A { var a: Int?; @Attribute(.primaryKey) var b: Int }",
            problems: [
                "1:39 a row without a value would be on no server; write the type without a question "
                    + "mark"
            ]
        ),
        .init(
            name: "class",
            source: "@Model(shardedBy: \\.a) final class A { var a = 1; init() {} }",
            problems: [
                "1:19 an object has a key of one column, which does not say where its row is; make "
                    + "the model a struct, or write 'managed: false'"
            ]
        ),
        .init(
            name: "enum",
            source: "@Model(shardedBy: \\.a) enum A { case a }",
            problems: [
                "1:19 an enum has no table of its own whose rows could be distributed; remove "
                    + "'shardedBy:'"
            ]
        ),
        .init(
            name: "unique attribute",
            source: """
                @Model(shardedBy: \\.a) struct A {
                    var a: Int
                    @Attribute(.primaryKey) var b: Int
                    @Attribute(.unique) var c: Int
                }
                """,
            problems: ["4:29 " + acrossShards("c")]
        ),
        .init(
            name: "unique group",
            source: """
                @Model(shardedBy: \\.a) struct A {
                    #Unique<A>([\\.b, \\.c], [\\.a, \\.c])
                    var a: Int
                    @Attribute(.primaryKey) var b: Int
                    var c: Int
                }
                """,
            problems: ["1:19 " + acrossShards("b, c")]
        ),
    ]

    @Test(arguments: cases)
    func `is reported at its place`(_ test: ModelProblemTests.Case) {
        #expect(readModel(test.source).problems == test.problems)
    }

    @Test func `the property is a part of the key`() throws {
        let model = readModel(
            "@Model(shardedBy: \\.a) struct A { var a: Int; @Attribute(.primaryKey) var b: Int }"
        )
        #expect(model.problems == [])
    }
}
