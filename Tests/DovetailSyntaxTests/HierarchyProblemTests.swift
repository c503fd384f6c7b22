import DovetailSyntax
import Testing

/// Complaints about classes that inherit from others.
struct HierarchyProblemTests {
    /// One of each, in subclasses.
    static let sources = [
        "@Model(managed: false) final class A: B {}",
        "@Model(version: 2) final class A: B {}",
        "@Model(table: \"t\") final class A: B {}",
        "@Model class A: B { var x = 1 }",
        "@Model(deletion: .mark) final class A: B {}",
    ]

    @Test func `a class that is not final is read, and says what only others can`() {
        let open = readModel("@Model open class A { var x = 1 }")
        #expect(open.problems.isEmpty && open.declaration?.hierarchy?.access == "open ")
        #expect(open.declaration?.hierarchy?.isSubclass == false)
        #expect(readModel("@Model final class A { var x = 1 }").declaration?.hierarchy == nil)
        let options = readModel(
            "@Model(version: 2, unknownFields: .throw) class A { var x = 1 }"
        )
        #expect(options.names == ["optionInHierarchy", "optionInHierarchy"])
        #expect(
            options.problems.last
                == "1:17 'version:' is for classes without subclasses and superclasses with @Model; "
                + "write 'final class', or leave it out"
        )
    }

    @Test func `a final class without initializers and observers inherits those of its superclass`()
    {
        let plain = readModel(
            "@Model final class A: B { var x = 1; convenience init(x: Int) { self.init() } }",
            isSubclass: true
        )
        #expect(plain.problems.isEmpty)
        #expect(plain.declaration?.hierarchy?.inheritsInitializers == true)
        let own = readModel("@Model class A: B { var x: Int; init() {} }", isSubclass: true)
        #expect(own.problems.isEmpty)
        #expect(own.declaration?.hierarchy?.inheritsInitializers == false)
        let open = readModel("@Model class A: B { var x = 1 }", isSubclass: true)
        #expect(
            open.problems == [
                "1:1 a class that has subclasses inherits no initializers, as the macro has to write one "
                    + "that reads its own properties; write those that it is to have, with "
                    + "'super.init'"
            ]
        )
        let observed = readModel(
            "@Model final class A: B { var x = 1 { didSet {} } }",
            isSubclass: true
        )
        #expect(observed.names == ["inheritedInitializers"])
    }

    @Test func `a subclass has no key, no table and no values beside objects`() {
        let source = """
            @Model(table: "t") final class A: B {
                #Index<A>([\\.inherited, \\.x])
                @Attribute(.primaryKey) var x = 1
                @Attribute(name: "a.b") var y = 1
                override var z: Int { didSet {} }
            }
            """
        let found = readModel(source, isSubclass: true)
        #expect(
            found.names == ["optionOfSubclass", "optionOfSubclass", "optionOfSubclass"]
        )
        #expect(
            found.problems.first
                == "1:15 all classes of a hierarchy are in one table and have one key, so 'table:' "
                + "belongs to the class at the top; move it there"
        )
        let unmanaged = readModel("@Model(managed: false) final class A: B {}", isSubclass: true)
        #expect(
            unmanaged.problems == [
                "1:1 the superclass is a managed model, so a context keeps the objects of this class, "
                    + "too; remove 'managed: false' or the type parameters"
            ]
        )
        let marked = readModel("@Model(deletion: .mark) final class A: B {}", isSubclass: true)
        #expect(
            marked.problems == [
                "1:18 the rows of a subclass are in the table of the class at the top, which says what "
                    + "becomes of all of them; write 'deletion: .mark' there"
            ]
        )
    }
}
