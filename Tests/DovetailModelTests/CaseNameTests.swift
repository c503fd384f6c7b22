import Dovetail
import Testing

@Model(naming: .snakeCase)
private enum Change: Equatable {
    @Attribute(name: "Created") case created(siteName: String)
    @Attribute(name: #"a "quoted\.name" in €"#, aliases: ["moved", "relocated-to"])
    case moved(from: Int, to: Int?)
    @Attribute(aliases: ["wasRemoved"]) case wasRemoved
    case stayedAsItIs
}

/// `@Attribute` on the cases of an enum.
struct CaseNameTests {
    @Test
    func `are written and read`() throws {
        let all: [Change] = [
            .created(siteName: "s"), .moved(from: 1, to: 2), .wasRemoved, .stayedAsItIs,
        ]
        #expect(
            try all.json() == #"""
                [{"Created":{"site_name":"s"}},{"a \"quoted.name\" in €":{"from":1,"to":2}},\#
                {"was_removed":{}},{"stayed_as_it_is":{}}]
                """#
        )
        try expectRoundTrip(all)
    }

    @Test(
        arguments: [
            (#"{"moved":{"from":1}}"#, .moved(from: 1, to: nil)),
            (#"{"relocated-to":{"from":1,"to":2}}"#, .moved(from: 1, to: 2)),
            (#"{"wasRemoved":{}}"#, .wasRemoved),
        ] as [(String, Change)]
    )
    fileprivate func aliasesAreRead(json: String, change: Change) throws {
        #expect(try Change(json: json) == change)
    }

    @Test(
        arguments: [
            (#"{"created":{"site_name":"s"}}"#, "", #"expected a case of Change, found "created""#),
            (
                #"{"relocated-to":{"from":"x"}}"#, "relocated-to.from",
                #"expected Int, found "x""#
            ),
            (
                #"{"wasRemoved":{},"was_removed":{}}"#, "",
                #"expected one case of Change, found "was_removed" as well"#
            ),
        ]
    )
    func `errors about names of cases`(json: String, path: String, text: String) throws {
        let error = try decodingError(of: Change.self, json)
        #expect(error.path == path)
        #expect(error.description.contains(text))
    }
}
