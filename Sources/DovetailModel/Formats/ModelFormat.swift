public import Foundation

/// A format that documents are read from and written in.
public struct ModelFormat: Hashable, Sendable {
    /// The name of the format as it appears in error messages.
    public let name: String
    @usableFromInline let kind: Kind

    @usableFromInline enum Kind: Hashable, Sendable {
        /// JSON; with the layout, or as it comes from the writer.
        case json(JSONLayout?)
        case xmlPropertyList
        case binaryPropertyList
        case other(OtherFormat)
    }

    init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// Whether documents are JSON, however it is laid out.
    @inlinable var isJSON: Bool {
        if case .json = kind { true } else { false }
    }

    /// JSON as RFC 8259 defines it, in UTF-8, read strictly, written without white space.
    public static let json = ModelFormat(name: "JSON", kind: .json(nil))

    /// JSON that is laid out for people or for comparison. Reading is that of ``json``.
    ///
    /// - Complexity: writing takes a second pass over the document when it is `pretty`, and is
    ///   several times as expensive with `sortedKeys`.
    /// - Parameters:
    ///   - pretty: A line for each member and element, indented by two spaces a level.
    ///   - sortedKeys: The members of every object in the order of their names' Unicode scalars;
    ///     members of a repeated key stay in their order.
    public static func json(pretty: Bool = false, sortedKeys: Bool = false) -> ModelFormat {
        guard pretty || sortedKeys else { return .json }
        return ModelFormat(
            name: json.name,
            kind: .json(JSONLayout(isPretty: pretty, hasSortedKeys: sortedKeys))
        )
    }

    /// Property lists in XML, as Apple's tools lay them out, in UTF-8.
    ///
    /// Dates and data have forms of their own; nil in an array is the string `$null`, as
    /// `PropertyListEncoder` writes it. Reading takes the binary form, too.
    public static let plist = ModelFormat(name: "XML property list", kind: .xmlPropertyList)

    /// Property lists in Apple's binary form, `bplist00`. Equal strings are written once.
    ///
    /// What was said of ``plist`` holds here as well; reading takes XML, too.
    public static let binaryPlist = ModelFormat(
        name: "binary property list",
        kind: .binaryPropertyList
    )

    /// A format of your own, made of two functions between bytes and any document.
    ///
    /// Models, collections and `any P` are read and written through the document, so dates, data
    /// and decimals keep their kinds. Two formats are equal when they come from the same call.
    ///
    /// - Complexity: of reading and writing models, that of the functions and two more passes.
    /// - Parameters:
    ///   - name: The name as it appears in messages.
    ///   - decode: Makes the document; what it throws is what reading throws.
    ///   - encode: Makes the bytes; a ``ModelEncodingError`` that says `notRepresentable` is for
    ///     kinds that the format lacks.
    public init(
        name: String,
        decode: @escaping @Sendable (Data) throws -> ModelDocument,
        encode: @escaping @Sendable (ModelDocument) throws -> Data
    ) {
        self.init(name: name, kind: .other(OtherFormat(decode: decode, encode: encode)))
    }
}

/// The two functions of a format that is not built in.
@usableFromInline
final class OtherFormat: Hashable, Sendable {
    let decode: @Sendable (Data) throws -> ModelDocument
    let encode: @Sendable (ModelDocument) throws -> Data

    init(
        decode: @escaping @Sendable (Data) throws -> ModelDocument,
        encode: @escaping @Sendable (ModelDocument) throws -> Data
    ) {
        self.decode = decode
        self.encode = encode
    }

    @usableFromInline
    static func == (left: OtherFormat, right: OtherFormat) -> Bool {
        left === right
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
