import Dovetail

/// An account as GitHub sends it: users, bots and owners of repositories.
@Model(naming: .snakeCase)
struct Account: Equatable {
    var login: String
    var id: Int
    var nodeId: String?
    var avatarUrl: URL
    var gravatarId: String
    var url: URL
    var htmlUrl: URL
    var followersUrl: URL
    var followingUrl: String
    var gistsUrl: String
    var reposUrl: URL
    var receivedEventsUrl: URL
    var type: AccountType
    var siteAdmin: Bool
    var name: String?
    var email: String?
}

@Model
enum AccountType: String {
    case user = "User"
    case bot = "Bot"
    case organization = "Organization"
}

@Model(naming: .snakeCase)
struct License: Equatable {
    var key: String
    var name: String
    var spdxId: String
    var url: URL?
    var nodeId: String
}

/// A date that the documents hold as a date-time or as seconds since 1970.
enum EitherDate: Codable, Equatable {
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

@Model(naming: .snakeCase)
struct Repository: Equatable {
    var id: Int
    var nodeId: String
    var name: String
    var fullName: String
    var `private`: Bool
    var owner: Account
    var htmlUrl: URL
    var description: String?
    var fork: Bool
    var url: URL
    var keysUrl: String
    var hooksUrl: URL
    var createdAt: EitherDate
    var updatedAt: Date
    var pushedAt: EitherDate
    var gitUrl: URL
    var sshUrl: String
    var cloneUrl: URL
    var homepage: String?
    var size: Int
    var stargazersCount: Int
    var language: String?
    var hasIssues: Bool
    var hasWiki: Bool
    var mirrorUrl: URL?
    var archived: Bool
    var disabled: Bool?
    var openIssuesCount: Int
    var license: License?
    var topics: [String]
    var visibility: String
    var defaultBranch: String
    var customProperties: [String: String]
    var permissions: [String: Bool]?
    var hasDiscussions: Bool?
    var stargazers: Int?
}

@Model(naming: .snakeCase)
struct Organization: Equatable {
    var login: String
    var id: Int
    var nodeId: String
    var url: URL
    var reposUrl: URL
    var membersUrl: String
    var avatarUrl: URL
    var description: String?
}

/// What all of the payloads may have. Some have an `id` of their own, which is another thing.
@Model(naming: .snakeCase)
struct Webhook: Equatable, Identifiable {
    @Attribute(name: "path_in_corpus") var id = ""
    var action: String?
    var sender: Account?
    var repository: Repository?
    var organization: Organization?
}
