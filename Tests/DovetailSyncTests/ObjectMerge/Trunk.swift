import Dovetail

/// With objects of a class and of one below it that documents have no name for; those may have others inside.
@Model final class Trunk {
    @Attribute(.unique) var number: Int
    @Relationship(deleteRule: .cascade, inverse: \TrunkItem.trunk) var items: [TrunkItem] = []
    init(number: Int) { self.number = number }
}

@Model class TrunkItem {
    var text: String
    var trunk: Trunk?
    var box: TrunkBox?
    init(text: String) { self.text = text }
}

@Model final class TrunkBox: TrunkItem {
    var size = 0
    @Relationship(deleteRule: .cascade, inverse: \TrunkItem.box) var items: [TrunkItem] = []
}

extension TrunkItem: CustomStringConvertible {
    var description: String {
        guard let box = self as? TrunkBox else { return text }
        return "\(text)\(box.size)(" + box.items.map(\.description).joined(separator: " ") + ")"
    }
}
