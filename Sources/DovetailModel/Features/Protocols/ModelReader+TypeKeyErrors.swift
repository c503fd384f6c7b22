// What is wrong with an object of `any P`, in words. Where a function says "under the cursor", its
// caller has gone back to the start of the object.

extension ModelReader {
    /// The error that the object under the cursor has no type key.
    mutating func missingType(of name: String, _ tagging: ConformerTagging) -> ModelDecodingError {
        let key = ([tagging.typeKey] + tagging.path).map(\.description).joined(separator: ".")
        return error(
            .unknownType,
            expected: "a conformer of \(name)",
            found: "object without \"\(key)\"",
            at: cursor
        )
    }

    /// The error that an object with external tagging has no field.
    mutating func emptyObject(of name: String) -> ModelDecodingError {
        error(
            .unknownType,
            expected: "a conformer of \(name)",
            found: "an empty object",
            at: cursor
        )
    }

    /// The error that an object with external tagging has two fields named like conformers.
    mutating func repeatedType(of name: String) -> ModelDecodingError {
        error(
            .repeatedField,
            expected: "one conformer of \(name)",
            found: "another one beside it",
            at: cursor
        )
    }

    /// The error that no conformer has a name. It lists at most twelve of those that there are, or
    /// says why none could be found.
    mutating func unknownType(
        _ type: String,
        of name: String,
        known: [String]
    ) -> ModelDecodingError {
        let none = ModelRegistry.failure?.description ?? "there is none"
        let list = known.isEmpty ? none : known.prefix(12).joined(separator: ", ")
        return error(
            .unknownType,
            expected: "a conformer of \(name) (\(list))",
            found: "type \"\(type.prefix(DocumentExcerpt.limit))\"",
            at: cursor
        )
    }

    /// The error that several conformers claim a name.
    mutating func ambiguousType(
        _ type: String,
        of name: String,
        claimedBy rivals: [String]
    )
        -> ModelDecodingError
    {
        error(
            .ambiguousType,
            expected: "one conformer of \(name) named \"\(type)\"",
            found: rivals.joined(separator: " and "),
            at: cursor
        )
    }
}
