import Dovetail
import Foundation

/// A colour, which is no model value.
final class OptionColor {
    let red: UInt8
    init(red: UInt8) { self.red = red }
}

final class OptionColorTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { OptionColor.self }
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        (value as? OptionColor).map { Data([$0.red]) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data)?.first.map { OptionColor(red: $0) }
    }
}

/// All options of `@Attribute` and `@Relationship` in SwiftData's spellings.
@Model final class OptionBook {
    #Unique<OptionBook>([\.isbn], [\.title, \.year])
    #Index<OptionBook>([\.year], [\OptionBook.title, \.pages])
    #Index<OptionBook>([\.shelf, \.year])

    @Attribute(.unique, originalName: "number") var isbn: String
    @Attribute(originalName: "label") var title: String = ""
    @Attribute(originalName: "y", hashModifier: "v2") var year: Int = 0
    @Attribute(.externalStorage) var cover: Data?
    @Attribute(.externalStorage, .allowsCloudEncryption) var scan: Data = Data()
    @Attribute(.transformable(by: OptionColorTransformer.self)) var color: OptionColor
    @Attribute(.transformable(by: OptionColorTransformer.self)) var spine: OptionColor?
    @Attribute(.preserveValueOnDeletion) var owner: String = ""
    @Attribute(.ephemeral) var isSelected = false
    @Attribute(.ephemeral) var progress: Double?
    @Attribute(.spotlight) var summary: String = ""
    @Attribute(.allowsCloudEncryption) var secret: String?
    @Attribute(hashModifier: "m") var note = ""
    @Attribute var pages = 0
    @Transient var scratch = 0
    @Transient var cache: [String: Int] = [:]
    var computed: Int { year + pages }
    @Relationship(.unique) var twin: OptionBook?
    @Relationship(deleteRule: .nullify, originalName: "place", hashModifier: "r") var shelf:
        OptionShelf?

    init(isbn: String, title: String = "", year: Int = 0) {
        self.isbn = isbn
        self.title = title
        self.year = year
        color = OptionColor(red: 1)
    }
}

@Model final class OptionShelf {
    var name: String
    @Relationship(
        deleteRule: .cascade,
        minimumModelCount: 1,
        maximumModelCount: 3,
        originalName: "volumes",
        inverse: \OptionBook.shelf,
        hashModifier: "s"
    ) var books: [OptionBook] = []
    @Relationship(deleteRule: .nullify, minimumModelCount: 0, maximumModelCount: 2)
    var tags: [OptionTag] = []
    @Relationship(minimumModelCount: 1) var room: OptionRoom?

    init(name: String) { self.name = name }
}

@Model final class OptionTag {
    var text = ""
    init(_ text: String) { self.text = text }
}

@Model final class OptionRoom {
    var number: Int
    init(number: Int) { self.number = number }
}
