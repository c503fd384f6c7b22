import Dovetail
import StoreTestSupport
import Testing

/// The discriminator of GitHub's webhooks is a header, in the corpus the name of the folder.
@ModelProtocol
private protocol WebhookEvent {
    var sender: Account? { get }
}

@Model(typeName: "issues")
private struct IssuesEvent: WebhookEvent, Equatable {
    var action: String
    var issue: Issue
    var repository: Repository
    var sender: Account?
}

@Model(naming: .snakeCase)
private struct Issue: Equatable {
    var id: Int
    var number: Int
    var title: String
    var user: Account
    var state: String?
    var createdAt: Date
    var closedAt: Date?
    var body: String?
}

@Model(naming: .snakeCase, typeName: "push")
private struct PushEvent: WebhookEvent, Equatable {
    var ref: String
    var before: String
    var baseRef: String?
    var forced: Bool
    var commits: [Commit]
    var sender: Account?
}

@Model
private struct Commit: Equatable {
    var id: String
    var message: String
    var timestamp: Date
    var added: [String]
}

@Model(naming: .snakeCase, typeName: "star")
private struct StarEvent: WebhookEvent, Equatable {
    var action: String
    var starredAt: Date?
    var sender: Account?
}

@Model(naming: .snakeCase, typeName: "ping")
private struct PingEvent: WebhookEvent, Equatable {
    var zen: String
    var hookId: Int
    var organization: Organization?
    var sender: Account?
}

@Model(naming: .snakeCase, typeName: "create", aliases: ["delete"])
private struct RefEvent: WebhookEvent, Equatable {
    var ref: String
    var refType: String
    var pusherType: String
    var sender: Account?
}

@Model(typeName: "fork")
private struct ForkEvent: WebhookEvent, Equatable {
    var forkee: Repository
    var sender: Account?
}

/// All others.
@Model(
    typeName: "label",
    aliases: [
        "branch_protection_rule", "check_run", "check_suite", "code_scanning_alert",
        "commit_comment", "dependabot_alert", "deploy_key", "deployment",
        "deployment_review", "deployment_status", "discussion", "discussion_comment",
        "github_app_authorization", "gollum", "installation", "installation_repositories",
        "issue_comment", "marketplace_purchase", "member", "membership", "merge_group",
        "meta", "milestone", "org_block", "organization", "package", "page_build",
        "project", "project_card", "project_column", "projects_v2_item", "public",
        "pull_request", "pull_request_review", "pull_request_review_comment",
        "pull_request_review_thread", "registry_package", "release", "repository",
        "repository_dispatch", "repository_import", "repository_vulnerability_alert",
        "secret_scanning_alert", "security_advisory", "sponsorship", "status", "team",
        "team_add", "watch", "workflow_dispatch", "workflow_job", "workflow_run",
    ]
)
private struct OtherEvent: WebhookEvent, Equatable {
    var action: String?
    var repository: Repository?
    var sender: Account?
}

/// A type that is known from outside of the document.
struct WebhookEventTests {
    private static let folder = "polymorphic/webhooks"
    private static let documents = SharedCorpora.documents(in: folder)

    @Test
    func `the name is given`() throws {
        let star = Data(#"{"action":"created","$type":"ping","starred_at":null}"#.utf8)
        let event = try WebhookEventModel.decode(star, as: .json, typeName: "star")
        #expect(event as? StarEvent == StarEvent(action: "created"))
        #expect(WebhookEventModel.typeName(of: event) == "star")
        let written = try WebhookEventModel.encodeContent(event, as: .json)
        #expect(String(decoding: written, as: UTF8.self) == #"{"action":"created"}"#)
        #expect(
            try WebhookEventModel.encode(event, as: .json)
                == Data(#"{"$type":"star","action":"created"}"#.utf8)
        )
    }

    @Test
    func `errors about events have their place`() throws {
        let empty = Data("{}".utf8)
        let unknown = try #require(throws: ModelDecodingError.self) {
            try WebhookEventModel.decode(empty, as: .json, typeName: "nothing")
        }
        #expect(unknown.kind == .unknownType)
        #expect(unknown.found == #"type "nothing""#)
        let missing = try #require(throws: ModelDecodingError.self) {
            try WebhookEventModel.decode(empty, as: .json, typeName: "star")
        }
        #expect(missing.kind == .missingField)
        #expect(missing.path == "action")
        let tail = try #require(throws: ModelDecodingError.self) {
            try WebhookEventModel.decode(
                Data(#"{"action":""} 1"#.utf8),
                as: .json,
                typeName: "star"
            )
        }
        #expect(tail.kind == .trailingContent)
    }

    /// A conformer that is no object needs no type key here.
    @Test
    func `any kind of value`() throws {
        let vehicle = try InsideAgainModel.decode(
            Data("\"quad\"".utf8),
            as: .json,
            typeName: "Skate"
        )
        #expect(vehicle as? Skate == .quad)
        #expect(try InsideAgainModel.encodeContent(vehicle, as: .json) == Data("\"quad\"".utf8))
    }

    @Test(.needsCorpora)
    func `every webhook`() throws {
        var names: [String: Int] = [:]
        for path in Self.documents {
            let data = try SharedCorpora.contents(of: path, in: Self.folder)
            let folder = String(path.prefix { $0 != "/" })
            let event = try WebhookEventModel.decode(data, as: .json, typeName: folder)
            let name = WebhookEventModel.typeName(of: event)
            names[name, default: 0] += 1
            let written = try WebhookEventModel.encodeContent(event, as: .json)
            let again = try WebhookEventModel.decode(written, as: .json, typeName: name)
            #expect(try WebhookEventModel.encodeContent(again, as: .json) == written, "\(path)")
            try expectPart(
                JSONSerialization.jsonObject(with: written),
                of: JSONSerialization.jsonObject(with: data),
                path
            )
        }
        #expect(names.values.reduce(0, +) == 273)
        #expect(names["issues"] == 28)
        #expect(names["star"] == 2)
        #expect(Set(names.keys) == ["issues", "push", "star", "ping", "create", "fork", "label"])
    }
}
