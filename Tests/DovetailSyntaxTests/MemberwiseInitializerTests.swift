import DovetailSyntax
import Testing

/// Which structs have an initializer of the compiler that takes all attributes.
struct MemberwiseInitializerTests {
    private func hasOne(_ source: String) throws -> Bool {
        let reading = readModel(source)
        #expect(reading.problems.isEmpty)
        return try #require(reading.declaration).hasMemberwiseInitializer
    }

    @Test(
        arguments: [
            "var a: Int", "let a: Int, b: String?", "var a: Int?; var b = 1", "",
            "private var a: Int", "public private(set) var a: Int = 1",
            "var a: Int; static let b = 1; var c: Int { 1 }", "var a: Int { didSet {} }",
            "@Attribute(name: \"x\") var a: Int; @Transient var b = 1", "let a: Int; let b = 1",
            "var a: Int { get { 1 } set {} }; func b() {}; enum C { init() {} }",
        ]
    )
    func `there is`(members: String) throws {
        #expect(try hasOne("@Model struct A { \(members) }"))
        #expect(try hasOne("@available(macOS 15, *) @Model struct A<T>: B { \(members) }"))
    }

    @Test(
        arguments: [
            "var a: Int; init(a: Int) { self.a = a }", "var a: Int; private init?(b: Int) { nil }",
            "#if true\nvar a: Int\n#endif", "var a: Int\n#if true\ninit() {}\n#endif",
            "@Wrapper var a: Int", "#if true\n@Wrapper\n#endif\nvar a: Int", "lazy var a: Int = 1",
            "private var a = 1", "fileprivate var a: Int?", "private var a: Optional<Int>",
            "var a: Int; #more", "unowned var a: Int",
            "var a: Int { @storageRestrictions(initializes: b) init { b = newValue } get { b } }",
        ]
    )
    func `there may be none`(members: String) throws {
        #expect(try !hasOne("@Model struct A { \(members) }"))
    }

    @Test
    func `other macros may add one`() throws {
        #expect(try !hasOne("@Other @Model struct A { var a: Int }"))
        #expect(try !hasOne("@Model final class A { var a: Int }"))
        #expect(try !hasOne("@Model enum A { case a }"))
    }

    @Test(
        arguments: [
            ("1", "1"), ("-1.5", "-1.5"), ("\"x\\n\"", "\"x\\n\""), ("true", "true"), ("[]", "[]"),
            ("[:]", "[:]"), (".a", ".a"), ("nil", "nil"), ("\"\\(b)\"", nil), ("b", nil),
            ("B.c", nil), (".b()", nil), ("[1]", nil), ("[1: 2]", nil), ("1 + 1", nil),
            ("-b", nil),
        ] as [(String, String?)]
    )
    func `defaults that mean the same elsewhere`(value: String, text: String?) throws {
        let reading = readModel("@Model struct A { var a: B = \(value) }")
        let declaration = try #require(reading.declaration)
        guard case .structure(let attributes) = declaration.shape else {
            Issue.record("no struct")
            return
        }
        #expect(attributes.map(\.property.portableDefault) == [text])
    }
}
