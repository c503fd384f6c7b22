import Synchronization

/// What is known of one case of an untagged union before it is read: the kinds of its value, a field
/// that an object has to have, and the same of the elements of an array. Made by generated code.
public final class UnionShape: Sendable {
    let kinds: DocumentKinds
    /// A field without which reading an object fails, as far as it is known. A document may have it
    /// under an alias, so a case without it is tried after the others, and not left out.
    let required: String?
    /// What elements of an array are; nil when nothing is known of them.
    let element: UnionShape?

    /// Describes what a case holds.
    public init(_ kinds: DocumentKinds, required: String? = nil, element: UnionShape? = nil) {
        self.kinds = kinds
        self.required = required
        self.element = element
    }
}

/// The shapes of the cases of an untagged union, made at the first use.
public struct UnionShapes: Sendable {
    let shapes: [UnionShape]

    /// Makes the table of a union. Called by generated code.
    public init(_ shapes: [UnionShape]) { self.shapes = shapes }

    /// The tables of generic unions, which have no place of their own for one.
    private static let known = Mutex<[ObjectIdentifier: UnionShapes]>([:])

    /// The table of a generic union. Called by generated code.
    ///
    /// - Complexity: O(1) after the first time.
    public static func known(of type: Any.Type, _ make: () -> UnionShapes) -> UnionShapes {
        let key = ObjectIdentifier(type)
        if let found = known.withLock({ $0[key] }) { return found }
        // Outside of the lock: it may ask for the table of another union.
        let made = make()
        return known.withLock { tables in
            if let found = tables[key] { return found }
            tables[key] = made
            return made
        }
    }
}

/// A collection whose elements tell arrays apart.
private protocol ShapedCollection {
    static var elementShape: UnionShape { get }
}

extension Array: ShapedCollection where Element: ModelValue {
    fileprivate static var elementShape: UnionShape { UnionShape(of: Element.self) }
}

extension Set: ShapedCollection where Element: ModelValue {
    fileprivate static var elementShape: UnionShape { UnionShape(of: Element.self) }
}

extension UnionShape {
    /// Describes a type. A model without hooks is read from an empty object to find the first field
    /// that it wants.
    convenience init(of type: any ModelValue.Type) {
        self.init(
            type.documentKinds,
            required: (type as? any Model.Type).flatMap(Self.firstRequired),
            element: (type as? any ShapedCollection.Type)?.elementShape
        )
    }

    private static func firstRequired(of model: any Model.Type) -> String? {
        guard !(model is any ModelLifecycle.Type), !(model is AnyClass),
            !model.modelAttributes.isEmpty
        else { return nil }
        do {
            _ = try model.init(ModelDocument.object([]))
            return nil
        } catch let error as ModelDecodingError where error.kind == .missingField {
            let name = error.path.prefix { $0 != "." && $0 != "[" }
            return name.isEmpty ? nil : String(name)
        } catch {
            return nil
        }
    }
}

/// The shape of a case's value. Called by generated code.
public func _shape<Value: ModelValue>(_: Value.Type) -> UnionShape { UnionShape(of: Value.self) }

/// The same for a plain `Codable` type, of which nothing is known. Called by generated code.
@_disfavoredOverload
public func _shape<Value>(_: Value.Type) -> UnionShape { UnionShape(.any) }

/// The same for a value with a coding. Called by generated code.
public func _shape<Coding: ModelCoding>(by coding: Coding.Type) -> UnionShape {
    UnionShape(coding.documentKinds)
}

/// The kinds of a case's value. Called by generated code.
@inlinable
public func _kinds<Value: ModelValue>(_: Value.Type) -> DocumentKinds { Value.documentKinds }

/// The same for a plain `Codable` type. Called by generated code.
@_disfavoredOverload
@inlinable
public func _kinds<Value>(_: Value.Type) -> DocumentKinds { .any }

/// The same for a value with a coding. Called by generated code.
@inlinable
public func _kinds<Coding: ModelCoding>(by coding: Coding.Type) -> DocumentKinds {
    coding.documentKinds
}
