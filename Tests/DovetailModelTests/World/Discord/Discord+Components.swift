import Dovetail
import Foundation

@ModelDefaults(naming: .snakeCase, unknownFields: .preserve)
extension Discord {
    /// A part of what a message or a form looks like; its kind is a number.
    @ModelProtocol(typeKey: "type", tagKind: .integer, unknown: .preserve)
    protocol Component: Equatable { var id: Int? { get } }

    /// What holds others.
    @Model(typeName: "1") struct ActionRow: Component {
        var id: Int?
        var components: [any Component]
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    @Model(typeName: "2") struct Button: Component {
        var id: Int?
        var style: Kind<Button>
        var label: String?
        var emoji: Emoji?
        var customID: String?
        var skuID: Snowflake?
        var url: String?
        var disabled: Bool?
    }

    /// What all menus have.
    @Model(flattenable: true, naming: .snakeCase) struct Menu: Equatable {
        var customID: String
        var placeholder: String?
        var minValues: Int?
        var maxValues: Int?
        var required: Bool?
        var disabled: Bool?
    }

    @Model(typeName: "3") struct StringSelect: Component {
        var id: Int?
        @Attribute(.flattened) var menu: Menu
        var options: [SelectOption]
    }

    @Model struct SelectOption: Equatable {
        var label: String
        var value: String
        var description: String?
        var emoji: Emoji?
        @Attribute(name: "default") var isDefault: Bool?
    }

    @Model(typeName: "4") struct TextInput: Component {
        var id: Int?
        var customID: String
        var style: Kind<TextInput>
        var label: String?
        var minLength: Int?
        var maxLength: Int?
        var required: Bool?
        var value: String?
        var placeholder: String?
    }

    @Model(typeName: "5", aliases: ["6", "7"], keepsTypeName: true) struct ObjectSelect: Component {
        var id: Int?
        @Attribute(.flattened) var menu: Menu
        var defaultValues: [DefaultValue]?
    }

    @Model struct DefaultValue: Equatable {
        var id: Snowflake
        var type: Kind

        @Model enum Kind: String { case user, role, channel }
    }

    @Model(typeName: "8") struct ChannelSelect: Component {
        var id: Int?
        @Attribute(.flattened) var menu: Menu
        var channelTypes: [Int]?
        var defaultValues: [DefaultValue]?
    }

    @Model(typeName: "9") struct Section: Component {
        var id: Int?
        var components: [any Component]
        var accessory: any Component
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    @Model(typeName: "10") struct TextDisplay: Component {
        var id: Int?
        var content: String
    }

    @Model(typeName: "11") struct Thumbnail: Component {
        var id: Int?
        var media: MediaItem
        var description: String??
        var spoiler: Bool?
    }

    @Model struct MediaItem: Equatable {
        var url: String
        var proxyURL: String?
        var height: Int??
        var width: Int??
        var contentType: String?
    }

    @Model(typeName: "12") struct MediaGallery: Component {
        var id: Int?
        var items: [GalleryItem]
    }

    @Model struct GalleryItem: Equatable {
        var media: MediaItem
        var description: String??
        var spoiler: Bool?
    }

    @Model(typeName: "13") struct File: Component {
        var id: Int?
        var file: MediaItem
        var spoiler: Bool?
        var name: String?
        var size: Int?
    }

    @Model(typeName: "14") struct Separator: Component {
        var id: Int?
        var divider: Bool?
        var spacing: Int?
    }

    @Model(typeName: "17") struct Container: Component {
        var id: Int?
        var components: [any Component]
        var accentColor: Int??
        var spoiler: Bool?
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }

    @Model(typeName: "18") struct Label: Component {
        var id: Int?
        var label: String
        var description: String?
        var component: any Component
        static func == (one: Self, other: Self) -> Bool { sameDocument(one, other) }
    }
}
