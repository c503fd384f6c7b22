import Dovetail
import Foundation

@ModelDefaults(naming: .snakeCase, unknownFields: .preserve)
extension Discord {
    /// A place of messages; its kind is a number.
    @ModelProtocol(typeKey: "type", tagKind: .integer, unknown: .preserve, wrapper: true)
    protocol Channel: Equatable { var id: Snowflake { get } }

    /// What all channels of guilds have.
    @Model(flattenable: true, naming: .snakeCase) struct GuildPlace: Equatable {
        var guildID: Snowflake?
        var position: Int
        var permissionOverwrites: [Overwrite]
        var name: String
        var parentID: Snowflake??
        var flags: Int?
    }

    @Model struct Overwrite: Equatable {
        var id: Snowflake
        var type: Kind<Overwrite>
        var allow: Permissions
        var deny: Permissions
    }

    @Model(typeName: "0", aliases: ["5"], keepsTypeName: true) struct TextChannel: Channel {
        var id: Snowflake
        @Attribute(.flattened) var place: GuildPlace
        var topic: String??
        var nsfw: Bool?
        var lastMessageID: Snowflake??
        var rateLimitPerUser: Int?
        var lastPinTimestamp: OffsetDate??
        var defaultAutoArchiveDuration: Int?
    }

    @Model(typeName: "1") struct DirectChannel: Channel {
        var id: Snowflake
        var lastMessageID: Snowflake??
        var recipients: [User]
        var flags: Int?
    }

    @Model(typeName: "2", aliases: ["13"], keepsTypeName: true) struct VoiceChannel: Channel {
        var id: Snowflake
        @Attribute(.flattened) var place: GuildPlace
        var bitrate: Int
        var userLimit: Int
        var rtcRegion: String??
        var videoQualityMode: Int?
    }

    @Model(typeName: "3") struct GroupChannel: Channel {
        var id: Snowflake
        @Attribute(.nullWhenNil) var name: String?
        @Attribute(.nullWhenNil) var icon: String?
        var recipients: [User]
        var ownerID: Snowflake
        var lastMessageID: Snowflake??
    }

    @Model(typeName: "4") struct Category: Channel {
        var id: Snowflake
        @Attribute(.flattened) var place: GuildPlace
    }

    @Model(typeName: "11", aliases: ["10", "12"], keepsTypeName: true) struct Thread: Channel {
        var id: Snowflake
        var guildID: Snowflake
        var parentID: Snowflake
        var ownerID: Snowflake
        var name: String
        var lastMessageID: Snowflake??
        var messageCount: Int
        var memberCount: Int
        var threadMetadata: ThreadMetadata
        var appliedTags: [Snowflake]?
    }

    @Model struct ThreadMetadata: Equatable {
        var archived: Bool
        var autoArchiveDuration: Int
        var archiveTimestamp: OffsetDate
        var locked: Bool
        var invitable: Bool?
        var createTimestamp: OffsetDate??
    }

    @Model(typeName: "15", aliases: ["16"], keepsTypeName: true) struct Forum: Channel {
        var id: Snowflake
        @Attribute(.flattened) var place: GuildPlace
        var topic: String??
        var availableTags: [ForumTag]
        @Attribute(.nullWhenNil) var defaultReactionEmoji: DefaultReaction?
        var defaultSortOrder: Int??
        var defaultForumLayout: Int?
    }

    @Model struct ForumTag: Equatable {
        var id: Snowflake
        var name: String
        var moderated: Bool
        @Attribute(.nullWhenNil) var emojiID: Snowflake?
        @Attribute(.nullWhenNil) var emojiName: String?
    }

    @Model struct DefaultReaction: Equatable {
        @Attribute(.nullWhenNil) var emojiID: Snowflake?
        @Attribute(.nullWhenNil) var emojiName: String?
    }

    @Model struct Invite: Equatable {
        var type: Kind<Invite>
        var code: String
        var guild: ModelDocument?
        @Attribute(.nullWhenNil) var channel: PartialChannel?
        var inviter: User?
        var expiresAt: OffsetDate??
    }

    /// A channel of which only some fields are told.
    @Model struct PartialChannel: Equatable {
        var id: Snowflake
        var type: Kind<PartialChannel>
        @Attribute(.nullWhenNil) var name: String?
    }

    /// Also that of an incoming webhook, which has no source.
    @Model struct Webhook: Equatable {
        var id: Snowflake
        var type: Kind<Webhook>
        var guildID: Snowflake??
        @Attribute(.nullWhenNil) var channelID: Snowflake?
        var user: User?
        @Attribute(.nullWhenNil) var name: String?
        @Attribute(.nullWhenNil) var avatar: String?
        var token: String?
        @Attribute(.nullWhenNil) var applicationID: Snowflake?
        var sourceChannel: PartialChannel?
        var url: URL?
    }
}
