import Foundation

extension ModelDocument {
    /// The document that a value is written as.
    ///
    /// Dates, data and decimals at the root keep their kind; inside of a model they become what
    /// JSON has for them.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelEncodingError`` for values that JSON has no form for.
    public init(_ value: some ModelValue) throws {
        switch value {
        case let document as ModelDocument: self = document
        case let double as Double: self = .double(double)
        case let decimal as Decimal: self = .decimal(decimal)
        case let date as Date: self = .date(date)
        case let data as Data: self = .data(data)
        default: self = try ModelWriter.tree { try value.encode(to: &$0) }
        }
    }
}

extension Model {
    /// Reads a model from a document.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelDecodingError`` with a path, but without line and column;
    ///   ``ModelEncodingError`` when the document itself cannot be written.
    public init(_ document: ModelDocument) throws {
        self = try document.decoded()
    }
}

extension Array where Element: Model {
    /// Reads the models of an array.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelDecodingError`` with a path, but without line and column;
    ///   ``ModelEncodingError`` when the document itself cannot be written.
    public init(_ document: ModelDocument) throws {
        self = try document.decoded()
    }
}

extension ModelDocument {
    fileprivate func decoded<Value: ModelValue>() throws -> Value {
        let data = try encoded(as: .json)
        do {
            return try Value(decoding: data, as: .json)
        } catch let error as ModelDecodingError {
            // Lines and columns would be those of a text that nobody has seen.
            throw ModelDecodingError(
                reason: error.reason,
                path: error.path,
                expected: error.expected,
                found: error.found
            )
        }
    }
}
