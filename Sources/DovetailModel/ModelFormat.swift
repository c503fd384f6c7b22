/// A format that documents are read from and written in.
public struct ModelFormat: Hashable, Sendable {
    /// The name of the format as it appears in error messages.
    public let name: String

    /// JSON as RFC 8259 defines it, in UTF-8, read strictly.
    public static let json = ModelFormat(name: "JSON")
}
