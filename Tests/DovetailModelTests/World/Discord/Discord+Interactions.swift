import Dovetail
import Foundation

@ModelDefaults(naming: .snakeCase, unknownFields: .preserve)
extension Discord {
    /// What a person did. The kind is a number, beside the fields that all have.
    @ModelProtocol(typeKey: "type", tagKind: .integer, unknown: .preserve)
    protocol Interaction: Equatable {}

    @Model(flattenable: true, naming: .snakeCase) struct InteractionHead: Equatable {
        var id: Snowflake
        var applicationID: Snowflake
        var guildID: Snowflake?
        var channelID: Snowflake?
        var member: Member?
        var user: User?
        var token: String
        var version: Int
        var appPermissions: Permissions
        var locale: String?
        var guildLocale: String?
        var authorizingIntegrationOwners: [String: Snowflake]
        var context: Int?
    }

    @Model(typeName: "1") struct Ping: Interaction {
        @Attribute(.flattened) var head: InteractionHead
    }

    @Model(typeName: "2", aliases: ["4"], keepsTypeName: true) struct CommandUse: Interaction {
        @Attribute(.flattened) var head: InteractionHead
        var data: CommandData
    }

    @Model(typeName: "3") struct ComponentUse: Interaction {
        @Attribute(.flattened) var head: InteractionHead
        var message: Message
        var data: ComponentData
    }

    @Model(typeName: "5") struct FormSubmit: Interaction {
        @Attribute(.flattened) var head: InteractionHead
        var data: FormData
    }

    @Model struct CommandData: Equatable {
        var id: Snowflake
        var name: String
        var type: Kind<Command>
        var resolved: Resolved?
        var options: [GivenOption]?
        var guildID: Snowflake?
        var targetID: Snowflake?
    }

    /// What the identifiers of the other data stand for.
    @Model struct Resolved: Equatable {
        var users: [Snowflake: User]?
        var members: [Snowflake: ResolvedMember]?
        var roles: [Snowflake: Role]?
        var channels: [Snowflake: PartialChannel]?
        var attachments: [Snowflake: Attachment]?
    }

    /// Without the person, who is beside it.
    @Model struct ResolvedMember: Equatable {
        var roles: [Snowflake]
        var joinedAt: OffsetDate
        var permissions: Permissions
    }

    @Model struct GivenOption: Equatable {
        var name: String
        var type: Kind<Command>
        var value: Scalar?
        var options: [GivenOption]?
        var focused: Bool?
    }

    @Model(tagging: .untagged) enum Scalar: Equatable {
        case flag(Bool), whole(Int), number(Double), text(String)
    }

    @Model struct ComponentData: Equatable {
        var customID: String
        var componentType: Kind<ComponentData>
        var values: [String]?
        var resolved: Resolved?
    }

    @Model struct FormData: Equatable {
        var customID: String
        var components: [any Component]
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    /// What a message says of the interaction that made it.
    @ModelProtocol(typeKey: "type", tagKind: .integer, unknown: .preserve)
    protocol InteractionMetadata: Equatable { var id: Snowflake { get } }

    @Model(typeName: "2") struct CommandMetadata: InteractionMetadata {
        var id: Snowflake
        var user: User
        var authorizingIntegrationOwners: [String: Snowflake]
        var targetUser: User?
        var targetMessageID: Snowflake?
    }

    @Model(typeName: "3") struct ComponentMetadata: InteractionMetadata {
        var id: Snowflake
        var user: User
        var authorizingIntegrationOwners: [String: Snowflake]
        var interactedMessageID: Snowflake
    }

    /// What a program registers.
    @Model struct Command: Equatable {
        var id: Snowflake
        var type: Kind<Command>?
        var applicationID: Snowflake
        var guildID: Snowflake?
        var name: String
        var nameLocalizations: [String: String]??
        var description: String
        var descriptionLocalizations: [String: String]??
        var options: [any CommandOption]?
        @Attribute(.nullWhenNil) var defaultMemberPermissions: Permissions?
        var nsfw: Bool?
        var integrationTypes: [Int]?
        var contexts: [Int]??
        var version: Snowflake
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    @ModelProtocol(typeKey: "type", tagKind: .integer, unknown: .preserve)
    protocol CommandOption: Equatable {}

    @Model(flattenable: true, naming: .snakeCase) struct OptionHead: Equatable {
        var name: String
        var nameLocalizations: [String: String]??
        var description: String
        var required: Bool?
    }

    @Model(typeName: "1", aliases: ["2"], keepsTypeName: true) struct Subcommand: CommandOption {
        @Attribute(.flattened) var head: OptionHead
        var options: [any CommandOption]?
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    @Model(typeName: "3") struct TextOption: CommandOption {
        @Attribute(.flattened) var head: OptionHead
        var choices: [OptionChoice]?
        var minLength: Int?
        var maxLength: Int?
        var autocomplete: Bool?
    }

    @Model(typeName: "4", aliases: ["10"], keepsTypeName: true) struct NumberOption: CommandOption {
        @Attribute(.flattened) var head: OptionHead
        var choices: [OptionChoice]?
        var minValue: ExactNumber?
        var maxValue: ExactNumber?
        var autocomplete: Bool?
    }

    @Model(typeName: "5", aliases: ["6", "8", "9", "11"], keepsTypeName: true)
    struct PlainOption: CommandOption { @Attribute(.flattened) var head: OptionHead }

    @Model(typeName: "7") struct ChannelOption: CommandOption {
        @Attribute(.flattened) var head: OptionHead
        var channelTypes: [Int]?
    }

    @Model struct OptionChoice: Equatable {
        var name: String
        var nameLocalizations: [String: String]??
        var value: Scalar
    }

    /// What a program answers.
    @ModelProtocol(typeKey: "type", tagKind: .integer, unknown: .preserve)
    protocol Answer: Equatable {}

    @Model(typeName: "1", aliases: ["6"], keepsTypeName: true) struct Acknowledgement: Answer {}

    @Model(typeName: "4", aliases: ["5", "7"], keepsTypeName: true) struct MessageAnswer: Answer {
        var data: NewMessage?
    }

    @Model(typeName: "8") struct SuggestionAnswer: Answer { var data: Suggestions }

    @Model(typeName: "9") struct FormAnswer: Answer { var data: Form }

    @Model struct Suggestions: Equatable { var choices: [OptionChoice] }

    @Model struct Form: Equatable {
        var customID: String
        var title: String
        var components: [any Component]
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    @Model struct NewMessage: Equatable {
        var tts: Bool?
        var content: String?
        var embeds: [Embed]?
        var allowedMentions: AllowedMentions?
        var flags: Int?
        var components: [any Component]?
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    @Model struct AllowedMentions: Equatable {
        var parse: [String]
        var roles: [Snowflake]?
        var users: [Snowflake]?
        var repliedUser: Bool?
    }
}
