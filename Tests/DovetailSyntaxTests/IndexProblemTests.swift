import DovetailSyntax
import Testing

/// What `#Index` and `#Unique` are read as, and every complaint about them at its place.
struct IndexProblemTests {
    static let empty =
        #"an index has at least one property; write a list of key paths, as in [\.city, \.name]"#
    static let noList =
        "a macro cannot see the value of an expression; write a list of key paths in brackets, as "
        + #"in [\.city, \.name]"#
    static let noProperty =
        #"an index is over columns, and each is one property; write key paths as in \.city, and "#
        + "make what is inside of a value a property of the model"
    static let otherType =
        "an index belongs to the model around it; write its name in brackets, as in #Index<A>"
    static let repeatedList = "the model has this list already; remove one of the two"
    static let conditional =
        "a macro is not told whether this index is compiled, as it cannot evaluate canImport; use "
        + "another condition such as os(Linux), or move it out of #if"

    static func noColumn(_ name: String) -> String {
        "'\(name)' has no column; write a stored property that is declared in this body and not "
            + "transient"
    }

    /// A model with properties for the lists.
    static func model(with lists: String) -> String {
        let properties = "var a: Int; var b: String; @Transient var t = 1; var c: Int { 1 }"
        return "@Model struct A {\n\(lists)\n\(properties)\n}"
    }

    static let cases: [(lists: String, problems: [String])] = [
        (#"#Index<A>()"#, ["2:1 " + empty]),
        (#"#Unique<A>([])"#, ["2:12 " + empty]),
        (#"#Index<A>([\.a], [])"#, ["2:18 " + empty]),
        (#"#Index<A>(lists)"#, ["2:11 " + noList]),
        (#"#Index<A>([\.a] + [\.b])"#, ["2:11 " + noList]),
        (#"#Index<A>([\.b.count])"#, ["2:12 " + noProperty]),
        (#"#Index<A>([\A.b.count, path])"#, ["2:12 " + noProperty, "2:24 " + noProperty]),
        (
            #"#Index<A>([\.b?.count, \.self, \.[0]])"#,
            ["2:12 ", "2:24 ", "2:32 "].map { $0 + noProperty }
        ),
        (
            #"#Unique<A>([\.t, \.a, \.c, \.x])"#,
            ["2:13 " + noColumn("t"), "2:23 " + noColumn("c"), "2:28 " + noColumn("x")]
        ),
        (
            #"#Index<A>([\.a, \.b, \.a])"#,
            ["2:22 'a' is in this list already; remove one of the two"]
        ),
        ("#Index<A>([\\.a])\n#Index<A>([\\.b], [\\.a])", ["3:18 " + repeatedList]),
        (#"#Unique<A>([\.a, \.b], [\.a, \.b])"#, ["2:24 " + repeatedList]),
        (#"#Index<B>([\.a])"#, ["2:8 " + otherType]),
        (#"#Index<Self>([\.a])"#, ["2:8 " + otherType]),
        ("#if canImport(Glibc)\n#Index<A>([\\.a])\n#endif", ["3:1 " + conditional]),
    ]

    @Test(arguments: cases)
    func `a list that is no index is reported at its place`(lists: String, problems: [String]) {
        let reading = readModel(Self.model(with: lists))
        #expect(reading.problems == problems)
        #expect(reading.declaration == nil)
    }

    static let outside =
        "#Index and #Unique are read by @Model; move them into the body of the struct or class that "
        + "has it, outside of its extensions"

    static let places: [(source: String, problems: [String])] = [
        ("#Index<A>([\\.a])", ["1:1 " + outside]),
        ("@Model struct A {}\nextension A { #Index<A>([\\.a]) }", ["2:15 " + outside]),
        ("struct A {\n#Unique<A>([\\.a])\n}", ["2:1 " + outside]),
        ("@Model enum A {\n#Index<A>([\\.a])\ncase a }", ["2:1 " + outside]),
        ("@Model struct B { struct A { #Index<A>([\\.a]) } }", ["1:30 " + outside]),
        ("@Model struct A { #Index<A>([\\.a]) }", []),
        ("@Dovetail::Model final class A { #Unique<A>([\\.a]) }", []),
        ("#if os(Linux)\n@Model\n#endif\nstruct A { #Unique<A>([\\.a]) }", []),
    ]

    @Test(arguments: places)
    func `an index outside of a model's body is reported`(source: String, problems: [String]) {
        #expect(readIndexPlace(source).problems == problems)
    }

    @Test
    func `lists are read in their order`() throws {
        let source = #"""
            enum Outer {
                @Model struct A<T> {
                    #Index<A<T>>([\.a], [\.`default`, \.a])
                    var a: Int
                    #Unique<Outer.A>([\.b], [\Outer.A.a, \A.b])
                    var b: T, `default`: Int
                    #if FLAG
                        #Index([\A.b, \.a], [\.b])
                    #else
                        #Index([\.unknown])
                    #endif
                }
            }
            """#
        let reading = readModel(source)
        #expect(reading.problems == [])
        let indexes = try #require(reading.declaration).indexes
        #expect(
            indexes.map(\.properties) == [
                ["a"], ["default", "a"], ["b"], ["a", "b"], ["b", "a"],
            ]
        )
        #expect(indexes.map(\.isUnique) == [false, false, true, true, false])
    }

    @Test
    func `an index leaves the memberwise initializer`() throws {
        let model = readModel("@Model struct A { #Index<A>([\\.a])\nvar a: Int }").declaration
        #expect(try #require(model).hasMemberwiseInitializer)
        let other = readModel("@Model struct A { #other\nvar a: Int }").declaration
        #expect(try !#require(other).hasMemberwiseInitializer)
    }
}
