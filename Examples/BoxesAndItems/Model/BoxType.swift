/// A box, as the app sees it: what it is can be read, and what happens to it is a command.
public protocol BoxType: AnyObject {
    /// What names the box.
    var boxId: BoxId { get }
    /// What is written on the box.
    var title: String { get }
    /// What is in the box, in the order in which it was added.
    var items: [any ItemType] { get }

    /// Writes something else on the box.
    func changeTitle(_ title: String)
    /// Puts a new item behind the others, unless the box has one with the identifier.
    func addItem(withId itemId: ItemId, title: String)
    /// The item with an identifier; nil where the box has none.
    func item(itemId: ItemId) -> (any ItemType)?
    /// Takes an item out of the box, and deletes it; does nothing where the box has none.
    func removeItem(itemId: ItemId)
    /// Gives an item another title; does nothing where the box has none.
    func changeItemTitle(itemId: ItemId, title: String)
}

/// An item of a box, as the app sees it.
public protocol ItemType: AnyObject {
    /// What names the item.
    var itemId: ItemId { get }
    /// What the item is called.
    var title: String { get }
    /// The box that the item is in; nil after it was removed.
    var box: (any BoxType)? { get }

    /// Calls the item something else.
    func changeTitle(_ title: String)
}
