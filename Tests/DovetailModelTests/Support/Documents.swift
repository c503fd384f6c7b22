import Dovetail
import Testing

/// A field of one kind.
@Model
struct Box<Value: ModelValue & Equatable>: Equatable {
    var value: Value
}

extension ModelValue {
    /// Reads a document that is written in the source.
    init(json: String) throws {
        try self.init(decoding: Data(json.utf8), as: .json)
    }

    /// The document as text.
    func json() throws -> String {
        String(decoding: try encoded(as: .json), as: UTF8.self)
    }
}

/// Writes `value` as a field, as an element and at the root, and expects it back each time.
func expectRoundTrip<Value: ModelValue & Equatable>(
    _ value: Value,
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let box = try Box(value: value).json()
    let isField = try Box<Value>(json: box).value == value
    #expect(isField, "\(box) \(comment ?? "")", sourceLocation: sourceLocation)
    let list = try [value, value].json()
    let isElement = try [Value](json: list) == [value, value]
    #expect(isElement, "\(list) \(comment ?? "")", sourceLocation: sourceLocation)
    let root = try value.json()
    let isRoot = try Value(json: root) == value
    #expect(isRoot, "\(root) \(comment ?? "")", sourceLocation: sourceLocation)
}

/// The error that reading a document ends in.
func decodingError<Value: ModelValue>(
    of type: Value.Type,
    _ json: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> ModelDecodingError {
    try decodingError(of: type, Data(json.utf8), sourceLocation: sourceLocation)
}

/// The error that reading a document ends in.
func decodingError<Value: ModelValue>(
    of type: Value.Type,
    _ document: Data,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> ModelDecodingError {
    try #require(
        throws: ModelDecodingError.self,
        "\(String(decoding: document.prefix(200), as: UTF8.self))",
        sourceLocation: sourceLocation
    ) { try Value(decoding: document, as: .json) }
}
