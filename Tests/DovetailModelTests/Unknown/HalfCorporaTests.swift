import Dovetail
import StoreTestSupport
import Testing

@ModelProtocol(typeKey: "object", unknown: .preserve)
protocol HalfStripe {}

@ModelProtocol(typeKey: "type", tagKind: .stringOrList, unknown: .preserve)
protocol HalfStream {}

@ModelProtocol(typeKey: "type", unknown: .preserve)
protocol HalfGeo {}

/// The type is the event, which is named outside of the document.
@ModelProtocol(unknown: .preserve)
protocol HalfHook {}

/// The four polymorphic corpora through models of half of their types: every document comes back
/// equal. Skipped where `shared/corpora` is absent.
struct HalfCorporaTests {
    private static let stripe = SharedCorpora.documents(in: "polymorphic/stripe")
    private static let streams = SharedCorpora.documents(in: "polymorphic/activitystreams")
    private static let geo = SharedCorpora.documents(in: "polymorphic/geojson", suffix: ".geojson")
    private static let hooks = SharedCorpora.documents(in: "polymorphic/webhooks")
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    /// How many roots were of a known type, and how many were kept.
    private struct Counts: Equatable {
        var known = 0
        var kept = 0
        var broken = 0
        /// How many documents went through each format: property lists have no form for repeated
        /// members and some numbers.
        var formats: [ModelFormat: Int] = [:]

        mutating func add(_ value: Any) {
            if value is any UnknownModel { kept += 1 } else { known += 1 }
        }
    }

    /// Reads and writes a document in every format that has a form for it.
    private func expectKept<Coding: ProtocolCoding>(
        _ document: ModelDocument,
        by coding: Coding.Type,
        typeName: String? = nil,
        _ path: String,
        _ counts: inout Counts
    ) throws {
        for format in Self.formats {
            guard let data = try? document.encoded(as: format) else { continue }
            let value =
                if let typeName {
                    try coding.decode(data, as: format, typeName: typeName)
                } else {
                    try coding.decode(data, as: format)
                }
            if format == .json { counts.add(value) }
            let written =
                if typeName == nil {
                    try coding.encode(value, as: format)
                } else {
                    try coding.encodeContent(value, as: format)
                }
            let after = try ModelDocument(decoding: written, as: format)
            #expect(try after == ModelDocument(decoding: data, as: format), "\(path) \(format)")
            if let typeName { #expect(coding.typeName(of: value) == typeName) }
            counts.formats[format, default: 0] += 1
        }
    }

    private func counts<Coding: ProtocolCoding>(
        of paths: [String],
        in folder: String,
        by coding: Coding.Type
    ) throws -> Counts {
        var counts = Counts()
        for path in paths {
            let data = try SharedCorpora.contents(of: path, in: folder)
            do {
                let document = try ModelDocument(decoding: data, as: .json)
                try expectKept(document, by: coding, path, &counts)
            } catch let error as ModelDecodingError {
                // What is no document is none for a model either.
                counts.broken += 1
                #expect(throws: error, "\(path)") { try coding.decode(data, as: .json) }
            }
        }
        return counts
    }

    @Test(.needsCorpora)
    func `every resource of Stripe`() throws {
        let data = try SharedCorpora.contents(of: "fixtures3.json", in: "polymorphic/stripe")
        let resources = try #require(ModelDocument(decoding: data, as: .json)["resources"]?.members)
        var counts = Counts()
        for resource in resources {
            try expectKept(resource.value, by: HalfStripeModel.self, resource.key, &counts)
        }
        #expect(HalfStripeModel.conformers.knownNames.count == 76)
        #expect(
            counts
                == Counts(
                    known: 94,
                    kept: 82,
                    broken: 0,
                    formats: [.json: 176, .plist: 176, .binaryPlist: 176]
                )
        )
    }

    @Test(.needsCorpora)
    func `activity streams`() throws {
        let counts = try counts(
            of: Self.streams,
            in: "polymorphic/activitystreams",
            by: HalfStreamModel.self
        )
        #expect(
            counts
                == Counts(
                    known: 80,
                    kept: 151,
                    broken: 2,
                    formats: [.json: 231, .plist: 231, .binaryPlist: 231]
                )
        )
    }

    @Test(.needsCorpora)
    func `GeoJSON keeps what half of its types do not declare`() throws {
        let counts = try counts(of: Self.geo, in: "polymorphic/geojson", by: HalfGeoModel.self)
        #expect(
            counts
                == Counts(
                    known: 41,
                    kept: 20,
                    broken: 1,
                    formats: [.json: 61, .plist: 60, .binaryPlist: 60]
                )
        )
    }

    @Test(.needsCorpora)
    func `webhooks keep what half of their types do not declare`() throws {
        var counts = Counts()
        for path in Self.hooks {
            let data = try SharedCorpora.contents(of: path, in: "polymorphic/webhooks")
            try expectKept(
                ModelDocument(decoding: data, as: .json),
                by: HalfHookModel.self,
                typeName: String(path.prefix { $0 != "/" }),
                path,
                &counts
            )
        }
        #expect(
            counts
                == Counts(
                    known: 172,
                    kept: 101,
                    broken: 0,
                    formats: [.json: 273, .plist: 273, .binaryPlist: 273]
                )
        )
    }
}
