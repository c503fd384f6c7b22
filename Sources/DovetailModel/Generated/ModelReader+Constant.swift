// Properties with `@Attribute(.constant)`: a document may leave them out but not contradict them.

extension ModelReader {
    /// Checks what a document holds in place of a constant. Called by generated code.
    ///
    /// - Parameters:
    ///   - path: the path from `object`, as errors print it.
    ///   - names: what the fields are named there, in a model that can be flattened.
    /// - Throws: ``ModelDecodingError`` with the kind `rejected` for another value.
    @inlinable
    public mutating func expectConstant<Value: Equatable>(
        _ constant: Value,
        _ found: Value?,
        path: StaticString,
        names: FlattenedNames? = nil,
        in object: ObjectScope
    ) throws {
        guard let found, found != constant else { return }
        throw wrongConstant("\(constant)", "\(found)", path: path, names: names, in: object)
    }

    /// The error of another value, at the place that the error of an absent field would have.
    @usableFromInline
    @inline(never)
    mutating func wrongConstant(
        _ expected: String,
        _ found: String,
        path: StaticString,
        names: FlattenedNames?,
        in object: ObjectScope
    ) -> ModelDecodingError {
        let place = missingField(path: path, names: names ?? .own, in: object)
        let limit = DocumentExcerpt.limit
        return ModelDecodingError(
            kind: .rejected,
            path: "",
            expected: "the constant \(expected.prefix(limit))",
            // Errors about stores print no stored data.
            found: object.isRow ? "another value" : "\(found.prefix(limit))"
        )
        .moved(to: place, path: place.path)
    }
}
