import Dovetail
import Foundation

@ModelDefaults(naming: .snakeCase, unknownFields: .preserve)
extension Discord {
    @Model struct User: Equatable {
        var id: Snowflake
        var username: String
        var discriminator: String
        @Attribute(.nullWhenNil) var globalName: String?
        @Attribute(.nullWhenNil) var avatar: String?
        var bot: Bool?
        var system: Bool?
        var mfaEnabled: Bool?
        var banner: String??
        var accentColor: Int??
        var locale: String?
        var verified: Bool?
        var email: String??
        var flags: Int?
        var premiumType: Kind<User>?
        var publicFlags: Int?
        var avatarDecorationData: AvatarDecoration??
        var collectibles: Collectibles??
        var primaryGuild: PrimaryGuild??
    }

    @Model struct AvatarDecoration: Equatable {
        var asset: String
        var skuID: Snowflake
    }

    @Model struct Collectibles: Equatable { var nameplate: Nameplate? }

    @Model struct Nameplate: Equatable {
        var skuID: Snowflake
        var asset: String
        var label: String
        var palette: String
    }

    @Model struct PrimaryGuild: Equatable {
        @Attribute(.nullWhenNil) var identityGuildID: Snowflake?
        @Attribute(.nullWhenNil) var identityEnabled: Bool?
        @Attribute(.nullWhenNil) var tag: String?
        @Attribute(.nullWhenNil) var badge: String?
    }

    /// A person in a guild; that of an event has the guild's identifier beside its own fields.
    @Model struct Member: Equatable {
        var guildID: Snowflake?
        var user: User?
        var nick: String??
        var avatar: String??
        var roles: [Snowflake]
        @Attribute(.nullWhenNil) var joinedAt: OffsetDate?
        var premiumSince: OffsetDate??
        var deaf: Bool
        var mute: Bool
        var flags: Int
        var pending: Bool?
        var permissions: Permissions?
        var communicationDisabledUntil: OffsetDate??
    }

    @Model struct Role: Equatable {
        var id: Snowflake
        var name: String
        var color: Int
        var colors: RoleColors?
        var hoist: Bool
        var icon: String??
        var unicodeEmoji: String??
        var position: Int
        var permissions: Permissions
        var managed: Bool
        var mentionable: Bool
        var tags: RoleTags?
        var flags: Int
    }

    @Model struct RoleColors: Equatable {
        var primaryColor: Int
        @Attribute(.nullWhenNil) var secondaryColor: Int?
        @Attribute(.nullWhenNil) var tertiaryColor: Int?
    }

    /// A tag that is there is null, and one that is not is absent: null means yes.
    @Model struct RoleTags: Equatable {
        var botID: Snowflake?
        var integrationID: Snowflake?
        var premiumSubscriber: ModelDocument?
        var subscriptionListingID: Snowflake?
        var availableForPurchase: ModelDocument?
        var guildConnections: ModelDocument?
    }

    @Model struct Emoji: Equatable {
        @Attribute(.nullWhenNil) var id: Snowflake?
        @Attribute(.nullWhenNil) var name: String?
        var roles: [Snowflake]?
        var user: User?
        var requireColons: Bool?
        var managed: Bool?
        var animated: Bool?
        var available: Bool?
    }

    @Model struct Sticker: Equatable {
        var id: Snowflake
        var packID: Snowflake?
        var name: String
        @Attribute(.nullWhenNil) var description: String?
        var tags: String
        var type: Kind<Sticker>
        var formatType: Kind<StickerItem>
        var available: Bool?
        var guildID: Snowflake?
        var user: User?
        var sortValue: Int?
    }

    @Model struct StickerItem: Equatable {
        var id: Snowflake
        var name: String
        var formatType: Kind<StickerItem>
    }

    @Model struct Guild: Equatable {
        var id: Snowflake
        var name: String
        @Attribute(.nullWhenNil) var icon: String?
        var iconHash: String??
        @Attribute(.nullWhenNil) var splash: String?
        @Attribute(.nullWhenNil) var discoverySplash: String?
        var owner: Bool?
        var ownerID: Snowflake
        var permissions: Permissions?
        var region: String??
        @Attribute(.nullWhenNil) var afkChannelID: Snowflake?
        var afkTimeout: Int
        var widgetEnabled: Bool?
        var widgetChannelID: Snowflake??
        var verificationLevel: Kind<Guild>
        var defaultMessageNotifications: Int
        var explicitContentFilter: Int
        var roles: [Role]
        var emojis: [Emoji]
        var features: [String]
        var mfaLevel: Int
        @Attribute(.nullWhenNil) var applicationID: Snowflake?
        @Attribute(.nullWhenNil) var systemChannelID: Snowflake?
        var systemChannelFlags: Int
        var maxPresences: Int??
        @Attribute(.nullWhenNil) var vanityURLCode: String?
        @Attribute(.nullWhenNil) var description: String?
        var premiumTier: Int
        var preferredLocale: String
        var welcomeScreen: WelcomeScreen?
        var stickers: [Sticker]?
        var incidentsData: Incidents??
    }

    @Model struct Incidents: Equatable {
        @Attribute(.nullWhenNil) var invitesDisabledUntil: OffsetDate?
        @Attribute(.nullWhenNil) var dmsDisabledUntil: OffsetDate?
    }

    @Model struct WelcomeScreen: Equatable {
        @Attribute(.nullWhenNil) var description: String?
        var welcomeChannels: [WelcomeChannel]
    }

    @Model struct WelcomeChannel: Equatable {
        var channelID: Snowflake
        var description: String
        @Attribute(.nullWhenNil) var emojiID: Snowflake?
        @Attribute(.nullWhenNil) var emojiName: String?
    }
}
