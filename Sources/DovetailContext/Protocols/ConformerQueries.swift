import DovetailModel
import DovetailStore
import Foundation

/// What is asked of each conformer's table to answer a query over a model protocol.
struct ConformerQueries {
    /// What is asked of one conformer.
    struct Part {
        /// The position of the conformer in ``ConformerSet/entities``.
        let place: Int
        /// At most as many rows as the whole takes and leaves out.
        let query: Query
        /// The columns of the common criteria.
        let columns: [Int]
    }

    /// The conformers that may have rows.
    private(set) var parts: [Part] = []
    /// Those of which no row can fulfil the predicate: nobody asks the store for them.
    private(set) var leftOut: [EntityBinding] = []
    /// How many criteria are common to all parts. The keys come after them, and are compared inside
    /// of one table only.
    let criteria: Int
    let limit: Int?
    let offset: Int

    /// Translates a descriptor for each conformer.
    ///
    /// - Throws: ``QueryError`` for a part that no store understands, for a requirement that a
    ///   conformer has no column for, for an order by columns of different kinds, and for a negative
    ///   limit or offset.
    init<Value>(
        _ descriptor: FetchDescriptor<Value>,
        _ conformers: ConformerSet,
        in schema: Schema
    ) throws {
        try descriptor.requireCounts()
        criteria = descriptor.sortBy.count
        limit = descriptor.fetchLimit
        offset = descriptor.fetchOffset ?? 0
        let most = limit.flatMap { limit in
            let (rows, isHuge) = limit.addingReportingOverflow(offset)
            return isHuge ? nil : rows
        }
        for (place, entity) in conformers.entities.enumerated() {
            let translator = QueryTranslator(entity, in: schema, as: conformers.requirements)
            var query = Query(entity, descriptor.deletedValues, limit: most)
            switch try descriptor.predicate.map({ try translator.filter(ofConformer: $0) }) {
            case .none?:
                leftOut.append(entity)
                continue
            case .some(let filter)?:
                query = Query(entity, descriptor.deletedValues, filter: filter, limit: most)
            case .all?, nil: break
            }
            query.order = try descriptor.order(by: translator, of: entity)
            let part = Part(place: place, query: query, columns: try columns(of: query))
            if let first = parts.first { try requireOneOrder(first, part) }
            parts.append(part)
        }
    }

    /// The columns of the common criteria. A requirement is one, and a part of it has no key path that
    /// could be found in another model.
    private func columns(of query: Query) throws -> [Int] {
        try query.order.prefix(criteria).map { criterion in
            if let column = criterion.column { return column }
            throw QueryError(
                expression: "\(query.entity.type)",
                explanation:
                    "rows of several models are ordered by requirements, not by parts of them"
            )
        }
    }

    /// Checks that the columns by which two tables are ordered can be compared with each other.
    private func requireOneOrder(_ first: Part, _ other: Part) throws {
        for (left, right) in zip(first.columns, other.columns) {
            let mine = first.query.entity.attributes[left]
            let theirs = other.query.entity.attributes[right]
            if mine.isStored(like: theirs) { continue }
            throw QueryError(
                expression: "\(first.query.entity.type).\(mine.property)",
                explanation: "is stored in another form than \(other.query.entity.type)."
                    + "\(theirs.property), so their rows have no common order; store them alike, or "
                    + "sort what was fetched"
            )
        }
    }
}
