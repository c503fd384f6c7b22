public import DovetailModel
import DovetailStore
public import Foundation

/// A part of a value: what changes of it, and nothing about the rest. A member that is absent is no change,
/// null clears, and `[]` empties. Of a `T??`, for which null is a value, it cannot say that there is none any more.
///
/// ```swift
/// let patch = try Patch<User>(decoding: Data(#"{"name":"Ann","phone":null}"#.utf8), as: .json)
/// try context.apply(patch, to: 7)
/// try context.save()                  // UPDATE "User" SET "name" = ?2, "phone" = ?3 WHERE "id" = ?1
///
/// let sent = try Patch(from: old, to: new).encoded(as: .json)     // the body of a PATCH request
/// ```
///
/// Members have the names that the model's documents have. One of an embedded value or a list is its whole
/// new value, and null for an object with attributes of paths such as `"address.city"` clears all of these. A
/// patch is of the model's present version.
public struct Patch<Value: Model>: Hashable, Sendable {
    /// The members that change, as an object.
    public let document: ModelDocument

    /// Takes the members of an object. Whether they are those of the model shows when it is applied.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no object, for a member of it that is there twice, and for
    ///   one of another version.
    public init(_ document: ModelDocument) throws {
        guard let members = document.members else {
            throw ModelDecodingError(
                kind: .typeMismatch,
                path: "",
                expected: "an object with what changes of \(Value.self)",
                found: "\(document.kind)"
            )
        }
        if let version = document[key: "$version"] {
            let number = version.intValue
            guard number == Value.modelVersion else {
                throw ModelDecodingError(
                    kind: number.map { $0 > Value.modelVersion } == true
                        ? .futureVersion : .rejected,
                    path: "$version",
                    expected: "a patch of version \(Value.modelVersion)",
                    found: number.map { "version \($0)" } ?? "\(version.kind)"
                )
            }
        }
        var seen: Set<String> = []
        if let repeated = members.first(where: { !seen.insert($0.key).inserted }) {
            throw ModelDecodingError(
                kind: .repeatedField,
                path: DocumentPath.component(of: repeated.key),
                expected: "each member once",
                found: "it again"
            )
        }
        self.document = document
    }

    /// Reads a partial document. Whether its members are those of the model shows when it is applied.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: ``ModelDecodingError`` for what is no document of the format, and as ``init(_:)``.
    public init(decoding data: Data, as format: ModelFormat) throws {
        try self.init(ModelDocument(decoding: data, as: format))
    }

    /// What has changed of a value: the attributes whose columns differ.
    ///
    /// - Complexity: linear in the size of both values.
    /// - Throws: ``ModelEncodingError`` for a value that has no form in a column or a document, and for two
    ///   values with different keys.
    public init(from old: Value, to new: Value) throws {
        let entity = EntityBinding(Value.self)
        let before = try RowImage(of: old, attributes: entity.attributes)
        let after = try RowImage(of: new, attributes: entity.attributes)
        let changed = after.columns(
            of: ColumnSet(entity.attributes.indices),
            differingFrom: before
        )
        for column in entity.keyColumns where changed.contains(column) {
            throw ModelEncodingError(
                kind: .rejected,
                explanation: "a patch changes no key, and these values have different ones",
                path: entity.attributes[column].path
            )
        }
        // Of columns that are one value each that holds something is said.
        let said = entity.withChoices(changed).filter { changed.contains($0) || !after.isNull($0) }
        document = try ModelDocument(
            ColumnSet(said),
            before: before,
            after: after,
            whole: ModelDocument(new),
            entity.attributes
        )
    }

    /// Whether it changes nothing.
    public var isEmpty: Bool { document.count == 0 }

    /// The partial document: what changes, and nothing else.
    ///
    /// - Complexity: linear in its size.
    /// - Throws: ``ModelEncodingError`` for what the format has no form for, such as null in property lists.
    public func encoded(as format: ModelFormat) throws -> Data {
        try document.encoded(as: format)
    }

    /// A value with the changes.
    ///
    /// - Parameter value: A value of which the patch says a part.
    /// - Complexity: linear in the size of the value.
    /// - Throws: ``ModelDecodingError`` for a member that is not what the model says, such as null where
    ///   there has to be a value, with its path.
    public func applied(to value: Value) throws -> Value {
        if isEmpty { return value }
        return try merged(into: value, EntityBinding(Value.self).attributes).value
    }

    /// A value with the changes, and the paths of the attributes of which the patch says something.
    ///
    /// - Throws: ``ModelDecodingError``.
    func merged(
        into value: Value,
        _ attributes: [ModelAttribute]
    ) throws -> (value: Value, said: Set<String>) {
        let merge = try PatchMerge(document, into: ModelDocument(value), attributes)
        do {
            return (try Value(merge.whole), merge.said)
        } catch let error as ModelDecodingError where error.kind == .repeatedField {
            // The document of a value has each field once.
            throw ModelDecodingError(
                kind: .rejected,
                path: error.path,
                expected: "the present name of the field",
                found: "an older one"
            )
        }
    }
}

extension ModelDocument {
    /// The attributes in which two rows differ, as an object.
    ///
    /// - Parameters:
    ///   - changed: The columns that differ.
    ///   - whole: The document of the second one.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a document.
    init(
        _ changed: ColumnSet,
        before: RowImage,
        after: RowImage,
        whole: ModelDocument,
        _ attributes: [ModelAttribute]
    ) throws {
        var document: ModelDocument = .object([])
        for column in changed {
            let attribute = attributes[column]
            if attribute.name == "\(UnknownFields.columnName)" {
                // What is not declared lies beside the attributes.
                let fields = try [after, before].map { try ModelDocument($0, column, attribute) }
                PatchMerge.addDifference(
                    of: fields[0],
                    from: fields[1],
                    to: &document,
                    try PatchMerge.steps(to: attributes)
                )
                continue
            }
            // What is left out of documents because it is empty has to be said here.
            let value = try whole[attribute.path] ?? ModelDocument(after, column, attribute)
            try document.set(attribute.path, to: value)
        }
        self = document
    }

    /// What a column holds, for an attribute that the document of its value leaves out.
    fileprivate init(_ row: RowImage, _ column: Int, _ attribute: ModelAttribute) throws {
        switch try QueryValue(row, column, attribute) {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .decimal(let value): self = .decimal(value)
        case .text(let value): self = .string(value)
        case .date(let value): self = .date(value)
        case .data(let value): self = .data(value)
        case .document(let text): self = try ModelDocument(decoding: Data(text.utf8), as: .json)
        }
    }
}
