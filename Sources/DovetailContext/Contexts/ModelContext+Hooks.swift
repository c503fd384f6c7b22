public import DovetailModel
import DovetailStore

// The hooks of objects. A value is written as its hook leaves a copy of it; an object has no copy, and its row is
// made many times: to be compared, to be looked at by a fetch. So a save calls the hook, once, before anything is
// written, and no row does.

/// Calls the hook of an object that is written into a document; a row of it is written as it is. Called by generated
/// code.
///
/// - Throws: ``ModelEncodingError`` about the model when the hook throws.
public func _willEncode<Object: PersistentModel & ModelLifecycle>(
    _ object: Object,
    _ writer: inout ModelWriter
) throws -> Object {
    if !writer.isRow { try writer.callHook(of: object) }
    return object
}

extension ModelContext {
    /// Runs models' own code as a part of a save.
    func duringFlush(_ body: () throws -> Void) rethrows {
        isFlushing = true
        defer { isFlushing = false }
        try body()
    }

    /// Calls the hooks of the objects that a save will write, once for each, also of those that hooks insert or
    /// change. What they set is part of the save, and taken back with it.
    ///
    /// - Complexity: linear in what waits of objects, where a class of the container has a hook.
    /// - Throws: ``ModelEncodingError`` of kind `rejected` for what a hook throws.
    func callHooks() throws {
        // Otherwise no object need be looked at.
        let isHooked = container.schema.models.contains { model in
            model is any PersistentModel.Type && model is any ModelLifecycle.Type
        }
        guard isHooked, let registry = madeRegistry else { return }
        var called: Set<ObjectIdentifier> = []
        var hooks = HookedClasses()
        while true {
            // Those without hooks may be many: no list is made of them.
            func isNext(_ object: any PersistentModel) -> Bool {
                hooks.has(type(of: object)) && !called.contains(ObjectIdentifier(object))
            }
            let waiting =
                registry.inserted.filter { isNext($0) && registry.isNew($0) }
                + registry.changedMaps.flatMap { map in
                    map.changed.filter { isNext($0) && $0.persistentBacking.isWaitingToChange }
                }
            if waiting.isEmpty { return }
            for object in waiting {
                called.insert(ObjectIdentifier(object))
                if object.persistentBacking.state == .stored {
                    let entity = try entity(of: type(of: object))
                    if try registry.changedColumns(of: object, entity).isEmpty { continue }
                }
                guard let hooked = object as? any ModelLifecycle else { continue }
                try ModelWriter.callHook(of: hooked)
            }
        }
    }
}

/// Which classes have hooks: most objects in a row are of one.
private struct HookedClasses {
    private var last: (type: ObjectIdentifier, hasHooks: Bool)?

    mutating func has(_ type: any PersistentModel.Type) -> Bool {
        if let last, last.type == ObjectIdentifier(type) { return last.hasHooks }
        let hasHooks = type is any ModelLifecycle.Type
        last = (ObjectIdentifier(type), hasHooks)
        return hasHooks
    }
}
