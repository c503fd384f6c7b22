import Dovetail
import Foundation
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
        reason: (Verdicts) -> String?
    ) -> [String: Int] {
        var random = SeededGenerator(usual: 20_261_121)
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
                    if let reason = reason(verdicts) {
                        seen[reason, default: 0] += 1
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
        for (reason, count) in seen.sorted(by: { $0.value > $1.value }) {
            print("differences from Foundation: \(count) \(reason)")
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

    @Test(.enabled(if: SharedCorpora.folder != nil, "shared/corpora is absent"))
    func jsonSerialization() throws {
        let seeds =
            try Self.small("json", suffixes: [".json"])
            + Self.small("polymorphic/geojson", suffixes: ["geojson", ".json"])
            + [Data(Everything.document.utf8)]
        let seen = compare(
            seeds,
            tokens: Self.jsonTokens,
            ours: { try ModelDocument(decoding: $0, as: .json) },
            theirs: { _ = try JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) },
            reason: Self.reasonInJSON
        )
        #expect(seen["both accept", default: 0] > 500)
        #expect(seen["both refuse", default: 0] > 500)
    }

    private static func reasonInJSON(_ verdicts: Verdicts) -> String? {
        switch verdicts.ours {
        case .failure(let error as ModelDecodingError):
            switch error.reason {
            case .invalidEncoding:
                return "we refuse other encodings than UTF-8, bad UTF-8 and half surrogate pairs"
            default: return nil
            }
        case .success(let document):
            if !numbersFit(document) {
                return "we keep the text of numbers that no Double can hold"
            }
            return nil
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

    @Test(.enabled(if: SharedCorpora.folder != nil, "shared/corpora is absent"))
    func propertyListSerialization() throws {
        let value = try Everything(json: Everything.document)
        let seeds =
            try Self.small("plist", suffixes: [".plist", ".archive"])
            + [value.encoded(as: .plist), value.encoded(as: .binaryPlist)]
        // Few documents: each of them more often.
        let seen = compare(
            Array(repeating: seeds, count: 12).flatMap { $0 },
            tokens: Self.listTokens,
            ours: { try ModelDocument(decoding: $0, as: .plist) },
            theirs: { _ = try PropertyListSerialization.propertyList(from: $0, format: nil) },
            reason: Self.reasonInPropertyLists
        )
        #expect(seen["both accept", default: 0] > 500)
        #expect(seen["both refuse", default: 0] > 500)
    }

    private static func reasonInPropertyLists(_ verdicts: Verdicts) -> String? {
        nil
    }
}
