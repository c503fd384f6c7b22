public import Dovetail

// Models of all types that the fixtures of Stripe's OpenAPI description hold, with every field that
// they hold. A field is optional when it is null or absent in one of them: a deleted resource has
// the name of a living one and little else. A field is a `ModelDocument` where the fixtures do not
// show its form, because it is empty or null in all of them.

/// Stripe tells its resources apart by `object`.
@ModelProtocol(typeKey: "object")
public protocol StripeObject {}

/// What can be paid with; a refined protocol has the same key.
@ModelProtocol
protocol PaymentSource: StripeObject {}

/// A page of a collection.
@Model(naming: .snakeCase, typeName: "list")
struct List: StripeObject {
    /// Fields hold lists as this very type, so no type key is written there.
    var object = "list"
    var data: [any StripeObject]
    var hasMore: Bool
    var totalCount: Int?
    var url: String
}

/// A field that holds a resource's id, or the resource itself when the request asked for that.
public enum Expandable: ModelValue {
    /// The id only.
    case id(String)
    /// The whole resource.
    case object(any StripeObject)

    /// Reads a string or a resource.
    public init(modelValue reader: inout ModelReader) throws {
        switch try reader.peekKind() {
        case .string: self = .id(try String(modelValue: &reader))
        case .object: self = .object(try StripeObjectModel.decode(from: &reader))
        default: throw reader.rejected(expected: "an id or a resource")
        }
    }

    /// Writes a string or a resource.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.embed { writer in
            switch self {
            case .id(let id): try id.encode(to: &writer)
            case .object(let object): try StripeObjectModel.encode(object, to: &writer)
            }
        }
    }
}
