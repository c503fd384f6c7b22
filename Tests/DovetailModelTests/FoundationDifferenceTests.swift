import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// What Foundation accepts and we refuse, and the other way round, in changed documents of the
/// corpora. Each class of differences is listed with its reason; a difference of no class fails.
///
/// The seed is always the same one unless `DOVETAIL_SEED` names another: what is compared with is
/// not ours, and may end the process on some input.
struct FoundationDifferenceTests {
    /// How many changed copies there are of each document.
    private static let copies = 12

    private struct Verdicts {
        let data: Data
        let ours: Result<ModelDocument, any Error>
        let theirs: Result<Void, any Error>
    }

    /// The classes that were seen, by how often; what belongs to none is recorded.
    private func compare(
        _ seeds: [Data],
        tokens: [String],
        ours: (Data) throws -> ModelDocument,
        theirs: (Data) throws -> Void,
        kind: (Verdicts) -> String?
    ) -> [String: Int] {
        var random = SeededRandom(usual: 20_261_121)
        var seen: [String: Int] = [:]
        var unlisted = 0
        for seed in seeds {
            for copy in 0..<Self.copies {
                let data =
                    copy == 0 ? seed : random.changed(seed, tokens: tokens, others: seeds)
                let verdicts = Verdicts(
                    data: data,
                    ours: Result { try ours(data) },
                    theirs: Result { try theirs(data) }
                )
                switch (verdicts.ours, verdicts.theirs) {
                case (.success, .success): seen["both accept", default: 0] += 1
                case (.failure(let error), .failure):
                    seen["both refuse", default: 0] += 1
                    #expect(error is ModelDecodingError)
                default:
                    if let kind = kind(verdicts) {
                        seen[kind, default: 0] += 1
                    } else {
                        unlisted += 1
                        guard unlisted <= 10 else { continue }
                        Issue.record(
                            """
                            \(String(decoding: data.prefix(3000), as: UTF8.self).debugDescription)
                            ours \(verdicts.ours.mapError { $0 }) theirs \(verdicts.theirs) \
                            \(random.comment)
                            """
                        )
                    }
                }
            }
        }
        for (kind, count) in seen.sorted(by: { $0.value > $1.value }) {
            print("differences from Foundation: \(count) \(kind)")
        }
        return seen
    }

    private static func small(_ folder: String, suffixes: [String]) throws -> [Data] {
        try suffixes.flatMap { SharedCorpora.documents(in: folder, suffix: $0) }
            .map { try SharedCorpora.contents(of: $0, in: folder) }
            .filter { $0.count < 4096 }
    }

    // MARK: JSON

    private static let jsonTokens =
        Array("{}[]:,\"\\").map(String.init) + [
            "null", "true", "1e400", "-0", "1.", "0x1", "\\ud800", "\\u0000", "\u{FEFF}", "\0",
            "//",
            "/**/", "'", "NaN", "Infinity", "+1", ".5", "\u{2028}", "\t", "é", ",]", "[[[[", "01",
        ]

