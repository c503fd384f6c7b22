package import DovetailModel

/// The rows of another table that an expression is about, and what is asked of them.
public struct QueryRelation: Hashable, Sendable {
    /// What is asked.
    public enum Question: Int, Hashable, Sendable {
        /// The value of an expression for the one row that there may be.
        case value
        /// Whether a condition holds for any row.
        case any
        /// Whether it holds for every one.
        case all
        /// How many rows there are, of which a condition holds; it is NULL where all count.
        case count
    }

    /// The entity of the rows.
    public let entity: EntityBinding
    /// The column in which they hold the value that is looked for.
    public let column: Int
    /// What is asked.
    public let question: Question

    /// Names the rows that hold a value in a column.
    public init(_ entity: EntityBinding, column: Int, _ question: Question) {
        self.entity = entity
        self.column = column
        self.question = question
    }

    /// Whether both ask the same of the same rows. A table belongs to one type.
    public static func == (left: QueryRelation, right: QueryRelation) -> Bool {
        left.entity.type == right.entity.type && left.column == right.column
            && left.question == right.question
    }

    /// Feeds the table and the question to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(entity.type))
        hasher.combine(column)
        hasher.combine(question)
    }
}

/// A row from which relations lead to the one that an expression is about.
public struct OuterRow: Hashable, Sendable {
    /// The entity of the row.
    public let entity: EntityBinding
    /// How many relations lead from it to this one: the number of ``QueryExpression/related(_:_:_:)`` between both.
    public let distance: Int

    /// Names the row from which a number of relations, at least one, lead here.
    public init(_ entity: EntityBinding, distance: Int) {
        self.entity = entity
        self.distance = distance
    }

    /// Whether both are the same, seen from one row. A table belongs to one type.
    public static func == (left: OuterRow, right: OuterRow) -> Bool {
        left.entity.type == right.entity.type && left.distance == right.distance
    }

    /// Feeds the table and the distance to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(entity.type))
        hasher.combine(distance)
    }
}

/// Finds rows of other tables, for ``QueryExpression/related(_:_:_:)``.
package protocol RelatedRows {
    /// The rows that hold a value in a column, in the order of their keys.
    ///
    /// - Throws: ``StoreError`` for a table that there is not, and ``ModelDecodingError``.
    func rows(
        of entity: EntityBinding,
        _ column: Int,
        _ value: QueryValue
    ) throws -> [any RowSource]
}
