import Dovetail

/// Real documents: GitHub's webhooks, from the folder of corpora when it is there.
enum WebhookBenchmarks {
    static func run() throws -> [Comparison] {
        let documents = try load()
        guard !documents.isEmpty else {
            print("(no webhooks: the folder of corpora is not beside this checkout)")
            return []
        }
        return [
            try Comparison.of(
                "decode \(documents.count) webhooks × 20",
                goal: .fasterBy(8),
                baseline: "JSONDecoder",
                ours: {
                    for _ in 0..<20 {
                        for data in documents { _ = try Webhook(decoding: data, as: .json) }
                    }
                },
                theirs: {
                    for _ in 0..<20 {
                        for data in documents {
                            _ = try JSONDecoder().decode(Webhook.self, from: data)
                        }
                    }
                }
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

// The members are named as in the documents, so that both sides read without a translation.

@Model
struct Webhook: Codable {
    var action: String?
    var sender: Account?
    var repository: Repository?
    var organization: Organization?
}

@Model
struct Account: Codable {
    var login: String
    var id: Int
    var node_id: String?
    var avatar_url: String
    var url: String
    var html_url: String
    var followers_url: String
    var repos_url: String
    var events_url: String
    var type: String
    var site_admin: Bool
}

@Model
struct Organization: Codable {
    var login: String
    var id: Int
    var node_id: String
    var url: String
    var repos_url: String
    var events_url: String
    var hooks_url: String
    var avatar_url: String
    var description: String?
}

@Model
struct Repository: Codable {
    var id: Int
    var node_id: String
    var name: String
    var full_name: String
    var `private`: Bool
    var owner: Owner
    var html_url: String
    var description: String?
    var fork: Bool
    var url: String
    var forks_url: String
    var keys_url: String
    var teams_url: String
    var hooks_url: String
    var branches_url: String
    var tags_url: String
    var commits_url: String
    var issues_url: String
    var pulls_url: String
    var clone_url: String
    var homepage: String?
    var size: Int
    var stargazers_count: Int
    var watchers_count: Int
    var language: String?
    var has_issues: Bool
    var has_wiki: Bool
    var forks_count: Int
    var archived: Bool
    var open_issues_count: Int
    var topics: [String]
    var visibility: String
    var default_branch: String
}

/// The owner's `login` is missing in a few documents, where `name` stands.
@Model
struct Owner: Codable {
    var login: String?
    var name: String?
    var id: Int
    var url: String
    var html_url: String
    var type: String
    var site_admin: Bool
}
