import Dovetail

enum BoxKind: String, Codable { case open, closed }

@Model final class StoredBox {
    @Attribute(.unique) var title: String
    var kind = BoxKind.open
    var kindRaw = BoxKind.open.rawValue
    var weight: Double?
    var tags: [String] = []
    @Relationship(deleteRule: .cascade, inverse: \StoredItem.box) var items: [StoredItem] = []
    var owner: BoxOwner?

    init(title: String, owner: BoxOwner? = nil) {
        self.owner = owner
        self.title = title
    }
}

@Model final class StoredItem {
    var name: String
    var box: StoredBox?

    init(name: String, box: StoredBox? = nil) {
        self.name = name
        self.box = box
    }
}

@Model final class BoxOwner {
    var id: Int
    var name: String
    var boxes: [StoredBox] = []

    init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}
