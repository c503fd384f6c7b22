public import DovetailStore

/// A save met rows that somebody else has changed or deleted since their objects were read. Nothing was
/// written, and all changes still wait.
///
/// ```swift
/// do {
///     try context.save()
/// } catch let error as ConflictError {
///     print(error)        // Box: title was changed by somebody else, too
///     for conflict in error.conflicts {
///         print(conflict.mine?["title"], conflict.theirs?["title"])
///     }
/// }
/// ```
///
/// ``ModelContext/conflictPolicy`` decides without an error. ``description`` holds no stored data;
/// ``debugDescription`` does.
public struct ConflictError: Error, Sendable {
    /// The objects, each with what it was and what both sides have made of it.
    public let conflicts: [ObjectConflict]

    init(_ conflicts: [ObjectConflict]) {
        self.conflicts = conflicts
    }
}

/// One object that two sides have changed.
///
/// Values are those of the columns, by the names of the properties. Those of a relationship are keys.
public struct ObjectConflict: Sendable {
    /// The object.
    public let identifier: PersistentIdentifier
    /// The name of its class.
    public var entityName: String { identifier.entityName }
    /// The attributes and relationships that both sides have changed; those that one side has changed,
    /// where the other one has deleted the object.
    public let attributes: [String]
    /// What the object was when it was read.
    public let base: [String: QueryValue]
    /// What this context has made of it; nil where it has deleted it.
    public let mine: [String: QueryValue]?
    /// What is stored; nil where the row was deleted.
    public let theirs: [String: QueryValue]?
}

extension ConflictError: CustomStringConvertible, CustomDebugStringConvertible {
    /// Which attributes of which classes, and of how many objects, without stored data.
    public var description: String {
        var counts: [String: Int] = [:]
        var sentences: [String] = []
        for conflict in conflicts {
            let sentence = conflict.description
            counts[sentence, default: 0] += 1
            if counts[sentence] == 1 { sentences.append(sentence) }
        }
        return sentences.map { sentence in
            let count = counts[sentence] ?? 1
            return count == 1 ? sentence : "\(sentence) (\(count) objects)"
        }
        .joined(separator: "; ")
    }

    /// The same with the keys of the objects and the values of the attributes.
    public var debugDescription: String {
        conflicts.map(\.debugDescription).joined(separator: "; ")
    }
}

extension ObjectConflict: CustomStringConvertible, CustomDebugStringConvertible {
    /// What happened, without stored data.
    public var description: String {
        let names = attributes.joined(separator: ", ")
        if theirs == nil {
            return "\(entityName): was changed (\(names)) and somebody else has deleted it"
        }
        if mine == nil {
            return "\(entityName): was deleted and somebody else has changed it (\(names))"
        }
        return "\(entityName): \(names) was changed by somebody else, too"
    }

    /// What happened, with the key and the values.
    public var debugDescription: String {
        let key = identifier.key.map { "\($0.values)" } ?? "no key"
        let values = attributes.map { name in
            let sides = [base[name], mine?[name], theirs?[name]].map { side in
                side.map { "\($0)" } ?? "nothing"
            }
            return "\(name): base \(sides[0]), mine \(sides[1]), theirs \(sides[2])"
        }
        return "\(description); \(key); " + values.joined(separator: "; ")
    }
}
