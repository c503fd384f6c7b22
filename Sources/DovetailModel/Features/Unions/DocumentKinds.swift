/// The kinds of document values that a type reads: by them the cases of an untagged union are told
/// apart.
///
/// ```swift
/// String.documentKinds        // .string
/// [Int].documentKinds         // .array
/// ```
///
/// They are what a type may read in any format, so those of `Date` are a date and a string.
public struct DocumentKinds: OptionSet, Hashable, Sendable {
    /// One bit for each kind.
    public let rawValue: UInt16

    /// The set of the kinds whose bits are set.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Null.
    public static let null = DocumentKinds(rawValue: 1)
    /// A truth value.
    public static let bool = DocumentKinds(rawValue: 2)
    /// A number, with or without a fraction.
    public static let number = DocumentKinds(rawValue: 4)
    /// A string.
    public static let string = DocumentKinds(rawValue: 8)
    /// A date, in formats that have dates.
    public static let date = DocumentKinds(rawValue: 16)
    /// Bytes, in formats that have them.
    public static let data = DocumentKinds(rawValue: 32)
    /// An array.
    public static let array = DocumentKinds(rawValue: 64)
    /// An object.
    public static let object = DocumentKinds(rawValue: 128)
    /// All but null: what a type of your own may read, unless it says more.
    public static let any = DocumentKinds(rawValue: 254)

    /// The set of one kind.
    init(_ kind: ModelDocument.Kind) {
        self =
            switch kind {
            case .null: .null
            case .bool: .bool
            case .integer, .double, .decimal: .number
            case .string: .string
            case .date: .date
            case .data: .data
            case .array: .array
            case .object: .object
            }
    }

    /// What the values of a column's type are in documents.
    @inlinable
    init(_ column: ColumnType) {
        self =
            switch column {
            case .boolean: .bool
            case .integer, .double: .number
            case .decimal: [.number, .string]
            case .text: .string
            case .date: [.date, .string]
            case .data: [.data, .string]
            case .document: .any
            }
    }

    /// The kinds in words, for errors: "a string or an array".
    var words: String {
        let names: [(DocumentKinds, String)] = [
            (.null, "null"), (.bool, "a truth value"), (.number, "a number"),
            (.string, "a string"), (.date, "a date"), (.data, "data"), (.array, "an array"),
            (.object, "an object"),
        ]
        if isSuperset(of: .any) { return "any value" }
        return names.filter { contains($0.0) }.map(\.1).joined(separator: " or ")
    }
}