    @Test(.needsCorpora)
    func `JSONSerialization differs only as listed`() throws {
        let seeds =
            try Self.small("json", suffixes: [".json"])
            + Self.small("polymorphic/geojson", suffixes: ["geojson", ".json"])
            + [Data(Everything.document.utf8)]
        let seen = compare(
            seeds,
            tokens: Self.jsonTokens,
            ours: { try ModelDocument(decoding: $0, as: .json) },
            theirs: { _ = try JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) },
            kind: Self.reasonInJSON
        )
        #expect(seen["both accept", default: 0] > 500)
        #expect(seen["both refuse", default: 0] > 500)
    }

    private static func reasonInJSON(_ verdicts: Verdicts) -> String? {
        switch verdicts.ours {
        case .failure(let error as ModelDecodingError):
            switch (error.kind, error.expected) {
            case (.invalidEncoding, _):
                return "we refuse other encodings than UTF-8, bad UTF-8 and half surrogate pairs"
            case (.invalidSyntax, "a value") where error.found.contains("]"),
                (.invalidSyntax, "a field name") where error.found.contains("}"):
                return "we refuse a comma after the last element or member"
            default: return nil
            }
        case .success(let document) where !numbersFit(document):
            return "we keep the text of numbers that no Double can hold"
        default: return nil
        }
    }

    private static func numbersFit(_ document: ModelDocument) -> Bool {
        if document.numberText != nil { return document.doubleValue != nil }
        return (document.arrayValue ?? document.members?.map(\.value) ?? []).allSatisfy(numbersFit)
    }

    // MARK: Property lists

    private static let listTokens = [
        "<dict>", "</dict>", "<key>k</key>", "<array/>", "<string>", "</string>", "<integer>1",
        "<real>nan</real>", "<true/>", "<date>", "<data>", "&amp;", "&#65;", "&#x110000;", "&lt",
        "<!--",
        "-->", "<![CDATA[", "]]>", "<?x?>", "<plist>", "</plist>", "<", ">", "bplist00", "\0", " ",
    ]

    @Test(.needsCorpora)
    func `PropertyListSerialization differs only as listed`() throws {
        let value = try Everything(json: Everything.document)
        let seeds =
            try Self.small("plist", suffixes: [".plist", ".archive"])
            + [value.encoded(as: .plist), value.encoded(as: .binaryPlist)]
        // Few documents: each of them more often.
        let seen = compare(
            Array(repeating: seeds, count: 8).flatMap { $0 },
            tokens: Self.listTokens,
            ours: { try ModelDocument(decoding: $0, as: .plist) },
            theirs: {
                if Self.endsFoundation($0) { throw CocoaError(.propertyListReadCorrupt) }
                _ = try PropertyListSerialization.propertyList(from: $0, format: nil)
            },
            kind: Self.reasonInPropertyLists
        )
        #expect(seen["both accept", default: 0] > 500)
        #expect(seen["both refuse", default: 0] > 500)
    }

    private static func reasonInPropertyLists(_ verdicts: Verdicts) -> String? {
        let isBinary = verdicts.data.starts(with: Data("bplist".utf8))
        switch verdicts.ours {
        case .failure(let error as ModelDecodingError):
            return isBinary ? refusedBinary(error) : refusedXML(error, verdicts.data)
        case .success where isBinary && hasWrongOffset(verdicts.data):
            return "we do not look at the offset of an object that nothing refers to"
        case .success(let document) where isBinary && holdsLargeReference(document):
            return "we read references of archives above 2^32"
        case .success where isBinary && endsFoundation(verdicts.data):
            return "we read sets, which Foundation is not asked for: it may end the process"
        case .success where isBinary: return nil
        case .success where foundationReads(XMLOutline(verdicts.data).bytes):
            return "we read tags and the document type as XML has them; Foundation ends them at "
                + "the first >, also in quotes, and takes control characters for their name"
        default: return nil
        }
    }

    private static func refusedBinary(_ error: ModelDecodingError) -> String? {
        switch error.expected {
        case "ASCII": "we refuse bytes above 127 in an ASCII string"
        case "a string as key": "we refuse keys that are no strings"
        case "a trailer with sizes from 1 to 8": "we refuse offsets of other sizes than 1 to 8"
        // It is a word in OpenStep's form for Foundation.
        case "a binary property list of at least 42 bytes": "we refuse what ends after bplist"
        default: nil
        }
    }

    private static func refusedXML(_ error: ModelDecodingError, _ data: Data) -> String? {
        if data.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) != 0x3C {
            return "we do not read OpenStep's form, where a word is a document"
        }
        switch (error.kind, error.expected) {
        case (.trailingContent, _): return "we refuse what follows the document"
        case (.invalidEncoding, _): return "we refuse bad UTF-8, and encodings that are not UTF-8"
        case (_, "a whole number"): return "we refuse other characters in a number"
        case (_, "base64"): return "we refuse other characters in <data>"
        case (_, "a floating point number"): return "we refuse other characters in a number"
        case (_, "a reference to a character"): return "we refuse references that XML lacks"
        case (.unexpectedEnd, "\">\""): return "we do not end a tag inside of quotes"
        case (_, "a value") where error.found == "<key>": return "we refuse <key> as a string"
        case _ where weRead(XMLOutline(data, tagsEndInQuotes: true).bytes):
            return "we do not end a tag inside of quotes, and refuse what is no attribute there"
        default: return nil
        }
    }

    /// The offsets in the table of a binary property list; none where the trailer is broken.
    private static func offsets(_ bytes: [UInt8]) -> [Int] {
        guard bytes.count > 40 else { return [] }
        func word(_ place: Int, _ size: Int) -> Int {
            bytes[place..<place + size].reduce(0) { $0 &<< 8 | Int($1) }
        }
        let size = Int(bytes[bytes.count - 26])
        let table = word(bytes.count - 8, 8)
        guard 1...8 ~= size, 8..<bytes.count - 32 ~= table else { return [] }
        return stride(from: table, through: bytes.count - 32 - size, by: size).map {
            word($0, size)
        }
    }

    /// Whether the table names a place outside of the objects.
    private static func hasWrongOffset(_ data: Data) -> Bool {
        let table = data.suffix(8).reduce(0) { $0 &<< 8 | Int($1) }
        return offsets(Array(data)).contains { !(8..<table).contains($0) }
    }

    /// Foundation of Swift 6.3.1 reads a null pointer where a set holds a reference of an archive.
    private static func endsFoundation(_ data: Data) -> Bool {
        let bytes = Array(data)
        return offsets(bytes).contains { bytes.indices ~= $0 && bytes[$0] >> 4 == 0xC }
    }

    private static func holdsLargeReference(_ document: ModelDocument) -> Bool {
        if let value = document[key: "CF$UID"]?.intValue { return value > UInt32.max }
        return (document.arrayValue ?? document.members?.map(\.value) ?? [])
            .contains(where: holdsLargeReference)
    }

    private static func weRead(_ bytes: [UInt8]) -> Bool {
        (try? ModelDocument(decoding: Data(bytes), as: .plist)) != nil
    }

    private static func foundationReads(_ bytes: [UInt8]) -> Bool {
        (try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)) != nil
    }
}

