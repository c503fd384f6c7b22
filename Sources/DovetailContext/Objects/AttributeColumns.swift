import DovetailModel
import DovetailStore

/// The columns of the attributes of one class, as its setters name them.
///
/// A setter tells which attribute it changes, so a save looks at those alone, and what they were is all
/// that is kept of an object before it changes. To make two whole rows of each changed object and to
/// compare them was two fifths of what a save takes beside the store.
final class AttributeColumns {
    /// Those whose values may change without a setter: instances of classes, and all attributes where a
    /// hook of the class runs before it is written.
    let untold: ColumnSet
    /// All of them.
    let all: ColumnSet
    /// Takes what single attributes were.
    let spare: RowImage
    /// The entity of the class at the top, whose attributes have the key paths of the classes that declare
    /// them.
    private let table: EntityBinding
    /// A loop over objects names the same attribute again and again.
    private var last: (path: AnyKeyPath, column: Int?)?
    private var columns: [ObjectIdentifier: (path: AnyKeyPath, column: Int?)] = [:]

    /// - Parameters:
    ///   - entity: That of the class.
    ///   - table: That of the class at the top, where classes share a table.
    init(_ entity: EntityBinding, in table: EntityBinding) {
        self.table = table
        all = ColumnSet(entity.classColumns)
        spare = RowImage(unknown: entity.columnCount)
        if entity.type is any ModelLifecycle.Type {
            untold = all
        } else {
            untold = ColumnSet(
                entity.classColumns.filter { entity.attributes[$0].mayChangeByReference }
            )
        }
    }

    /// The column of the property at a key path; nil for none of its own.
    ///
    /// - Complexity: O(1), but for the first time.
    func column(of path: AnyKeyPath) -> Int? {
        if let last, last.path === path { return last.column }
        // Key paths in setters are literals, each of which is one object, which is kept here.
        let identifier = ObjectIdentifier(path)
        let found = columns[identifier] ?? (path, table.column(of: path))
        columns[identifier] = found
        last = found
        return found.column
    }
}

extension ModelAttribute {
    /// Whether its value may be one that others hold, too, and change.
    fileprivate var mayChangeByReference: Bool {
        // A transform to a document may be that of `any P`.
        if transform != nil, columnType == .document { return true }
        let type = Swift.type(of: keyPath as AnyKeyPath).valueType
        return type == UnknownFields.self || Self.holdsReferences(type)
    }

    private static func holdsReferences(_ type: Any.Type) -> Bool {
        if type is AnyObject.Type { return true }
        return (type as? any ValuesHolding.Type)?.held.contains(where: holdsReferences) ?? false
    }
}

/// A type of the standard library that holds values of others.
private protocol ValuesHolding {
    static var held: [Any.Type] { get }
}

extension Optional: ValuesHolding { fileprivate static var held: [Any.Type] { [Wrapped.self] } }
extension Array: ValuesHolding { fileprivate static var held: [Any.Type] { [Element.self] } }
extension Set: ValuesHolding { fileprivate static var held: [Any.Type] { [Element.self] } }
extension Dictionary: ValuesHolding {
    fileprivate static var held: [Any.Type] { [Key.self, Value.self] }
}
