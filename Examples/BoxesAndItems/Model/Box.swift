import Dovetail

/// What is stored of a box. The module keeps it to itself.
@Model final class Box {
    @Attribute(.primaryKey) private(set) var id: BoxId
    private(set) var title: String
    @Relationship(deleteRule: .cascade, inverse: \Item.managedBox)
    private(set) var managedItems: [Item] = []

    init(id: BoxId, title: String) {
        self.id = id
        self.title = title
    }
}

extension Box: BoxType {
    var boxId: BoxId { id }
    var items: [any ItemType] { managedItems }

    func changeTitle(_ title: String) {
        self.title = title
    }

    func addItem(withId itemId: ItemId, title: String) {
        guard item(itemId: itemId) == nil else { return }
        managedItems.append(Item(id: itemId, title: title))
    }

    func item(itemId: ItemId) -> (any ItemType)? {
        managedItem(itemId)
    }

    func removeItem(itemId: ItemId) {
        guard let item = managedItem(itemId) else { return }
        managedItems.removeAll { $0 === item }
        modelContext?.delete(item)
    }

    func changeItemTitle(itemId: ItemId, title: String) {
        managedItem(itemId)?.changeTitle(title)
    }

    private func managedItem(_ itemId: ItemId) -> Item? {
        managedItems.first { $0.id == itemId }
    }
}
