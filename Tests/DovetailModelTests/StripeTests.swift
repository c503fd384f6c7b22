import Dovetail
import StoreTestSupport
import StripeModels
import Testing

/// The fixtures of Stripe's OpenAPI description, through models of all of their types.
struct StripeTests {
    private static let folder = "polymorphic/stripe"
    private static let documents = SharedCorpora.documents(in: folder)

    private static var walk: TypeWalk {
        TypeWalk(typeKey: "object", knownNames: StripeObjectModel.conformers.knownNames)
    }

    /// The resources by their names in the fixtures.
    private func resources() throws -> [ModelDocument.Member] {
        let data = try SharedCorpora.contents(of: "fixtures3.json", in: Self.folder)
        return try #require(ModelDocument(decoding: data, as: .json)["resources"]?.members)
    }

    /// Reads a resource and writes it again, expects it to be the same, and adds its types to
    /// `walk`.
    private func expectRoundTrip(
        _ resource: ModelDocument,
        _ name: String,
        _ walk: inout TypeWalk
    ) throws -> DocumentDifferences {
        let object = try StripeObjectModel.decode(resource.encoded(as: .json), as: .json)
        walk.walk(object, beside: resource, name)
        let data = try object.encoded(as: .json)
        let written = try ModelDocument(decoding: data, as: .json)
        let differences = DocumentDifferences(from: resource, to: written, name)
        #expect(differences.isEmpty, "\(differences)")
        let again = try StripeObjectModel.decode(data, as: .json)
        #expect(try again.encoded(as: .json) == data, "\(name)")
        return differences
    }

    @Test(.needsCorpora)
    func `every resource`() throws {
        let resources = try resources()
        #expect(resources.count == 176)
        var walk = Self.walk
        var tagged = 0
        var absentNulls = 0
        for resource in resources {
            tagged += TypeWalk.count(in: resource.value, "object")
            absentNulls += try expectRoundTrip(resource.value, resource.key, &walk).absentNulls
        }
        #expect(walk.problems.isEmpty, "\(walk.problems)")
        #expect(walk.kept == tagged)
        #expect(tagged == 244)
        // 1325 of the members are null, which an optional does not tell from absent; those of a
        // `ModelDocument?` are kept.
        #expect(absentNulls == 1325)
        // Each of the types is met, and none is declared that is not.
        #expect(walk.names == Set(StripeObjectModel.conformers.knownNames))
        #expect(walk.names.count == 149)
    }

    /// Where a field may hold a resource instead of its id, it does here: the one that has the
    /// field's name, or else a customer.
    @Test(.needsCorpora)
    func `every id becomes a resource`() throws {
        let resources = try resources()
        let byName = Dictionary(uniqueKeysWithValues: resources.map { ($0.key, $0.value) })
        var walk = Self.walk
        var tagged = 0
        var expanded = 0
        for resource in resources {
            let data = try resource.value.encoded(as: .json)
            var document = resource.value
            for field in Self.ids(in: try StripeObjectModel.decode(data, as: .json)) {
                document[key: field] = byName[field] ?? byName["customer"]
                expanded += 1
            }
            tagged += TypeWalk.count(in: document, "object")
            _ = try expectRoundTrip(document, resource.key, &walk)
        }
        #expect(walk.problems.isEmpty, "\(walk.problems)")
        #expect(walk.kept == tagged)
        #expect(expanded == 224)
    }

    /// The fields that hold the id of a resource, or null.
    private static func ids(in object: any StripeObject) -> [String] {
        func ids<Object: Model>(_ type: Object.Type) -> [String] {
            Object.modelAttributes.compactMap {
                let value = Swift.type(of: $0.keyPath as AnyKeyPath).valueType
                return value == Expandable.self || value == Expandable?.self ? $0.name : nil
            }
        }
        return (type(of: object) as? any Model.Type).map { ids($0) } ?? []
    }

    @Test
    func `an unknown type in a list is named with its place`() throws {
        let json = #"{"object":"list","data":[{"object":"x"}],"has_more":false,"url":"/"}"#
        let error = try #require(throws: ModelDecodingError.self) {
            try StripeObjectModel.decode(Data(json.utf8), as: .json)
        }
        #expect(error.kind == .unknownType)
        #expect(error.path == "data[0]")
    }
}

extension Expandable: ModelUnion {
    var content: Any {
        switch self {
        case .id(let id): id
        case .object(let object): object
        }
    }
}
