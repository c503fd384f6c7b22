import Dovetail
import Foundation

@ModelDefaults(naming: .snakeCase, unknownFields: .preserve)
extension Discord {
    /// A rule of which a number tells what it looks for.
    @ModelProtocol(typeKey: "trigger_type", tagKind: .integer, unknown: .preserve)
    protocol Rule: Equatable {}

    @Model(flattenable: true, naming: .snakeCase) struct RuleHead: Equatable {
        var id: Snowflake
        var guildID: Snowflake
        var name: String
        var creatorID: Snowflake
        var eventType: Int
        var actions: [any RuleAction]
        var enabled: Bool
        var exemptRoles: [Snowflake]
        var exemptChannels: [Snowflake]
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    @Model(typeName: "1", aliases: ["6"], keepsTypeName: true) struct KeywordRule: Rule {
        @Attribute(.flattened) var head: RuleHead
        @Attribute(name: "trigger_metadata.keyword_filter") var keywords: [String]
        @Attribute(name: "trigger_metadata.regex_patterns") var patterns: [String]
        @Attribute(name: "trigger_metadata.allow_list") var allowed: [String]?
    }

    @Model(typeName: "3") struct SpamRule: Rule {
        @Attribute(.flattened) var head: RuleHead
        var triggerMetadata: [String: ModelDocument]?
    }

    @Model(typeName: "4") struct PresetRule: Rule {
        @Attribute(.flattened) var head: RuleHead
        @Attribute(name: "trigger_metadata.presets") var presets: [Int]
        @Attribute(name: "trigger_metadata.allow_list") var allowed: [String]
    }

    @Model(typeName: "5") struct MentionRule: Rule {
        @Attribute(.flattened) var head: RuleHead
        @Attribute(name: "trigger_metadata.mention_total_limit") var limit: Int
        @Attribute(name: "trigger_metadata.mention_raid_protection_enabled") var protects: Bool?
    }

    @ModelProtocol(typeKey: "type", tagKind: .integer, unknown: .preserve)
    protocol RuleAction: Equatable {}

    @Model(typeName: "1") struct BlockMessage: RuleAction {
        @Attribute(name: "metadata.custom_message") var customMessage: String?
    }

    @Model(typeName: "2") struct SendAlert: RuleAction {
        @Attribute(name: "metadata.channel_id") var channel: Snowflake
    }

    @Model(typeName: "3") struct Timeout: RuleAction {
        @Attribute(name: "metadata.duration_seconds") var seconds: Int
    }

    @Model struct AuditLog: Equatable {
        var auditLogEntries: [AuditEntry]
        var users: [User]
        var webhooks: [Webhook]
        var autoModerationRules: [any Rule]
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    @Model struct AuditEntry: Equatable {
        @Attribute(.nullWhenNil) var targetID: String?
        var changes: [AuditChange]?
        @Attribute(.nullWhenNil) var userID: Snowflake?
        var id: Snowflake
        var actionType: Kind<AuditEntry>
        var options: [String: String]?
        var reason: String?
    }

    /// Values of any kind; one that is absent was not set.
    @Model struct AuditChange: Equatable {
        var newValue: ModelDocument?
        var oldValue: ModelDocument?
        var key: String
    }
}
