public import Dovetail

/// A box was added and saved.
public struct BoxAdded: DomainEvent {
    /// The box.
    public let boxId: BoxId
}

/// A box was removed with its items, and that is saved.
public struct BoxRemoved: DomainEvent {
    /// The box.
    public let boxId: BoxId
}

/// All boxes, wherever they are kept. A box that it gives is used where it is used.
public final class Boxes {
    private let boxes: BoxRepository
    private let items: ItemRepository
    private var boxIds = SequentialIdentifiers(as: BoxId.init(rawValue:))
    private var itemIds = UUIDv7Identifiers(as: ItemId.init(rawValue:))

    /// What happens to the boxes, after it was saved.
    public var events: DomainEvents { boxes.context.events }

    /// Boxes in a place that is there already.
    public init(in context: any EntityContext) {
        boxes = BoxRepository(context: context)
        items = ItemRepository(context: context)
    }

    /// Opens the store of a configuration.
    public convenience init(_ configuration: any DataStoreConfiguration) throws {
        self.init(in: ModelContext(try Boxes.container(configuration)))
    }

    /// A store for boxes, which several may use.
    public static func container(
        _ configuration: any DataStoreConfiguration
    ) throws -> ModelContainer {
        try ModelContainer(for: [Box.self], configuration: configuration)
    }

    /// Adds an empty box.
    public func addBox(title: String) throws -> any BoxType {
        let box = Box(id: try boxes.nextID(from: &boxIds), title: title)
        try boxes.add(box)
        events.record(BoxAdded(boxId: box.id))
        return box
    }

    /// The box with an identifier; nil where there is none.
    public func box(boxId: BoxId) throws -> (any BoxType)? {
        try boxes.object(id: boxId)
    }

    /// All boxes, in the order of their identifiers.
    public func all() throws -> [any BoxType] {
        try boxes.all().sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// Deletes a box with what is in it; does nothing where there is none.
    public func removeBox(boxId: BoxId) throws {
        guard let box = try boxes.object(id: boxId) else { return }
        try boxes.remove(box)
        events.record(BoxRemoved(boxId: boxId))
    }

    /// An identifier for a new item.
    public func nextItemId() throws -> ItemId {
        try items.nextID(from: &itemIds)
    }

    /// Keeps what was changed.
    public func save() throws {
        try boxes.save()
    }
}
