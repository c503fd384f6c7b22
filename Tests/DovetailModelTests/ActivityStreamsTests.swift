import ActivityStreamsModels
import Dovetail
import StoreTestSupport
import Testing

/// The documents of the W3C for Activity Streams 2.0, through models of their vocabulary.
struct ActivityStreamsTests {
    private static let folder = "polymorphic/activitystreams"
    private static let documents = SharedCorpora.documents(in: folder)

    /// What is read of the documents, with what was found on the way.
    private struct Outcome {
        var walk = TypeWalk(
            typeKey: "type",
            knownNames: StreamObjectModel.conformers.knownNames
        )
        var read: [String] = []
        /// How many of the objects that were written name a type.
        var tagged = 0
        var refused: [String: ModelDecodingError] = [:]
        var lost: [String] = []
    }

    @Test(.needsCorpora)
    func `every document`() throws {
        #expect(Self.documents.count == 233)
        var outcome = Outcome()
        for path in Self.documents {
            do {
                try read(path, &outcome)
            } catch let error as ModelDecodingError {
                outcome.refused[path] = error
            }
        }
        #expect(outcome.refused.mapValues(\.kind) == Self.refused)
        #expect(outcome.read.count == 219)
        #expect(Set(outcome.read.filter { $0.hasPrefix("fail/") }) == Self.acceptedFailures)
        #expect(Set(outcome.lost) == Self.undeclared, "\(outcome.lost)")
        #expect(outcome.walk.problems.isEmpty, "\(outcome.walk.problems)")
        #expect(Set(outcome.walk.unknownNames) == Self.foreignTypes)
        #expect(outcome.walk.kept + outcome.walk.unknownNames.count == outcome.tagged)
        #expect(outcome.walk.kept == 436)
        // Each of the types is met, and none is declared that is not.
        #expect(outcome.walk.names == Set(StreamObjectModel.conformers.knownNames))
        #expect(outcome.walk.names.count == 53)
    }

    private func read(_ path: String, _ outcome: inout Outcome) throws {
        let data = try SharedCorpora.contents(of: path, in: Self.folder)
        let value = try StreamValue(decoding: data, as: .json)
        let document = try ModelDocument(decoding: data, as: .json)
        outcome.walk.walk(value, beside: document, path)
        let written = try value.encoded(as: .json)
        let after = try ModelDocument(decoding: written, as: .json)
        outcome.tagged += TypeWalk.count(in: after, "type")
        let differences = DocumentDifferences(from: document, to: after, path)
        outcome.lost += differences.lost
        #expect(differences.added.isEmpty && differences.changed.isEmpty, "\(differences)")
        #expect(differences.absentNulls == 0, "\(path)")
        let again = try StreamValue(decoding: written, as: .json)
        #expect(try again.encoded(as: .json) == written, "\(path)")
        outcome.read.append(path)
    }
}

extension ActivityStreamsTests {
    /// What is refused.
    private static let refused: [String: ModelDecodingError.Kind] = [
        // No JSON: a string with line breaks, and Latin-3 in place of UTF-8.
        "vocabulary-ex196-jsonld.json": .invalidSyntax,
        "fail/bad-character-set.json": .invalidEncoding,
        // A map of languages as name, which the vocabulary names `nameMap`, and the reverse. The
        // third one is the W3C's own word on the first two.
        "simple0011.json": .typeMismatch,
        "simple0012.json": .typeMismatch,
        "fail/namemap-as-name.json": .typeMismatch,
        "fail/name-as-namemap.json": .typeMismatch,
        // Numbers where none are allowed.
        "fail/number-as-actor.json": .rejected,
        "fail/number-as-content.json": .typeMismatch,
        "fail/number-as-context.json": .rejected,
        "fail/number-as-id.json": .typeMismatch,
        "fail/number-as-name.json": .typeMismatch,
        "fail/number-as-object.json": .rejected,
        "fail/number-as-type.json": .typeMismatch,
        "fail/number-at-top.json": .rejected,
    ]

    /// Documents of the W3C that are wrong by rules which these models do not state: what may stand
    /// at the top and be a page, what a language tag and an address look like, which context there
    /// is, and that `orderedItems` are those of an ordered collection, and `items` of other ones.
    private static let acceptedFailures: Set<String> = [
        "fail/array-at-top.json",
        "fail/collection-with-non-page-first.json",
        "fail/content-map-with-invalid-language-tag.json",
        "fail/ordered-collection-with-items.json",
        "fail/ordered-collection-with-non-page-first.json",
        "fail/other-context.json",
        "fail/relative-uri-for-url.json",
        "fail/string-at-top.json",
        "fail/unordered-collection-with-ordered-items.json",
    ]

    /// Fields that no type of the vocabulary has, or not the one they stand in. The package's own
    /// description is no document of the vocabulary at all.
    private static let undeclared: Set<String> = Set(
        [
            "fail/ordered-collection-with-items.json.items",
            "fail/unordered-collection-with-ordered-items.json.orderedItems",
            "fail/other-context.json.@type",
            "fail/other-context.json.follows",
        ]
            + [
                "author", "bin", "bugs", "description", "devDependencies", "homepage", "keywords",
                "license", "main", "repository", "scripts", "version",
            ].map { "package.json.\($0)" }
    )

    /// Names of other vocabularies; their objects are read as an `Object`, and keep the name.
    private static let foreignTypes: Set<String> = [
        "gsp:Geometry", "http://example.org/Foo", "http://example.org/Organization",
        "http://example.org/Project", "http://example.org/Role",
        "http://www.types.example/ProductOffer", "http://www.types.example/flightstatus",
    ]
}

extension StreamValue: ModelUnion {
    var content: Any {
        switch self {
        case .address(let address): address
        case .object(let object), .untyped(let object): object
        case .list(let values): values
        }
    }
}
