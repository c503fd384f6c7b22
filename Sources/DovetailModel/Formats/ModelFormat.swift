public import Foundation

/// A format that documents are read from and written in.
///
/// Models know nothing of formats: one generated body reads and writes all of them. JSON and the
/// two forms of property lists are built in; ``init(name:decode:encode:)`` adds another one.
///
/// ```swift
/// let data = try library.encoded(as: .plist)
/// let again = try AssetLibrary(decoding: data, as: .plist)
/// ```
///
/// Documentation/Formats.md lists what each format does with each kind of value.
public struct ModelFormat: Hashable, Sendable {
    /// The name of the format as it appears in error messages.
    public let name: String
    @usableFromInline let kind: Kind

    /// Which reader and writer the format selects.
    @usableFromInline enum Kind: Hashable, Sendable {
        /// JSON; nil is the compact form, exactly as the writer makes it.
        case json(JSONLayout?)
        /// Written as XML; read as either form of property list.
        case xmlPropertyList
        /// Written as `bplist00`; read as either form of property list.
        case binaryPropertyList
        /// Two functions of the program, with a ``ModelDocument`` between them and the models.
        case custom(CustomFormat)
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
    ///
    /// Strictly means: no comments, no trailing commas, no other encoding, no content after the
    /// value. A byte order mark at the start is passed over.
    ///
    /// ```swift
    /// let owners = try [Owner](decoding: data, as: .json)
    /// let text = String(decoding: try owners.encoded(as: .json), as: UTF8.self)
    /// ```
    public static let json = ModelFormat(name: "JSON", kind: .json(nil))

    /// JSON that is laid out for people or for comparison. Reading is that of ``json``.
    ///
    /// ```swift
    /// let text = try owner.encoded(as: .json(pretty: true, sortedKeys: true))
    /// // {
    /// //   "id": 1,
    /// //   "name": "Ada",
    /// //   "pets": []
    /// // }
    /// ```
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
    /// `PropertyListEncoder` writes it. Reading takes the binary form, too: the first bytes decide.
    ///
    /// The form is that of Apple's `PropertyList-1.0.dtd`, in XML 1.0. UTF-16 and UTF-32 are read
    /// as well, and are copied to UTF-8 first.
    ///
    /// ```swift
    /// let data = try library.encoded(as: .plist)
    /// // <?xml version="1.0" encoding="UTF-8"?> … <plist version="1.0"><dict>…</dict></plist>
    /// ```
    public static let plist = ModelFormat(name: "XML property list", kind: .xmlPropertyList)

    /// Property lists in Apple's binary form, `bplist00`. Equal strings are written once.
    ///
    /// Values have the kinds they have in ``plist``, and nil is `$null` here as well. Reading takes
    /// XML, too. Dates are doubles of seconds since 2001, so they keep their fraction.
    ///
    /// ```swift
    /// let data = try library.encoded(as: .binaryPlist)
    /// let again = try AssetLibrary(decoding: data, as: .plist)  // the first bytes tell the form
    /// ```
    public static let binaryPlist = ModelFormat(
        name: "binary property list",
        kind: .binaryPropertyList
    )

    /// A format of your own, made of two functions between bytes and any document.
    ///
    /// Models, collections and `any P` are read and written through the document, so dates, data
    /// and decimals keep their kinds. Two formats are equal when they come from the same call.
    ///
    /// ```swift
    /// let format = ModelFormat(
    ///     name: "CBOR",
    ///     decode: { data in try CBOR.document(data) },
    ///     encode: { document in try CBOR.data(document) }
    /// )
    /// let data = try library.encoded(as: format)
    /// ```
    ///
    /// `decode` gets the whole document and `encode` makes the whole document; keep the format in a
    /// constant, so that it is equal to itself. A document deeper than ``ModelReader/maximumDepth``
    /// is refused before `encode` is called.
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
        self.init(name: name, kind: .custom(CustomFormat(decode: decode, encode: encode)))
    }
}

/// The two functions of a format that is not built in.
///
/// A class, because functions cannot be compared: the identity of the object is the equality that
/// ``ModelFormat`` needs. Both properties are constant and their functions are `@Sendable`.
@usableFromInline
final class CustomFormat: Hashable, Sendable {
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
    static func == (left: CustomFormat, right: CustomFormat) -> Bool {
        left === right
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
