import Dovetail
import Foundation

/// Marked with its tomes; readers stay without it, and locks keep it.
@Model(deletion: .mark) final class Shelf {
    @Attribute(.unique) var code: String
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Tome.shelf) var tomes: [Tome] = []
    @Relationship(inverse: \Reader.shelf) var readers: [Reader] = []
    @Relationship(deleteRule: .deny, inverse: \Lock.shelf) var locks: [Lock] = []

    init(_ code: String, title: String = "") {
        self.code = code
        self.title = title
    }
}

/// Marked; its stamps go with it, and it may follow another one, which does not know that.
@Model(deletion: .mark) final class Tome {
    var name: String
    var shelf: Shelf?
    var prequel: Tome?
    @Relationship(deleteRule: .cascade, inverse: \Stamp.tome) var stamps: [Stamp] = []
    @Relationship(inverse: \Topic.tomes) var topics: [Topic] = []

    init(_ name: String, shelf: Shelf? = nil) {
        self.name = name
        self.shelf = shelf
    }
}

@Model final class Reader {
    var name: String
    var shelf: Shelf?
    init(_ name: String, shelf: Shelf? = nil) {
        self.name = name
        self.shelf = shelf
    }
}

@Model final class Lock {
    var number: Int
    var shelf: Shelf?
    init(_ number: Int, shelf: Shelf) {
        self.number = number
        self.shelf = shelf
    }
}

/// Not marked, and has to have a tome.
@Model final class Stamp {
    var text: String
    var tome: Tome
    init(_ text: String, tome: Tome) {
        self.text = text
        self.tome = tome
    }
}

@Model final class Topic {
    var name: String
    var tomes: [Tome] = []
    init(_ name: String) { self.name = name }
}

/// The class at the top says that all below it are marked.
@Model(deletion: .mark) class Craft {
    var name: String
    var dock: Dock
    init(_ name: String, dock: Dock) {
        self.name = name
        self.dock = dock
    }
}

@Model final class Ferry: Craft {
    var seats: Int
    init(_ name: String, dock: Dock, seats: Int) {
        self.seats = seats
        super.init(name, dock: dock)
    }
}

@Model(deletion: .mark) final class Dock {
    @Attribute(.primaryKey) var code: String
    @Relationship(deleteRule: .cascade, inverse: \Craft.dock) var crafts: [Craft] = []
    init(_ code: String) { self.code = code }
}

enum Library {
    static let models: [any Model.Type] = [
        Shelf.self, Tome.self, Reader.self, Lock.self, Stamp.self, Topic.self, Craft.self,
        Ferry.self, Dock.self,
    ]
}

extension ModelContext {
    /// All objects of a class in the order of a text that each of them has.
    func objects<Object: PersistentModel>(
        _ type: Object.Type,
        _ deleted: DeletedValues = .excluded,
        by text: (Object) -> String
    ) throws -> [Object] {
        var descriptor = FetchDescriptor<Object>()
        descriptor.deletedValues = deleted
        return try fetch(descriptor).sorted { text($0) < text($1) }
    }

    func shelves(_ deleted: DeletedValues = .excluded) throws -> [Shelf] {
        try objects(Shelf.self, deleted) { $0.code }
    }

    func tomes(_ deleted: DeletedValues = .excluded) throws -> [Tome] {
        try objects(Tome.self, deleted) { $0.name }
    }
}
