public import Foundation

/// Any document: a tree over the closed list of value kinds.
///
/// It reads whatever the format allows and writes it back equal: objects keep the order of their
/// members and both members of a repeated key, numbers keep the text they were written with.
///
/// ```swift
/// var document = try ModelDocument(decoding: data, as: .json)
/// document.rename("groups", to: "domains")
/// document["domains[0].name"] = "first"
/// document["domains[0].old"] = nil
/// ```
///
/// Copies share their storage until one of them changes; then only the containers on the way to the
/// change are copied. Nothing here recurses deeper than a fixed number of levels, however deep a
/// tree was built.
///
/// Two documents are equal when they mean the same, whatever the order of members; see
/// ``==(_:_:)``. Reading and writing refuse more than ``ModelReader/maximumDepth`` levels; in
/// memory there is no limit.
public struct ModelDocument: Sendable {
    /// The kinds of value a document is made of.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// No value.
        case null
        /// A truth value.
        case bool
        /// A whole number of any size: one written without fraction and exponent.
        case integer
        /// Any other number of a document; JSON does not tell doubles from decimals.
        case double
        /// A `Decimal`, when the document was made in code, of a model, or by a decoder that has
        /// more digits than a double.
        case decimal
        /// A string.
        case string
        /// A date, where the format has one of its own, or the document was made in code or of a
        /// model.
        case date
        /// Bytes, where the format has them, or the document was made in code or of a model.
        case data
        /// An array.
        case array
        /// An object.
        case object
    }

    /// A member of an object.
    public struct Member: Hashable, Sendable {
        /// The name, as it is: nothing in it is an escape.
        public var key: String
        /// The value.
        public var value: ModelDocument

        /// Makes a member.
        public init(key: String, value: ModelDocument) {
            self.key = key
            self.value = value
        }
    }

    /// The value. Readers match on it directly; changes of a container go through
    /// ``uniqueNode()``.
    enum Storage: Sendable {
        case null
        case bool(Bool)
        case number(DocumentNumber)
        case string(String)
        case date(Date)
        case data(Data)
        case array(DocumentNode)
        case object(DocumentNode)
    }

    var storage: Storage

    init(_ storage: Storage) {
        self.storage = storage
    }

    /// What the value is. Complexity: O(1), for numbers linear in their text.
    public var kind: Kind {
        switch storage {
        case .null: .null
        case .bool: .bool
        case .number(let number): number.kind
        case .string: .string
        case .date: .date
        case .data: .data
        case .array: .array
        case .object: .object
        }
    }
}

// Documents made in code. Literals make most of them (ModelDocument+Literals.swift); these name the
// kind where a literal cannot, or take a value.

extension ModelDocument {
    /// The null of JSON. It is a value: a member that is null is there.
    public static let null = ModelDocument(.null)

    /// A truth value.
    public static func bool(_ value: Bool) -> ModelDocument { ModelDocument(.bool(value)) }

    /// A whole number of any size. Beyond `Int64` it is kept as text.
    public static func integer(_ value: some BinaryInteger) -> ModelDocument {
        if let value = Int64(exactly: value) { return ModelDocument(.number(.integer(value))) }
        return ModelDocument(.number(.text(String(value))))
    }

    /// A floating point number. NaN and infinities are kept; JSON refuses to write them.
    public static func double(_ value: Double) -> ModelDocument {
        ModelDocument(.number(.double(value)))
    }

    /// A decimal number, written with all of its digits as a number. NaN is kept; JSON refuses to
    /// write it.
    public static func decimal(_ value: Decimal) -> ModelDocument {
        ModelDocument(.number(.decimal(value)))
    }

    /// A string.
    public static func string(_ value: consuming String) -> ModelDocument {
        ModelDocument(.string(value))
    }

    /// A date. JSON has it as an ISO 8601 string, which is read back as a string.
    public static func date(_ value: Date) -> ModelDocument { ModelDocument(.date(value)) }

    /// Bytes. JSON has them as a base64 string, which is read back as a string.
    public static func data(_ value: Data) -> ModelDocument { ModelDocument(.data(value)) }

    /// An array. Complexity: linear in the number of elements, O(1) for an `Array`.
    public static func array(_ elements: some Sequence<ModelDocument>) -> ModelDocument {
        ModelDocument(.array(DocumentNode(values: Array(elements))))
    }

    /// An object with members in this order. A key may be repeated.
    ///
    /// ```swift
    /// let object = ModelDocument.object([.init(key: "id", value: 1)])
    /// ```
    ///
    /// - Complexity: linear in the number of members.
    public static func object(_ members: some Sequence<Member>) -> ModelDocument {
        let node = DocumentNode()
        for member in members { node.append(member.key, member.value) }
        return ModelDocument(.object(node))
    }
}
