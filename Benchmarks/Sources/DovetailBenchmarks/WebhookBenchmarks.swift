import Dovetail

/// Real documents: GitHub's webhooks, from the folder of corpora when it is there.
enum WebhookBenchmarks {
    static func run() throws -> [Comparison] {
        let documents = try load()
        guard !documents.isEmpty else {
            print("(no webhooks: the folder of corpora is not beside this checkout)")
            return []
        }
        let foundation = JSONDecoder()
        foundation.dateDecodingStrategy = .iso8601
        return [
            try Comparison.of(
                "decode \(documents.count) webhooks, all fields",
                goal: .fasterBy(10),
                baseline: "JSONDecoder",
                rounds: 25,
                ours: { try documents.map { try Webhook(decoding: $0, as: .json) } },
                theirs: { try documents.map { try foundation.decode(Webhook.self, from: $0) } }
            )
        ]
    }

    /// `../shared/corpora/polymorphic/webhooks` beside the checkout.
    private static func load() throws -> [Data] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../shared/corpora/polymorphic/webhooks")
            .standardizedFileURL
        guard let files = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        return try files.compactMap { $0 as? String }.filter { $0.hasSuffix(".json") }.sorted()
            .map { try Data(contentsOf: folder.appendingPathComponent($0)) }
    }
}

@Model
struct Webhook: Codable {
    var action: String?
    var sender: Account?
    var repository: Repository?
    var organization: Organization?
    var issue: Issue?
    var pull_request: PullRequest?
    var comment: Comment?
    var label: IssueLabel?
    var milestone: Milestone?
}

/// A date that the documents hold as a date-time or as seconds since 1970.
enum Moment: Codable {
    case text(Date)
    case seconds(Int)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let seconds = try? container.decode(Int.self) {
            self = .seconds(seconds)
        } else {
            self = .text(try container.decode(Date.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let date): try container.encode(date)
        case .seconds(let seconds): try container.encode(seconds)
        }
    }
}

/// The same for Dovetail.
extension Moment: ModelValue {
    init(modelValue reader: inout ModelReader) throws {
        switch try reader.peekKind() {
        case .integer: self = .seconds(try Int(modelValue: &reader))
        case .string: self = .text(try Date(modelValue: &reader))
        default: throw reader.rejected(expected: "a date-time or seconds")
        }
    }

    func encode(to writer: inout ModelWriter) throws {
        try writer.embed { writer in
            switch self {
            case .text(let date): try date.encode(to: &writer)
            case .seconds(let seconds): try seconds.encode(to: &writer)
            }
        }
    }
}