/// A document of XML without declaration, document type, comments and attributes.
private struct XMLOutline {
    private(set) var bytes: [UInt8] = []
    private var rest: ArraySlice<UInt8>
    private let tagsEndInQuotes: Bool

    /// - Parameter tagsEndInQuotes: whether the first `>` ends a tag, as for Foundation.
    init(_ data: Data, tagsEndInQuotes: Bool = false) {
        self.tagsEndInQuotes = tagsEndInQuotes
        rest = Array(data)[...]
        while let first = rest.first {
            if first != 0x3C {
                bytes.append(first)
                rest.removeFirst()
            } else if rest.starts(with: "<![CDATA[".utf8) {
                bytes += take(through: "]]>")
            } else if rest.starts(with: "<!--".utf8) {
                _ = take(through: "-->")
            } else if rest.starts(with: "<?".utf8) {
                _ = take(through: "?>")
            } else {
                takeTag()
            }
        }
    }

    private mutating func take(through end: String) -> [UInt8] {
        var taken: [UInt8] = []
        while let byte = rest.popFirst() {
            taken.append(byte)
            if taken.suffix(end.utf8.count).elementsEqual(end.utf8) { break }
        }
        return taken
    }

    private mutating func takeTag() {
        var name = [rest.removeFirst()]
        if rest.first == 0x2F { name.append(rest.removeFirst()) }
        while let byte = rest.first, 0x61...0x7A ~= byte | 0x20 { name.append(rest.removeFirst()) }
        let isDocumentType = rest.first == 0x21
        var quote: UInt8?
        var last: UInt8 = 0
        while let byte = rest.popFirst() {
            if quote == nil, byte == 0x3E { break }
            if let open = quote {
                if byte == open { quote = nil }
            } else if !tagsEndInQuotes, byte == 0x22 || byte == 0x27 {
                quote = byte
            }
            last = byte
        }
        if isDocumentType { return }
        bytes += name + (last == 0x2F ? [0x2F, 0x3E] : [0x3E])
    }
}
