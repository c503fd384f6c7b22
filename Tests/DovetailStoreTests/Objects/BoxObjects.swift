import Dovetail
import StoreTestSupport

enum BoxKind: String, Codable { case open, closed }

struct BoxSize: Codable, Equatable { var width = 1.0, height = 2.0 }

/// What tests of objects are about: boxes with items, which belong to people.
@Model final class StoredBox {
    @Attribute(.unique) var title: String
    var kind = BoxKind.open
    var kindRaw = BoxKind.open.rawValue
    var size = BoxSize()
    var weight: Double?
    var tags: [String] = []
    @Relationship(deleteRule: .cascade, inverse: \StoredItem.box) var items: [StoredItem] = []
    var owner: BoxOwner?
    @Relationship var labels: [BoxLabel]? = []

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
    var friend: BoxOwner?
    var admirers: [BoxOwner] = []
    @Relationship(deleteRule: .cascade) var card: OwnerCard?

    init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}

/// One for each owner, who has to be there.
@Model final class OwnerCard {
    @Attribute(.primaryKey) var number: String
    var owner: BoxOwner

    init(number: String, owner: BoxOwner) {
        self.number = number
        self.owner = owner
    }
}

/// Belongs to a box, and does not say so.
@Model final class BoxLabel {
    var text = ""

    init(_ text: String) { self.text = text }
}

extension StoreKind {
    func boxes() throws -> ModelContainer { try container(StoredBox.self) }
}
