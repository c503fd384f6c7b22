import Dovetail
import StoreTestSupport
import Testing

// The types of these protocols are of version 2; the corpora are what version 1 wrote.

@ModelProtocol(typeKey: "object", unknown: .preserve)
protocol AgedStripe: Model {}

extension AgedStripe {
    /// Gives a declared field another name and puts an undeclared one into an object.
    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("id", to: "identifier")
        document["kept.live"] = document.remove("livemode")
    }
}

@ModelProtocol(typeKey: "type", tagKind: .stringOrList, unknown: .preserve)
protocol AgedStream: Model {}

extension AgedStream {
    /// Gives a polymorphic field another name and takes an undeclared one out of its object.
    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("object", to: "thing")
        if document["location"]?.members != nil {
            document["place"] = document["location"]?.remove("name")
        }
    }
}

@ModelProtocol(typeKey: "type", unknown: .preserve)
protocol AgedGeo: Model {}

extension AgedGeo {
    /// Moves what is declared, with all that it contains.
    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("geometry", to: "shape")
        document["content.features"] = document.remove("features")
        if document["coordinates"]?.arrayValue?.first?.arrayValue == nil {
            document.rename("coordinates", to: "at")
        }
    }
}

/// The type is the event, which is named outside of the document.
@ModelProtocol(unknown: .preserve)
protocol AgedHook: Model {}

extension AgedHook {
    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["event.action"] = document.remove("action")
        document["event.from"] = document["sender"]?.remove("login")
        document.rename("repository", to: "repo")
    }
}

/// What a document of a corpus becomes, said without the library's reader: the step and the
/// version at each object that is read as a declared type, all else as it is.
struct AgedExpectation {
    /// The field that names the type; nil where the name is outside of the document.
    let typeKey: String?
    let known: Set<String>
    let migrate: (inout ModelDocument, Int) throws -> Void
    /// Where elements of the protocol are in a migrated object of this type.
    let elements: (String) -> [String]
    /// Whether an object of this type is as the model declares; others are kept as they are.
    let isReadable: (String, ModelDocument) -> Bool
    private(set) var migrated = 0
    /// How many documents went through each format: property lists have no form for repeated
    /// members and some numbers.
    private(set) var formats: [ModelFormat: Int] = [:]
    /// How many files are no document.
    private(set) var broken = 0

    init<Coding: ProtocolCoding>(
        _ coding: Coding.Type,
        typeKey: String?,
        elements: @escaping (String) -> [String] = { _ in [] },
        isReadable: @escaping (String, ModelDocument) -> Bool = { _, _ in true },
        migrate: @escaping (inout ModelDocument, Int) throws -> Void
    ) {
        known = Set(coding.conformers.knownNames)
        self.typeKey = typeKey
        self.elements = elements
        self.isReadable = isReadable
        self.migrate = migrate
    }

    mutating func count(_ format: ModelFormat) { formats[format, default: 0] += 1 }

    mutating func countBroken() { broken += 1 }

    mutating func apply(
        to document: ModelDocument,
        named name: String? = nil
    ) throws
        -> ModelDocument
    {
        guard document.members != nil, let name = name ?? knownName(of: document) else {
            return document
        }
        guard known.contains(name), isReadable(name, document) else { return document }
        var result = document
        let key = typeKey.flatMap { result.remove($0) }
        try migrate(&result, 1)
        result["$version"] = 2
        if let typeKey { result[key: typeKey] = key }
        migrated += 1
        for path in elements(name) {
            guard let inner = result[path] else { continue }
            if let list = inner.arrayValue, name == "list" || path != "items" {
                result[path] = .array(try list.map { try apply(to: $0) })
            } else {
                result[path] = try apply(to: inner)
            }
        }
        return result
    }

    private func knownName(of document: ModelDocument) -> String? {
        let tag = typeKey.flatMap { document[key: $0] }
        let names = tag?.arrayValue ?? tag.map { [$0] } ?? []
        return names.lazy.compactMap(\.stringValue).first { known.contains($0) }
    }
}

/// The four polymorphic corpora through models of half of their types that are a version older than
/// the documents: every document comes back with the step taken, and equal in all else. Skipped
/// where `shared/corpora` is absent.
struct AgedCorporaTests {
    private static let stripe = SharedCorpora.documents(in: "polymorphic/stripe")
    private static let streams = SharedCorpora.documents(in: "polymorphic/activitystreams")
    private static let geo = SharedCorpora.documents(in: "polymorphic/geojson", suffix: ".geojson")
    private static let hooks = SharedCorpora.documents(in: "polymorphic/webhooks")
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    /// Reads and writes a document in every format that has a form for it.
    private func expectMigrated<Coding: ProtocolCoding>(
        _ document: ModelDocument,
        by coding: Coding.Type,
        typeName: String? = nil,
        _ path: String,
        _ expectation: inout AgedExpectation
    ) throws {
        for format in Self.formats {
            guard let data = try? document.encoded(as: format) else { continue }
            expectation.count(format)
            let before = try ModelDocument(decoding: data, as: format)
            let written: Data
            if let typeName {
                let value = try coding.decode(data, as: format, typeName: typeName)
                written = try coding.encodeContent(value, as: format)
                #expect(coding.typeName(of: value) == typeName)
            } else {
                written = try coding.encode(coding.decode(data, as: format), as: format)
            }
            let after = try ModelDocument(decoding: written, as: format)
            var expected = expectation
            #expect(try after == expected.apply(to: before, named: typeName), "\(path) \(format)")
            if format == .json { expectation = expected }
            // Once it is of the current version, nothing changes any more.
            let again =
                if let typeName {
                    try coding.encodeContent(
                        coding.decode(written, as: format, typeName: typeName),
                        as: format
                    )
                } else {
                    try coding.encode(coding.decode(written, as: format), as: format)
                }
            #expect(try ModelDocument(decoding: again, as: format) == after, "\(path) \(format)")
        }
    }

