import DovetailSyntax
import Testing

/// What `@ModelProtocol` reads of a protocol, and what it complains about.
struct ProtocolDeclarationTests {
    @Test
    func holdsWhatIsWritten() throws {
        let reading = readProtocol(
            #"@ModelProtocol(typeKey: "resource\u{54}ype") public protocol P: Q, Sendable {}"#
        )
        let declaration = try #require(reading.declaration)
        #expect(reading.problems.isEmpty)
        #expect(declaration.name == "P")
        #expect(declaration.access == "public ")
        #expect(declaration.typeKey == "resourceType")
        #expect(declaration.parents == ["Q", "Sendable"])
    }

    @Test
    func hasNoTypeKeyOfItsOwn() throws {
        let declaration = try #require(readProtocol("@ModelProtocol protocol P {}").declaration)
        #expect(declaration.typeKey == nil)
        #expect(declaration.access.isEmpty)
        #expect(declaration.parents.isEmpty)
    }

    @Test(
        arguments: [
            ("", ""), ("public", "public "), ("package", "package "), ("internal", ""),
            ("private", "fileprivate "), ("fileprivate", "fileprivate "),
        ]
    )
    func accessOfWhatIsGenerated(written: String, generated: String) throws {
        let source = "@ModelProtocol \(written) protocol P {}"
        #expect(try #require(readProtocol(source).declaration).access == generated)
    }

    @Test(
        arguments: [
            (
                "\n@ModelProtocol struct P {}",
                "2:1 @ModelProtocol belongs on a protocol; use @Model for a struct or an enum"
            ),
            (
                "  @ModelProtocol(typeKey: key) protocol P {}",
                "1:27 a name in documents has to be a string literal without interpolation"
            ),
            (
                #"@ModelProtocol(typeKey: "a\(b)") protocol P {}"#,
                "1:25 a name in documents has to be a string literal without interpolation"
            ),
        ]
    )
    func problemsAreAtTheirPlace(source: String, problem: String) {
        let reading = readProtocol(source)
        #expect(reading.problems == [problem])
        #expect(reading.declaration == nil)
    }
}
