import Dovetail
import Foundation

@ModelDefaults(naming: .snakeCase, unknownFields: .preserve)
extension Discord {
    @Model struct Message: Equatable {
        var id: Snowflake
        var channelID: Snowflake
        var author: User
        var content: String
        var timestamp: OffsetDate
        @Attribute(.nullWhenNil) var editedTimestamp: OffsetDate?
        var tts: Bool
        var mentionEveryone: Bool
        var mentions: [User]
        var mentionRoles: [Snowflake]
        var mentionChannels: [ChannelMention]?
        var attachments: [Attachment]
        var embeds: [Embed]
        var reactions: [Reaction]?
        var nonce: Nonce?
        var pinned: Bool
        var webhookID: Snowflake?
        var type: Kind<Message>
        var activity: MessageActivity?
        var applicationID: Snowflake?
        var flags: Int?
        var messageReference: MessageReference?
        var messageSnapshots: [MessageSnapshot]?
        var referencedMessage: Referenced?
        var interactionMetadata: (any InteractionMetadata)?
        var thread: AnyChannel?
        var components: [any Component]?
        var stickerItems: [StickerItem]?
        var position: Int?
        var roleSubscriptionData: RoleSubscription?
        var poll: Poll?
        var call: MessageCall?

        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    /// A message in a message: null for one that was deleted, which is not the same as no field.
    @Model(tagging: .untagged) indirect enum Referenced: Equatable {
        case deleted, message(Message)
    }

    /// A program chooses a number or a string.
    @Model(tagging: .untagged) enum Nonce: Equatable { case number(Int), text(String) }

    @Model struct ChannelMention: Equatable {
        var id: Snowflake
        var guildID: Snowflake
        var type: Kind<ChannelMention>
        var name: String
    }

    @Model struct Attachment: Equatable {
        var id: Snowflake
        var filename: String
        var title: String?
        var description: String?
        var contentType: String?
        var size: Int
        var url: String
        var proxyURL: String
        var height: Int??
        var width: Int??
        var ephemeral: Bool?
        var durationSecs: ExactNumber?
        var waveform: String?
    }

    @Model struct Embed: Equatable {
        var title: String?
        var type: String?
        var description: String?
        var url: String?
        var timestamp: OffsetDate?
        var color: Int?
        var footer: EmbedFooter?
        var image: EmbedMedia?
        var thumbnail: EmbedMedia?
        var video: EmbedMedia?
        var provider: EmbedProvider?
        var author: EmbedAuthor?
        var fields: [EmbedField]?
    }

    @Model struct EmbedFooter: Equatable {
        var text: String
        var iconURL: String?
        var proxyIconURL: String?
    }

    @Model struct EmbedMedia: Equatable {
        var url: String?
        var proxyURL: String?
        var height: Int?
        var width: Int?
    }

    @Model struct EmbedProvider: Equatable { var name: String?; var url: String? }

    @Model struct EmbedAuthor: Equatable {
        var name: String
        var url: String?
        var iconURL: String?
        var proxyIconURL: String?
    }

    @Model struct EmbedField: Equatable {
        var name: String
        var value: String
        @Attribute(name: "inline") var isInline: Bool?
    }

    @Model struct Reaction: Equatable {
        var count: Int
        var countDetails: ReactionCounts
        var me: Bool
        var meBurst: Bool
        var emoji: Emoji
        var burstColors: [String]
    }

    @Model struct ReactionCounts: Equatable { var burst: Int; var normal: Int }

    @Model struct MessageActivity: Equatable {
        var type: Kind<MessageActivity>
        var partyID: String?
    }

    @Model struct MessageReference: Equatable {
        var type: Int?
        var messageID: Snowflake?
        var channelID: Snowflake?
        var guildID: Snowflake?
        var failIfNotExists: Bool?
    }

    @Model struct MessageSnapshot: Equatable { var message: SnapshotContent }

    @Model struct SnapshotContent: Equatable {
        var type: Kind<Message>
        var content: String
        var embeds: [Embed]
        var attachments: [Attachment]
        var timestamp: OffsetDate
        @Attribute(.nullWhenNil) var editedTimestamp: OffsetDate?
        var flags: Int?
        var mentions: [User]
    }

    @Model struct RoleSubscription: Equatable {
        var roleSubscriptionListingID: Snowflake
        var tierName: String
        var totalMonthsSubscribed: Int
        var isRenewal: Bool
    }

    @Model struct MessageCall: Equatable {
        var participants: [Snowflake]
        var endedTimestamp: OffsetDate??
    }

    @Model struct Poll: Equatable {
        var question: PollMedia
        var answers: [PollAnswer]
        @Attribute(.nullWhenNil) var expiry: OffsetDate?
        var allowMultiselect: Bool
        var layoutType: Int
        var results: PollResults?
    }

    @Model struct PollMedia: Equatable { var text: String?; var emoji: Emoji? }

    @Model struct PollAnswer: Equatable { var answerID: Int; var pollMedia: PollMedia }

    @Model struct PollResults: Equatable {
        var isFinalized: Bool
        var answerCounts: [PollCount]
    }

    @Model struct PollCount: Equatable { var id: Int; var count: Int; var meVoted: Bool }
}
