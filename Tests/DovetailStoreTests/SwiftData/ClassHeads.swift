public import Dovetail

// The heads of classes as programs for SwiftData write them. The file imports nothing else.

@Model final class OneLineHead {
    var name = ""
    init() {}
}

@Model
final class HeadOnItsOwnLine {
    var name: String
    init(name: String) { self.name = name }
}

/// A class that others may see.
@Model
public final class PublicHead {
    /// Its name.
    public var name: String
    /// How often it was touched.
    public private(set) var count = 0
    private var secret = "s"
    /// Makes one.
    public init(name: String) {
        self.name = name
    }
    /// Counts.
    public func touch() {
        count += 1
        secret += "!"
    }
    var told: String { secret }
}

@Model nonisolated final class NonisolatedHead {
    var name = ""
    init() {}
}

@available(macOS 15, *)
@Model
final class AvailableBefore {
    var name = ""
    init() {}
}

@Model
@available(macOS 15, *)
final class AvailableAfter {
    var name = ""
    init() {}
}

enum HeadSchema {
    @Model final class NestedHead {
        var name = ""
        init() {}
    }
}

enum HeadSchemaV2: VersionedSchema {
    static var versionIdentifier: Schema.Version { .init(2, 0, 0) }
    static var models: [any PersistentModel.Type] {
        [HeadInExtension.self, HeadWithProtocols.self]
    }
}

extension HeadSchemaV2 {
    @Model final class HeadInExtension {
        var name = ""
        @Relationship(deleteRule: .cascade, inverse: \HeadWithProtocols.parent)
        var children: [HeadWithProtocols]? = []
        init() {}
    }

    @Model final class HeadWithProtocols: Identifiable, Hashable, CustomDebugStringConvertible {
        /// Its own.
        @Attribute(.unique) public private(set) var id: String = "x"
        var name: String
        var parent: HeadInExtension?
        init(id: String, name: String) {
            self.id = id
            self.name = name
        }
        static func == (left: HeadWithProtocols, right: HeadWithProtocols) -> Bool {
            left.id == right.id
        }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
        var debugDescription: String { "head \(name)" }
    }
}

typealias NewestHead = HeadSchemaV2.HeadWithProtocols

@Model final class EquatableHead: Equatable {
    var name = ""
    init() {}
}

@Model final class UncheckedHead: @unchecked Sendable {
    var name = ""
    init() {}
}

/// A program's own protocol over objects.
protocol NamedHead: PersistentModel {
    var name: String { get set }
}

@Model final class HeadOfProtocol: NamedHead {
    var name = ""
    init() {}
}

@Model final class HeadWithExtension {
    var name: String
    init(name: String) { self.name = name }
}

extension HeadWithExtension: CustomStringConvertible {
    var description: String { name }
}

extension HeadWithExtension: NamedHead {}

/// `Codable` by hand, as people do it around the macro.
@Model final class CodableHead: Codable {
    enum CodingKeys: CodingKey { case name, count }

    var name: String
    var count: Int

    init(name: String, count: Int) {
        self.name = name
        self.count = count
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        count = try container.decode(Int.self, forKey: .count)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(count, forKey: .count)
    }
}

#if canImport(Dovetail)
    @Model final class GuardedHead {
        var name = ""
        init() {}
    }
#endif

/// Names that the standard library and Foundation have, too.
enum NameClash {
    @Model final class Date {
        var day = 1
        var tasks: [NameClash.Task] = []
        init() {}
    }

    @Model final class Task {
        var type: String = "t"
        var index = 0
        var order: Int = 0
        var date: NameClash.Date?
        var category: Category?
        init() {}
    }

    @Model final class Category {
        var name = ""
        @Relationship(inverse: \Task.category) var tasks: [Task] = []
        init() {}
    }

    @Model final class Collection {
        var error = "none"
        var string = "s"
        init() {}
    }

    @Model final class Thread {
        var name = ""
        init() {}
    }
}

/// Names that generated code might use itself.
@Model final class GeneratedNames {
    var value = 1
    var link: String?
    var taken: [Int] = []
    var kept = false
    var linked: GeneratedNames?
    var take = ""
    var newValue = 0
    var initialValue = 0
    var key = 0
    var model = ""
    var reader = ""
    var writer = ""
    var object = ""
    var row = 1
    var slot = 2
    var name = "n"
    var path = ""
    var `default` = 1
    var `class`: String = "c"
    var self_ = 1
    var hashValue_ = 1
    var state = ""
    var context = ""
    init() {}
}
