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
