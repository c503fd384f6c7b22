public import Foundation

// Where writing a document of a format begins and ends.

extension ModelWriter {
    /// Runs `body` with a writer and gives the document it wrote.
    ///
    /// What `encoded(as:)` calls. `body` has to write exactly one value.
    ///
    /// ```swift
    /// let data = try ModelWriter.encode(as: .json) { try owner.encode(to: &$0) }
    /// ```
    ///
    /// `body` runs a second time when a model's hook refuses to be written into a format other than
    /// JSON: the path of the refused model is taken from a document of JSON.
    ///
    /// - Complexity: that of `body`, and what ``ModelFormat/json(pretty:sortedKeys:)`` adds.
    /// - Throws: what `body` throws, and ``ModelEncodingError`` for a document that cannot be laid
    ///   out as the format says.
    @inlinable
    public static func encode(
        as format: ModelFormat,
        _ body: (inout ModelWriter) throws -> Void
    ) throws -> Data {
        var writer = ModelWriter(format)
        do {
            try body(&writer)
        } catch let error as ModelEncodingError where error.isWithoutPath && !format.isJSON {
            // Objects of a binary property list get their places at the end, so its writer knows no
            // path. That of JSON does: it finds the same refusal again, and where it is.
            var again = ModelWriter(.json)
            do { try body(&again) } catch let placed as ModelEncodingError
                where placed.kind == error.kind
            { throw placed }
            throw error
        }
        return try writer.written(as: format)
    }
}
