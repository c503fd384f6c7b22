import Boxes

/// What the screen shows of a box: values, which stay as they are when the box is changed.
struct BoxView {
    let boxId: BoxId
    let title: String
    let items: [ItemView]

    init(_ box: any BoxType) {
        boxId = box.boxId
        title = box.title
        items = box.items.map(ItemView.init)
    }
}

/// What the screen shows of an item.
struct ItemView {
    let itemId: ItemId
    let title: String

    init(_ item: any ItemType) {
        itemId = item.itemId
        title = item.title
    }
}

extension BoxView: CustomStringConvertible {
    var description: String {
        let titles = items.map(\.title).joined(separator: ", ")
        return "box \(boxId.rawValue) \"\(title)\": \(titles.isEmpty ? "nothing" : titles)"
    }
}
