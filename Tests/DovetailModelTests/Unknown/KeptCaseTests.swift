import Dovetail
import Testing

@Model(naming: .snakeCase)
private enum Phase: Equatable {
    case open, inReview
    @Attribute(name: "done!", aliases: ["closed"]) case done
    @Fallback case other(String)
}

@Model
private struct Issue: Identifiable, Equatable {
    var id: Int
    var phase: Phase
    var last: Phase?
}

/// Enums whose fallback keeps the string that no case has.
struct KeptCaseTests {
    @Test
    func `unknown strings are written back`() throws {
        let json = #"["open","in_review","done!","new \"é\"","","Open"]"#
        let phases = try [Phase](json: json)
        #expect(
            phases == [.open, .inReview, .done, .other("new \"é\""), .other(""), .other("Open")]
        )
        #expect(try phases.json() == json)
        #expect(try [Phase](json: #"["closed","\u006fpen"]"#) == [.done, .open])
        for phase in phases { try expectRoundTrip(phase) }
        for format in [ModelFormat.plist, .binaryPlist] {
            #expect(try [Phase](decoding: phases.encoded(as: format), as: format) == phases)
        }
    }

    @Test(arguments: ["1", "true", "null", "[]", "{}", "{\"other\":{\"_0\":\"x\"}}"])
    func `another kind is an error`(json: String) throws {
        let error = try decodingError(of: Box<Phase>.self, "{\"value\":\(json)}")
        #expect(error.kind == .typeMismatch)
    }

    @Test
    func `columns are text`() async throws {
        #expect(Phase.columnType == .text)
        let issues = [
            Issue(id: 1, phase: .open), Issue(id: 2, phase: .other("später"), last: .other("x")),
        ]
        let container = try ModelContainer(
            for: Issue.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let fetched = try await container.perform { context in
            context.insert(contentsOf: issues)
            try context.save()
            return try context.fetch(FetchDescriptor<Issue>()).sorted { $0.id < $1.id }
                .map { try $0.json() }
        }
        #expect(try fetched == issues.map { try $0.json() })
    }
}
