/// A value that holds `any P` and is a ``ModelValue``, so that a generic model can have it:
/// `Page<AnyPet>` where `Page<any Pet>` is no type that reads itself.
///
/// `@ModelProtocol(wrapper: true)` writes one beside the protocol:
///
/// ```swift
/// @ModelProtocol(wrapper: true) protocol Pet { var name: String { get } }
/// @Model struct Page<Item: ModelValue> { var items: [Item]; var next: String? }
///
/// let page = try Page<AnyPet>(decoding: data, as: .json)
/// page.items[0].wrapped is Dog
/// page.items[0].name              // a property of the protocol
/// ```
///
/// In documents and columns it is what `any P` is: reading finds the conformer by the protocol's
/// tagging, and the protocol's policy for unknown elements holds.
@dynamicMemberLookup
public protocol ProtocolWrapper: ModelValue {
    /// The coding of `any P`.
    associatedtype Coding: ProtocolCoding
    /// The value.
    var wrapped: Coding.Value { get set }
    /// Wraps a value.
    init(_ wrapped: Coding.Value)
}

extension ProtocolWrapper {
    /// An embedded document.
    public static var columnType: ColumnType { Coding.column.type }

    /// Those of the coding.
    public static var documentKinds: DocumentKinds { Coding.documentKinds }

    /// Reads a value as its protocol does.
    ///
    /// - Throws: what the coding throws.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        self.init(try Coding.decode(from: &reader))
    }

    /// Writes the value with the name of its type.
    ///
    /// - Throws: what the coding throws.
    @inlinable
    public func encode(to writer: inout ModelWriter) throws {
        try Coding.encode(wrapped, to: &writer)
    }

    /// What a property of the protocol holds.
    @inlinable
    public subscript<Member>(dynamicMember keyPath: KeyPath<Coding.Value, Member>) -> Member {
        wrapped[keyPath: keyPath]
    }
}
