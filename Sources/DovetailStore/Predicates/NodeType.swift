import DovetailModel
import Foundation
import Synchronization

/// What a translator has to know of the type of an expression, found out once for each type.
///
/// Whether a type conforms to a protocol takes the runtime longer than the rest of translating a node:
/// asked at each node, it was a third of a translation.
final class NodeType: Sendable {
    /// Whether an expression may be a cast of the row (``RowExpression``).
    let mayBeRow: Bool
    /// Whether an expression may be an attribute with a transform (``TransformedOperand``).
    let mayBeTransformed: Bool
    /// Whether an expression may be one of several others (``BranchingOperand``).
    let mayBranch: Bool
    /// Whether an expression is `nil`.
    let isNil: Bool
    /// Whether the values are enums with a raw type.
    let isRawModel: Bool
    /// Whether the values are optionals of optionals: `T??`.
    let isOptionalTwice: Bool
    /// Whether the values tell null from nothing: `T??`, and what may be a document.
    let hasTwoNothings: Bool
    /// Whether the values are floating point numbers, and no optionals, or made to be such.
    let mayBeNaN: Bool
    /// The kind of column that the values have.
    let kind: ColumnType?

    private init<Node: PredicateExpression>(_ type: Node.Type) {
        mayBeRow = type is any RowExpression.Type
        mayBeTransformed = type is any TransformedOperand.Type
        mayBranch = type is any BranchingOperand.Type
        isNil = type is any NilOperand.Type
        let wrapped = (Node.Output.self as? any OptionalValue.Type)?.wrapped
        isOptionalTwice = wrapped is any OptionalValue.Type
        hasTwoNothings = isOptionalTwice || wrapped == ModelDocument.self
        let promoted = (type as? any PromotedOperand.Type)?.promoted ?? Node.Output.self
        mayBeNaN = promoted is any FloatingPoint.Type
        isRawModel = QueryTranslator.isRawModel(Node.Output.self)
        kind = QueryTranslator.kind(of: Node.Output.self)
    }

    /// Types live as long as the program, and a program has as many as it has forms of predicates.
    private static let known = Mutex<[ObjectIdentifier: NodeType]>([:])

    /// What is known of a type.
    static func of<Node: PredicateExpression>(_ type: Node.Type) -> NodeType {
        let identifier = ObjectIdentifier(type)
        if let known = known.withLock({ $0[identifier] }) { return known }
        // Outside of the lock, as it may run code of a model.
        let new = NodeType(type)
        known.withLock { $0[identifier] = new }
        return new
    }
}
