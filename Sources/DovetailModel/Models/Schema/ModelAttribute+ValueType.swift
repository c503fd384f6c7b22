import Foundation

extension ModelAttribute {
    /// Whether every value is a UUID, or a ``TypedIdentifier`` over one: a column has them as text in capital
    /// letters, and a database that has a type for them may keep them in that. What goes through a
    /// transform is none.
    ///
    /// - Complexity: O(1); it asks the type of the property at run time.
    package var isUUID: Bool {
        transform == nil && columnType == .text
            && Self.isUUID(Swift.type(of: keyPath as AnyKeyPath).valueType)
    }

    /// Whether two values with one number may differ: the column holds an ``ExactNumber``, whose text counts.
    ///
    /// - Complexity: as ``isUUID``, for decimal numbers.
    package var keepsNumberText: Bool {
        guard columnType == .decimal, transform == nil else { return false }
        let type = Swift.type(of: keyPath as AnyKeyPath).valueType
        return type == ExactNumber.self
            || (type as? any OptionalValue.Type)?.wrapped == ExactNumber.self
    }

    /// Whether null is another value than none, as in `Int??`.
    package var distinguishesNull: Bool {
        let type = Swift.type(of: keyPath as AnyKeyPath).valueType as? any OptionalValue.Type
        return type?.wrapped is any OptionalValue.Type
    }

    private static func isUUID(_ type: Any.Type) -> Bool {
        if type == UUID.self { return true }
        if let optional = type as? any OptionalValue.Type { return isUUID(optional.wrapped) }
        func raw<Identifier: TypedIdentifier>(_ type: Identifier.Type) -> Any.Type {
            Identifier.RawValue.self
        }
        guard let identifier = type as? any TypedIdentifier.Type else { return false }
        return isUUID(raw(identifier))
    }
}
