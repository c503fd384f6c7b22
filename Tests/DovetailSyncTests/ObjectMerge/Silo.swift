import Dovetail

/// A class with subclasses, a tree, and objects that are marked when they are deleted.
@Model(deletion: .mark) final class Silo {
    @Attribute(.unique) var code: String
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Silo.parent) var silos: [Silo] = []
    var parent: Silo?
    @Relationship(deleteRule: .cascade, inverse: \Gadget.silo) var gadgets: [Gadget] = []
    var sacks: [Sack] = []

    init(_ code: String, _ title: String) {
        self.code = code
        self.title = title
    }
}

@Model class Gadget {
    @Attribute(.unique) var name: String
    var price = 0
    var silo: Silo?
    init(name: String) { self.name = name }
}

@Model final class Borer: Gadget {
    var speed = 0
}

/// In a list that nothing leads back from.
@Model final class Sack {
    @Attribute(.primaryKey) var id: Int
    var weight = 0
    init(id: Int) { self.id = id }
}
