/// A field of a model's documents: one that an attribute is read from, or an object with further
/// fields.
public struct FieldNode {
    /// The name in its object.
    public let name: String
    /// The attribute whose value stands here; nil for an object.
    public let attribute: Int?
    /// The fields of the object.
    public private(set) var members: [FieldNode] = []

    /// Why a field has no place in a tree.
    enum Conflict {
        /// Another attribute has it.
        case repeated
        /// It is a value for one attribute and an object for another.
        case valueAndObject(name: String)
    }

    /// Puts a field where its path says.
    static func insert(
        _ path: ArraySlice<String>,
        attribute: Int,
        into nodes: inout [FieldNode]
    ) -> Conflict? {
        guard let name = path.first else { return nil }
        let rest = path.dropFirst()
        let found = nodes.firstIndex { $0.name == name }
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

    /// The attributes in the order in which they are met.
    public var attributes: [Int] {
        attribute.map { [$0] } ?? members.flatMap(\.attributes)
    }

    init(name: String, attribute: Int?) {
        self.name = name
        self.attribute = attribute
    }
}

extension ModelDeclaration.Attribute {
    /// The fields that are written, in their order.
    public static func writtenFields(of attributes: [Self]) -> [FieldNode] {
        var fields: [FieldNode] = []
        for (index, attribute) in attributes.enumerated() {
            _ = FieldNode.insert(attribute.path.components[...], attribute: index, into: &fields)
        }
        return fields
    }

    /// The fields that are read: those that are written, and the aliases.
    public static func readFields(of attributes: [Self]) -> [FieldNode] {
        var fields = writtenFields(of: attributes)
        for (index, attribute) in attributes.enumerated() {
            for alias in attribute.property.attribute.aliases {
                _ = FieldNode.insert(alias.components[...], attribute: index, into: &fields)
            }
        }
        return fields
    }

    /// Brings attributes that lie in one object beside each other, so that it is written once and
    /// columns have the order of writing, and looks for names that are in each other's way.
    static func arranged(_ attributes: [Self], _ problems: inout Problems) -> [Self] {
        var fields: [FieldNode] = []
        var columns: Set<String> = []
        for (index, attribute) in attributes.enumerated() {
            let pattern = attribute.property.pattern
            let path = attribute.path
            let conflict = FieldNode.insert(path.components[...], attribute: index, into: &fields)
            let isNewColumn = columns.insert(path.columnName).inserted
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
