public import Foundation

extension Model {
    /// Writes a document as programs that know no newer version than `version` read it, by way of
    /// ``demote(_:to:)``, one step at a time.
    ///
    /// ```swift
    /// let data = try engine.encoded(as: .json, version: 1)    // {"title":"V8","power":"90"}
    /// ```
    ///
    /// It changes the version of this model only: models inside of it are written in their own
    /// versions, unless `demote(_:to:)` calls ``demoteMember(_:to:)`` for them.
    ///
    /// - Complexity: linear in the size of the document, and the model's own steps.
    /// - Throws: ``ModelEncodingError``, with the kind `noOlderVersion` when there is no way down
    ///   or no such version, and what `demote(_:to:)` throws.
    public func encoded(as format: ModelFormat, version: Int) throws -> Data {
        var document = try ModelWriter.tree(for: format) { try encode(to: &$0) }
        try Self.demoteMember(&document, to: version)
        return try document.encoded(as: format)
    }

    /// Brings a document of this model, such as a member of one that is demoted, from its version
    /// down to an older one, and sets its `$version`.
    ///
    /// ```swift
    /// static func demote(_ document: inout ModelDocument, to version: Int) throws {
    ///     document.rename("domains", to: "groups")
    ///     if var owner = document["owner"] {
    ///         try Person.demoteMember(&owner, to: 1)
    ///         document["owner"] = owner
    ///     }
    /// }
    /// ```
    ///
    /// - Complexity: linear in the number of members, and the model's own steps.
    /// - Throws: ``ModelEncodingError`` with the kind `noOlderVersion` when there is no such
    ///   version or no way down, and what `demote(_:to:)` throws.
    public static func demoteMember(_ document: inout ModelDocument, to version: Int) throws {
        let field = VersionField.name.description
        let found = document[key: field].map { $0.intValue ?? 0 } ?? 1
        guard 1...max(found, 1) ~= version, found >= 1 else {
            throw ModelEncodingError(
                kind: .noOlderVersion,
                explanation: "\(Self.self) is at version \(found), so there is no version "
                    + "\(version) to write"
            )
        }
        for step in (version..<found).reversed() { try demote(&document, to: step) }
        guard found > 1 else { return }
        if version > 1 {
            document[key: field] = .integer(version)
        } else {
            document[key: field] = nil
        }
    }
}
