import Dovetail

/// What is stored of an item. The module keeps it to itself.
@Model final class Item {
    @Attribute(.primaryKey) private(set) var id: ItemId
    private(set) var title: String
    private(set) var managedBox: Box?

    init(id: ItemId, title: String) {
        self.id = id
        self.title = title
    }
}

extension Item: ItemType {
    var itemId: ItemId { id }
    var box: (any BoxType)? { managedBox }

    func changeTitle(_ title: String) {
        self.title = title
    }
}
