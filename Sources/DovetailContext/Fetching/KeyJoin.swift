public import DovetailModel
public import DovetailStore

/// Brings the rows of a fetch together with those whose keys they hold.
@usableFromInline
final class KeyJoin {
    private let entity: EntityBinding
    private let column: Int
    private let target: EntityBinding
    /// What each row refers to, in the order of the rows.
    private var references: [QueryValue] = []
    /// Where the row with a key stands among those of ``query``.
    private var places: [QueryValue: Int] = [:]

    /// - Throws: ``QueryError`` when the attribute cannot hold the key of `other`, and ``StoreError``
    ///   when the container was made without one of the models.
    @usableFromInline
    init(
        _ keyPath: AnyKeyPath,
        _ model: any Model.Type,
        _ other: any Model.Type,
        in context: ModelContext
    ) throws {
        entity = try context.entity(of: model)
        target = try context.entity(of: other)
        guard let column = entity.column(of: keyPath) else {
            throw QueryError(
                expression: "\(keyPath)",
                explanation: "is not a stored attribute of \(entity.table)"
            )
        }
        self.column = column
        let attribute = entity.attributes[column]
        let keys = target.keyColumns.map { target.attributes[$0] }
        let refusal: String? =
            if keys.count != 1 {
                "the key of \(other) is not one attribute"
            } else if let reference = attribute.reference, reference.target != other {
                "refers to \(reference.target) and not to \(other)"
            } else if keys[0].columnType != attribute.columnType {
                "is \(attribute.columnType), and the key of \(other) is \(keys[0].columnType)"
            } else if !keys[0].isStored(like: attribute) {
                "has another transform than the key of \(other)"
            } else {
                nil
            }
        if let refusal { throw QueryError(expression: "\(keyPath)", explanation: refusal) }
    }

    /// Moves to the next row and takes what it refers to; false after the last one.
    @usableFromInline
    func nextReference(in rows: any RowCursor) throws -> Bool {
        guard try rows.next() else { return false }
        references.append(try QueryValue(rows, column, entity.attributes[column]))
        return true
    }

    /// The query of the rows that are referred to.
    @usableFromInline var query: Query {
        let keys = Set(references).subtracting([.null])
        let key = QueryExpression.attribute(target.keyColumns[0], isOptional: false)
        return Query(target, filter: .isIn(key, QueryList(Array(keys))))
    }

    /// Moves to the next row of ``query`` and takes its key; false after the last one.
    @usableFromInline
    func nextKey(in rows: any RowCursor) throws -> Bool {
        guard try rows.next() else { return false }
        let key = target.keyColumns[0]
        places[try QueryValue(rows, key, target.attributes[key])] = places.count
        return true
    }

    /// Where among the rows of ``query`` the one stands that a row refers to; nil where it is not there.
    @usableFromInline
    func place(ofReferenceIn row: Int) -> Int? {
        places[references[row]]
    }
}
