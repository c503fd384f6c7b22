import DovetailModel
import DovetailStore

/// What an object says that cannot be saved.
enum ObjectError {
    /// Two objects of different contexts refer to each other.
    static func otherContext(
        _ object: any PersistentModel,
        _ other: any PersistentModel
    ) -> StoreError {
        StoreError(
            .invalidObject,
            table: type(of: object).modelTable,
            explanation:
                "refers to an object of \(type(of: other)) that belongs to another context; "
                + "fetch that in this one, by its persistentModelID"
        )
    }

    /// An object of another context was inserted.
    static func ofOtherContext(_ object: any PersistentModel) -> StoreError {
        StoreError(
            .invalidObject,
            table: type(of: object).modelTable,
            explanation: "the object belongs to another context; fetch it in this one, by its "
                + "persistentModelID"
        )
    }

    /// A large value was never read, and its row is gone.
    static func unread(
        _ attribute: ModelAttribute,
        of object: any PersistentModel
    ) -> StoreError {
        StoreError(
            .invalidObject,
            table: type(of: object).modelTable,
            column: attribute.name,
            explanation:
                "was not read before the row was deleted, so the object cannot be inserted "
                + "again; set it first"
        )
    }

    /// A property that cannot be nil has no object.
    static func missing(
        _ name: String,
        of object: any PersistentModel,
        _ holder: ObjectShape.Relationship? = nil
    ) -> StoreError {
        StoreError(
            .foreignKeyViolation,
            table: type(of: object).modelTable,
            column: name,
            explanation: holder.map {
                "has no object and cannot be nil; it was taken out of `\($0.name)`, whose delete rule "
                    + "is \($0.deleteRule)"
            } ?? "has no object and cannot be nil"
        )
    }

    /// A property that cannot be nil was given an object that others have deleted.
    static func deletedByOthers(_ name: String, of object: any PersistentModel) -> StoreError {
        StoreError(
            .foreignKeyViolation,
            table: type(of: object).modelTable,
            column: name,
            explanation: "was given an object that somebody else has deleted; give it another one"
        )
    }

    /// A relationship to a protocol was given what is no object that a context could keep.
    static func stranger(
        _ type: Any.Type,
        _ union: ObjectShape.Union,
        _ object: any PersistentModel
    ) -> StoreError {
        StoreError(
            .invalidObject,
            table: Swift.type(of: object).modelTable,
            column: union.name,
            explanation: "was given an object of \(type), which is none of the classes with @Model "
                + "that conform to \(union.type)"
        )
    }

    /// A relationship to a protocol holds an object of a class that the container was made without.
    static func unknownClass(
        _ relationship: ObjectShape.Relationship,
        of object: any PersistentModel
    ) -> StoreError {
        StoreError(
            .invalidSchema,
            table: type(of: object).modelTable,
            column: relationship.name,
            explanation: "holds an object of \(relationship.target), and the container was made "
                + "without that class; name it in ModelContainer(for:)"
        )
    }

    /// A relationship holds fewer objects than it has to.
    static func tooFew(_ name: String, _ least: Int, of object: any PersistentModel) -> StoreError {
        StoreError(
            .invalidObject,
            table: type(of: object).modelTable,
            column: name,
            explanation: "holds fewer objects than its minimumModelCount, \(least)"
        )
    }

    /// A relationship holds more objects than it may.
    static func tooMany(_ name: String, _ most: Int, of object: any PersistentModel) -> StoreError {
        StoreError(
            .invalidObject,
            table: type(of: object).modelTable,
            column: name,
            explanation: "holds more objects than its maximumModelCount, \(most)"
        )
    }

    /// The declared key of an object that has a row was changed.
    static func changedKey(
        _ columns: [Int],
        of entity: EntityBinding,
        _ object: any PersistentModel
    ) -> StoreError {
        StoreError(
            .invalidObject,
            table: type(of: object).modelTable,
            column: entity.description.names(of: columns),
            explanation:
                "was changed, and the key of a row stays; insert another object and delete "
                + "this one, or declare the attribute as `.unique` instead of `.primaryKey`"
        )
    }

    /// A property was set by a key path that only reads.
    static func notSettable(_ path: AnyKeyPath, of object: any PersistentModel) -> StoreError {
        StoreError(
            .invalidObject,
            table: type(of: object).modelTable,
            explanation: "setValue(forKey:to:) was given \(path), which cannot be set from there"
        )
    }

    /// A relationship with the rule `deny` holds objects.
    static func denied(_ name: String, of object: any PersistentModel) -> StoreError {
        StoreError(
            .foreignKeyViolation,
            table: type(of: object).modelTable,
            column: name,
            explanation: "still holds objects, and its delete rule is deny"
        )
    }

    /// An object would have to become the row of an object of another class.
    static func otherClass(
        _ entity: EntityBinding,
        _ columns: [Int],
        _ type: any PersistentModel.Type,
        _ key: RowKey
    ) -> StoreError {
        StoreError(
            .uniqueViolation,
            table: entity.table,
            column: entity.description.names(of: columns),
            explanation:
                "an object of \(type) has the unique value of one of another class, and an "
                + "object does not change its class"
        )
        .naming(key.values)
    }

    /// Two rows would have to become one.
    static func wouldMerge(
        _ entity: EntityBinding,
        _ columns: [Int],
        _ first: RowKey,
        _ second: RowKey
    ) -> StoreError {
        StoreError(
            .uniqueViolation,
            table: entity.table,
            column: entity.description.names(of: columns),
            explanation: "an object has the unique values of two rows, which would have to become "
                + "one; `keys` names both"
        )
        .naming(all: [first.values, second.values])
    }
}
