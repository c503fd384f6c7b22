import DovetailModel

extension EntityBinding {
    /// Checks what every store requires of a model.
    ///
    /// ```swift
    /// @Model struct Note { var text: String }
    /// try EntityBinding(Note.self).validate()      // throws: Note has no key
    /// ```
    ///
    /// - Complexity: O(number of attributes).
    /// - Throws: ``StoreError`` of kind `invalidSchema` when the model has no key, or an optional one
    ///   that is not generated; when two names of columns differ in upper and lower case only, which
    ///   SQL does not tell apart; when a name is empty, longer than 63 bytes, which PostgreSQL cuts
    ///   off, or begins with `sqlite_` or `dovetail_`, which are reserved; when an attribute of a class
    ///   is another object; when an index names no property; when the column that rows are distributed
    ///   by is not in the key and each unique group; or when a reference does not fit the key that it
    ///   refers to.
    public func validate() throws {
        guard !keyColumns.isEmpty else {
            throw invalid(
                nil,
                type is any UnknownModel.Type
                    ? "\(type) keeps values of types that this program does not know, and has no table"
                    : "\(type) has no key: declare `id`, or mark a property with @Attribute(.primaryKey)"
            )
        }
        try validate(name: table, column: nil)
        try validateKey()
        var names: Set<String> = []
        for attribute in attributes {
            try validate(name: attribute.name, column: attribute.name)
            guard names.insert(attribute.name.lowercased()).inserted else {
                throw invalid(attribute.name, sharedName(attribute.name))
            }
        }
        if type is any ManagedModel.Type { try attributes.forEach(requireNoObject) }
        for index in description.indexes {
            guard !index.columns.isEmpty, !index.columns.contains(-1) else {
                throw invalid(nil, "an index or a unique group names what is no stored property")
            }
        }
        try validateShard()
        for attribute in attributes {
            if let reference = attribute.reference { try validate(reference, of: attribute) }
        }
    }

    /// Why a name cannot be that of two columns.
    private func sharedName(_ name: String) -> String {
        let sharing = attributes.filter { $0.name.lowercased() == name.lowercased() }
        if Set(sharing.map(\.name)).count > 1 {
            return "two attributes have this name but for upper and lower case"
        }
        return
            "the properties `\(sharing.map(\.property).joined(separator: "` and `"))` have this name"
    }

    /// Refuses an attribute of a class that has other objects: they would be copied into its column. Which properties
    /// are relationships is decided by how their types are written.
    private func requireNoObject(_ attribute: ModelAttribute) throws {
        guard attribute.isDeclared, attribute.transform == nil else { return }
        var type = Swift.type(of: attribute.keyPath as AnyKeyPath).valueType
        while true {
            if let optional = type as? any OptionalValue.Type {
                type = optional.wrapped
            } else if let list = type as? any ListType.Type {
                type = list.element
            } else {
                break
            }
        }
        guard let model = type as? any ManagedModel.Type else { return }
        throw invalid(
            attribute.name,
            "objects of \(model) are not stored in a column; declare it with @Relationship"
        )
    }

    private func validateKey() throws {
        for column in keyColumns {
            let attribute = attributes[column]
            if attribute.isGenerated {
                guard keyColumns.count == 1, attribute.columnType == .integer,
                    attribute.isOptional
                else {
                    throw invalid(
                        attribute.name,
                        "a generated key is one optional integer, such as `var id: Int64?`"
                    )
                }
            } else if attribute.isOptional {
                throw invalid(
                    attribute.name,
                    "a key cannot be optional, because a row without one cannot be found"
                )
            }
        }
        for attribute in attributes where attribute.isGenerated && !attribute.isPrimaryKey {
            throw invalid(attribute.name, "only a key can be generated")
        }
    }

    private func validateShard() throws {
        guard let name = type.modelShard else { return }
        guard let column = shardColumn else {
            throw invalid(nil, "rows are distributed by \(name), which is no stored property")
        }
        let groups = [keyColumns] + description.indexes.filter(\.isUnique).map(\.columns)
        guard groups.allSatisfy({ $0.contains(column) }) else {
            throw invalid(
                attributes[column].name,
                "rows are distributed by it, so it is a part of the key and of each unique group"
            )
        }
    }

    /// The longest name in bytes that every database keeps whole
    /// (https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS).
    private static let longestName = 63

    private func validate(name: String, column: String?) throws {
        let folded = name.lowercased()
        let problem: String? =
            if name.isEmpty {
                "an empty name"
            } else if name.utf8.contains(0) {
                "a name with a NUL"
            } else if folded.hasPrefix("sqlite_") || folded.hasPrefix("dovetail_") {
                "a name that begins with sqlite_ or dovetail_, which are reserved"
            } else if name.utf8.count > Self.longestName {
                "a name of more than \(Self.longestName) bytes"
            } else {
                nil
            }
        if let problem { throw invalid(column, problem + " cannot be stored") }
    }

    private func validate(_ reference: AttributeReference, of attribute: ModelAttribute) throws {
        guard let key = reference.key else {
            throw invalid(
                attribute.name,
                "\(reference.target) has no key of one column to refer to"
            )
        }
        guard key.columnType == attribute.columnType else {
            throw invalid(
                attribute.name,
                "the key of \(reference.target) is of kind \(key.columnType), this column "
                    + "of kind \(attribute.columnType)"
            )
        }
        guard reference.deleteRule != .nullify || attribute.isOptional else {
            throw invalid(attribute.name, "the rule nullify needs an optional attribute")
        }
    }

    private func invalid(_ column: String?, _ explanation: String) -> StoreError {
        StoreError(.invalidSchema, table: table, column: column, explanation: explanation)
    }
}

private protocol ListType {
    static var element: Any.Type { get }
}

extension Array: ListType {
    fileprivate static var element: Any.Type { Element.self }
}
