import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Property lists that others wrote: Foundation's tests, and archives of macOS.
struct PropertyListCorpusTests {
    private static let folder = "plist"
    private static let documents =
        SharedCorpora.documents(in: folder, suffix: ".plist")
        + SharedCorpora.documents(in: folder, suffix: ".archive")
    private static let json = SharedCorpora.documents(in: "json/foundation")

    /// The form of OpenStep, which is neither XML nor binary.
    private static let refused: [String: ModelDecodingError.Kind] = [
        "foundation/test_oldStylePlist_getSlashedChars_octal.plist": .invalidSyntax,
        "foundation/test_oldStylePlist_getSlashedChars_unicode.plist": .invalidSyntax,
    ]

    /// Hold control characters, for which XML has no form.
    private static let notWritten: [ModelFormat: Set<String>] = [
        .plist: [
            "foundation/javascriptcore_tests.plist",
            "foundation/test_oldStylePlist_getSlashedChars_octal_expected.plist",
            "foundation/test_oldStylePlist_getSlashedChars_unicode_expected.plist",
        ]
    ]

    @Test(.needsCorpora)
    func `every document is read and written equal`() throws {
        #expect(Self.documents.count > 60)
        var refused: [String: ModelDecodingError.Kind] = [:]
        var notWritten: [ModelFormat: Set<String>] = [:]
        var compared: [ModelFormat: Int] = [:]
        var comparedWithFoundation: [ModelFormat: Int] = [:]
        for name in Self.documents {
            let data = try SharedCorpora.contents(of: name, in: Self.folder)
            let document: ModelDocument
            do {
                document = try ModelDocument(decoding: data, as: .plist)
            } catch let error as ModelDecodingError {
                refused[name] = error.kind
                continue
            }
            for format in [ModelFormat.plist, .binaryPlist] {
                let written: Data
                do {
                    written = try document.encoded(as: format)
                } catch let error as ModelEncodingError {
                    #expect(error.kind == .notRepresentable)
                    notWritten[format, default: []].insert(name)
                    continue
                }
                let again = try ModelDocument(decoding: written, as: format)
                #expect(again == document, "\(name)")
                #expect(try again.encoded(as: format) == written, "\(name)")
                compared[format, default: 0] += 1
                // Foundation's references of archives equal nothing, not even themselves.
                if !name.hasPrefix("archives") {
                    #expect(Self.foundation(written) == Self.foundation(data), "\(name)")
                    comparedWithFoundation[format, default: 0] += 1
                }
            }
        }
        #expect(refused == Self.refused)
        #expect(notWritten == Self.notWritten)
        #expect(compared == [.plist: 67, .binaryPlist: 70])
        #expect(comparedWithFoundation == [.plist: 18, .binaryPlist: 21])
    }

    private static func foundation(_ data: Data) -> NSObject? {
        try? PropertyListSerialization.propertyList(from: data, format: nil) as? NSObject
    }

    /// Every document cut off and with bytes changed: a value or a typed error.
    @Test(.needsCorpora)
    func `broken documents are typed errors`() throws {
        var random = SeededRandom()
        var checked = 0
        for name in Self.documents {
            let data = try SharedCorpora.contents(of: name, in: Self.folder)
            for round in 0..<60 {
                var changed = data
                if round % 3 == 0 {
                    changed = data.prefix(Int.random(in: 0..<data.count, using: &random))
                } else {
                    let place = Int.random(in: 0..<data.count, using: &random)
                    changed[place] = UInt8.random(in: 0...255, using: &random)
                }
                do {
                    _ = try ModelDocument(decoding: changed, as: .plist)
                } catch is ModelDecodingError {}
                checked += 1
            }
        }
        #expect(checked == 60 * Self.documents.count)
    }

    /// The same document as JSON and as property list.
    @Test(.needsCorpora)
    func `pairs mean the same`() throws {
        var pairs = 0
        for name in Self.json {
            let stem = String(name.dropLast(".json".count))
            guard Self.documents.contains("foundation/\(stem).plist") else { continue }
            let json = try SharedCorpora.contents(of: name, in: "json/foundation")
            let list = try SharedCorpora.contents(of: "foundation/\(stem).plist", in: Self.folder)
            guard let left = try? ModelDocument(decoding: json, as: .json),
                let right = try? ModelDocument(decoding: list, as: .plist)
            else { continue }
            #expect(Self.rounded(left) == Self.rounded(right), "\(stem)")
            pairs += 1
        }
        #expect(pairs == 8)
    }

    /// Two longitudes of `pass6.plist` are the neighbours of the doubles in `pass6.json`.
    private static func rounded(_ document: ModelDocument) -> ModelDocument {
        if let elements = document.arrayValue { return .array(elements.map(rounded)) }
        if let members = document.members {
            // Of the repeated key of `pass13.json` the property list has the last member.
            let last = Dictionary(members.map { ($0.key, rounded($0.value)) }) { $1 }
            return .object(last.map { .init(key: $0.key, value: $0.value) })
        }
        guard document.kind == .double, let value = document.doubleValue else { return document }
        return .double((value * 1e9).rounded() / 1e9)
    }
}
