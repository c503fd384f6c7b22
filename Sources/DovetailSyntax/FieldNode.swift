/// A field of a model's documents: one that holds the value of an attribute, or an object with
/// further fields, as `profile` and `avatar` in `@Attribute(name: "profile.avatar.url")`.
///
/// The attributes of a model make a tree of fields, from which the generated loops over nested
/// objects are written.
///
/// ```text
/// id                      attribute 0
/// profile
///     avatar
///         url             attribute 1
///     displayName         attribute 2
/// ```
///
/// Invariant: a node has either an attribute or members. `insert` is the only function that makes
/// nodes.
public struct FieldNode {
    /// The name in its object.
    public let name: String
    /// The index of the attribute whose value the field holds; nil for an object.
    public let attribute: Int?
    /// Whether it stands for all fields of a flattened model, whose names a macro does not see.
    public var isFlattened = false
    /// The fields of the object.
    public private(set) var members: [FieldNode] = []

    /// Why a field cannot be put into a tree.
    enum Conflict {
        /// Another attribute has the same field.
        case repeated
        /// The field is a value for one attribute and an object for another.
        case valueAndObject(name: String)
    }

    /// Puts a field where its path says, with the objects around it that are not there yet.
    ///
    /// - Complexity: linear in the fields of each object on the path, so quadratic for a whole
    ///   model.
    /// - Returns: why the field was not put in; nil when it was.
    static func insert(
        _ path: ArraySlice<String>,
        attribute: Int,
        into nodes: inout [FieldNode]
    ) -> Conflict? {
        guard let name = path.first else { return nil }
        let rest = path.dropFirst()
        let found = nodes.firstIndex { $0.name == name && !$0.isFlattened }
        let index = found ?? nodes.endIndex
        if found == nil {
            nodes.append(FieldNode(name: name, attribute: rest.isEmpty ? attribute : nil))
        } else if rest.isEmpty != (nodes[index].attribute != nil) {
            return .valueAndObject(name: name)
        } else if rest.isEmpty {
            return .repeated
        }
        return insert(rest, attribute: attribute, into: &nodes[index].members)
    }

    /// The attributes in the order in which the fields are written.
    public var attributes: [Int] {
        attribute.map { [$0] } ?? members.flatMap(\.attributes)
    }

    init(name: String, attribute: Int?) {
        self.name = name
        self.attribute = attribute
    }
}

extension ModelDeclaration.Attribute {
    /// The fields that are written, in their order. ``arranged(_:_:)`` has reported the conflicts.
    public static func writtenFields(of attributes: [Self]) -> [FieldNode] {
        var fields: [FieldNode] = []
        for (index, attribute) in attributes.enumerated() {
            _ = insert(attribute, index, into: &fields)
        }
        return fields
    }

    /// Puts the field of an attribute where its path says, and those of a flattened model at the end.
    private static func insert(
        _ attribute: Self,
        _ index: Int,
        into fields: inout [FieldNode]
    ) -> FieldNode.Conflict? {
        guard attribute.property.attribute.flattened != nil else {
            return FieldNode.insert(attribute.path.components[...], attribute: index, into: &fields)
        }
        var node = FieldNode(name: "", attribute: index)
        node.isFlattened = true
        fields.append(node)
        return nil
    }

    /// The fields that are read: those that are written, then the aliases. An alias may lead into
    /// an object that is not written.
    public static func readFields(of attributes: [Self]) -> [FieldNode] {
        var fields = writtenFields(of: attributes)
        for (index, attribute) in attributes.enumerated() {
            for alias in attribute.property.attribute.aliases {
                _ = FieldNode.insert(alias.components[...], attribute: index, into: &fields)
            }
        }
        return fields
    }

    /// Puts attributes of one object next to each other, so that the object is written once and the
    /// columns have the order in which fields are written. Reports names that exclude each other.
    ///
    /// The order of a row's columns has to be that of the calls in `encode(to:)`: `RowSink` fills
    /// them by position.
    static func arranged(_ attributes: [Self], _ problems: inout Problems) -> [Self] {
        var fields: [FieldNode] = []
        var columns: Set<String> = []
        for (index, attribute) in attributes.enumerated() {
            let pattern = attribute.property.pattern
            let path = attribute.path
            let conflict = insert(attribute, index, into: &fields)
            let isNewColumn =
                attribute.property.attribute.flattened != nil
                || columns.insert(path.columnName).inserted
            if case .valueAndObject(let name) = conflict {
                problems.add(.valueAndObject(name), at: pattern)
            } else if conflict != nil || !isNewColumn {
                problems.add(.repeatedName(path.columnName), at: pattern)
            }
        }
        let order = fields.flatMap(\.attributes)
        for (index, attribute) in attributes.enumerated() {
            for alias in attribute.property.attribute.aliases {
                let conflict = FieldNode.insert(
                    alias.components[...],
                    attribute: index,
                    into: &fields
                )
                // A row's columns and the fields of the outermost object are found in one place.
                let isColumn = !alias.isNested && columns.contains(alias.columnName)
                if case .valueAndObject(let name) = conflict {
                    problems.add(.valueAndObject(name), at: attribute.property.pattern)
                } else if conflict != nil || isColumn {
                    problems.add(.repeatedAlias(alias.columnName), at: attribute.property.pattern)
                }
            }
        }
        return problems.isEmpty ? order.map { attributes[$0] } : attributes
    }
}