    private func expectMigrated<Coding: ProtocolCoding>(
        _ paths: [String],
        in folder: String,
        by coding: Coding.Type,
        _ expectation: inout AgedExpectation
    ) throws {
        for path in paths {
            let data = try SharedCorpora.contents(of: path, in: folder)
            // What is no document is looked at in HalfCorporaTests.
            if let document = try? ModelDocument(decoding: data, as: .json) {
                try expectMigrated(document, by: coding, path, &expectation)
            } else {
                expectation.countBroken()
            }
        }
    }

    @Test(.needsCorpora)
    func `every resource of Stripe`() throws {
        let data = try SharedCorpora.contents(of: "fixtures3.json", in: "polymorphic/stripe")
        let resources = try #require(ModelDocument(decoding: data, as: .json)["resources"]?.members)
        var expectation = AgedExpectation(
            AgedStripeModel.self,
            typeKey: "object",
            elements: { $0 == "list" ? ["data"] : [] },
            migrate: AgedCorpus.Stripe.Account.migrate
        )
        for resource in resources {
            try expectMigrated(resource.value, by: AgedStripeModel.self, resource.key, &expectation)
        }
        #expect(expectation.known.count == 76)
        #expect(expectation.migrated == 94)
        // All of them as the elements of one object that is migrated, too.
        let list = ModelDocument.object([
            .init(key: "object", value: "list"), .init(key: "livemode", value: false),
            .init(key: "data", value: .array(resources.map(\.value))),
        ])
        try expectMigrated(list, by: AgedStripeModel.self, "list", &expectation)
        #expect(expectation.migrated == 2 * 94 + 1)
        #expect(expectation.formats == [.json: 177, .plist: 177, .binaryPlist: 177])
    }

    @Test(.needsCorpora)
    func `activity streams`() throws {
        var expectation = AgedExpectation(
            AgedStreamModel.self,
            typeKey: "type",
            elements: { _ in ["thing", "items"] },
            migrate: AgedCorpus.Streams.Accept.migrate
        )
        try expectMigrated(
            Self.streams,
            in: "polymorphic/activitystreams",
            by: AgedStreamModel.self,
            &expectation
        )
        #expect(expectation.migrated == 89)
        #expect(expectation.formats == [.json: 231, .plist: 231, .binaryPlist: 231])
        #expect(expectation.broken == 2)
    }

    @Test(.needsCorpora)
    func `GeoJSON is the same after a migration`() throws {
        var expectation = AgedExpectation(
            AgedGeoModel.self,
            typeKey: "type",
            elements: { name in
                switch name {
                case "Feature": ["shape"]
                case "FeatureCollection": ["content.features"]
                case "GeometryCollection": ["geometries"]
                default: []
                }
            },
            isReadable: { name, document in
                switch name {
                case "Feature": return document["geometry"] != nil
                case "FeatureCollection": return document["features"]?.arrayValue != nil
                case "GeometryCollection": return document["geometries"]?.arrayValue != nil
                case "Point":
                    let coordinates = document["coordinates"]?.arrayValue
                    return coordinates != nil && coordinates?.first?.arrayValue == nil
                default: return true
                }
            },
            migrate: AgedCorpus.Geo.Point.migrate
        )
        try expectMigrated(
            Self.geo,
            in: "polymorphic/geojson",
            by: AgedGeoModel.self,
            &expectation
        )
        #expect(expectation.migrated == 88)
        #expect(expectation.formats == [.json: 61, .plist: 60, .binaryPlist: 60])
        #expect(expectation.broken == 1)
    }

    @Test(.needsCorpora)
    func `webhooks are the same after a migration`() throws {
        var expectation = AgedExpectation(
            AgedHookModel.self,
            typeKey: nil,
            migrate: AgedCorpus.Hooks.Push.migrate
        )
        for path in Self.hooks {
            let data = try SharedCorpora.contents(of: path, in: "polymorphic/webhooks")
            try expectMigrated(
                ModelDocument(decoding: data, as: .json),
                by: AgedHookModel.self,
                typeName: String(path.prefix { $0 != "/" }),
                path,
                &expectation
            )
        }
        #expect(expectation.migrated == 172)
        #expect(expectation.formats == [.json: 273, .plist: 273, .binaryPlist: 273])
        #expect(expectation.broken == 0)
    }
}
