import Dovetail
import Foundation

@ModelDefaults(naming: .snakeCase, unknownFields: .preserve)
extension Discord {
    /// What goes over the socket: `{"op":0,"t":"MESSAGE_CREATE","s":42,"d":{…}}`. The number tells what it
    /// is for; all events have the number 0, and then a name tells which one.
    @ModelProtocol(typeKey: "op", tagKind: .integer, unknown: .preserve)
    protocol Frame: Equatable {}

    @ModelProtocol(typeKey: "t", typeName: "0", tagKind: .string, unknown: .preserve)
    protocol Event: Frame { var s: Int { get } }

    @Model(typeName: "MESSAGE_CREATE", aliases: ["MESSAGE_UPDATE"], keepsTypeName: true)
    struct MessageEvent: Event { var s: Int; var d: Message }

    @Model(typeName: "MESSAGE_DELETE") struct MessageDeleted: Event {
        var s: Int
        var d: Place

        @Model struct Place: Equatable {
            var id: Snowflake
            var channelID: Snowflake
            var guildID: Snowflake?
        }
    }

    @Model(
        typeName: "CHANNEL_CREATE",
        aliases: ["CHANNEL_UPDATE", "CHANNEL_DELETE"],
        keepsTypeName: true
    )
    struct ChannelEvent: Event {
        var s: Int
        var d: AnyChannel
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    @Model(typeName: "GUILD_MEMBER_ADD") struct MemberAdded: Event { var s: Int; var d: Member }

    @Model(typeName: "INTERACTION_CREATE") struct InteractionEvent: Event {
        var s: Int
        var d: any Interaction
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    @Model(typeName: "PRESENCE_UPDATE") struct PresenceEvent: Event { var s: Int; var d: Presence }

    @Model(typeName: "READY") struct ReadyEvent: Event {
        var s: Int
        var d: Ready

        @Model struct Ready: Equatable {
            var v: Int
            var user: User
            var guilds: [UnavailableGuild]
            var sessionID: String
            var resumeGatewayURL: String
            var shard: [Int]?
        }
    }

    @Model struct UnavailableGuild: Equatable { var id: Snowflake; var unavailable: Bool? }

    @Model struct Presence: Equatable {
        var user: PresentUser
        var guildID: Snowflake
        var status: String
        var activities: [Activity]
        var clientStatus: [String: String]

        @Model struct PresentUser: Equatable { var id: Snowflake }
    }

    @Model struct Activity: Equatable {
        var name: String
        var type: Kind<Activity>
        var url: String??
        @Attribute(.transformed(by: MillisecondsSince1970.self)) var createdAt: Date
        var timestamps: Timestamps?
        var details: String??
        var state: String??
        var party: Party?
        var secrets: [String: String]?
        var buttons: [String]?

        @Model struct Timestamps: Equatable {
            @Attribute(.transformed(by: MillisecondsSince1970.self)) var start: Date?
            @Attribute(.transformed(by: MillisecondsSince1970.self)) var end: Date?
        }
        @Model struct Party: Equatable { var id: String?; var size: [Int]? }
    }

    /// Each way, with the number of the last event, or null before the first.
    @Model(typeName: "1") struct Heartbeat: Frame { @Attribute(.nullWhenNil) var d: Int? }

    @Model(typeName: "2") struct Identify: Frame {
        var d: Identity

        @Model struct Identity: Equatable {
            var token: String
            var properties: [String: String]
            var compress: Bool?
            var largeThreshold: Int?
            var shard: [Int]?
            var intents: Int
        }
    }

    @Model(typeName: "9") struct InvalidSession: Frame { var d: Bool }

    @Model(typeName: "10") struct Hello: Frame {
        var d: Interval
        var s: Int??
        var t: String??

        @Model struct Interval: Equatable { var heartbeatInterval: Int }
    }

    @Model(typeName: "11") struct HeartbeatAnswer: Frame {}
}
