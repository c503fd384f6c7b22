import Dovetail

extension Box: Entity {}
extension Item: Entity {}

/// The stored boxes.
struct BoxRepository: Repository {
    typealias Stored = Box
    let context: any EntityContext
}

/// The stored items.
struct ItemRepository: Repository {
    typealias Stored = Item
    let context: any EntityContext
}
