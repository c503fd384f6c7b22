public import DovetailModel
public import Observation

/// A class with `@Model`: each row that a context has fetched is one object, whose changes the
/// context sees and saves.
///
/// ```swift
/// @Model final class Box {
///     var title: String
///     @Relationship(deleteRule: .cascade, inverse: \Item.box) var items: [Item] = []
///     init(title: String) { self.title = title }
/// }
/// let box = Box(title: "tools")
/// context.insert(box)
/// try context.save()
/// box.title = "old tools"
/// try context.save()      // UPDATE "Box" SET "title" = ?1 WHERE "$id" = ?2 AND "title" IS ?3
/// ```
///
/// Two objects are equal when they are the same one, unless the class says otherwise. An object
/// belongs to the context that it was inserted into or fetched from, and is used where that is used.
public protocol PersistentModel: ManagedModel, Observable, _FarObject {
    /// What the context knows of the object. Written by the macro; for the library only.
    var persistentBacking: ObjectBacking { get }
    /// Takes the attributes of another object of the class, as they were read from a row. Written
    /// by the macro.
    func _$take(from other: any PersistentModel)
    /// Hands what the initializer has set to the relationships. Written by the macro.
    func _$link()
}

extension PersistentModel {
    /// The context that the object belongs to; nil for one that was not inserted, or was deleted and
    /// saved, and after the context's end.
    public var modelContext: ModelContext? { persistentBacking.context }

    /// What names the object; permanent from the time it is inserted.
    public var persistentModelID: PersistentIdentifier {
        // What the object is, and not the class that it is seen as.
        let name = Swift.type(of: self).typeName
        guard let key = persistentBacking.key else {
            return PersistentIdentifier(name, detached: self)
        }
        return PersistentIdentifier(name, key)
    }

    /// Whether it was deleted: from the call of `ModelContext.delete(_:)` on, and after the save.
    public var isDeleted: Bool { persistentBacking.state.isDeleted }

    /// Whether it was inserted, changed or deleted since the last save.
    public var hasChanges: Bool {
        switch persistentBacking.state {
        case .inserted, .deleted: true
        case .stored: persistentBacking.isChanged
        case .detached, .gone: false
        }
    }

    /// Whether it is the same object.
    public static func == (left: Self, right: Self) -> Bool { left === right }

    /// Feeds the identity of the object to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
