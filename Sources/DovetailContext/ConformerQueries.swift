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
    init<Value>(_ descriptor: FetchDescriptor<Value>, _ conformers: ConformerSet) throws {
        try descriptor.requireCounts()
        criteria = descriptor.sortBy.count
        limit = descriptor.fetchLimit
        offset = descriptor.fetchOffset ?? 0
        let most = limit.flatMap { limit in
            let (rows, isHuge) = limit.addingReportingOverflow(offset)
            return isHuge ? nil : rows
        }
        for (place, entity) in conformers.entities.enumerated() {
            let translator = QueryTranslator(entity, as: conformers.requirements)
            var query = Query(entity, limit: most)
            switch try descriptor.predicate.map({ try translator.filter(ofConformer: $0) }) {
            case .none?:
                leftOut.append(entity)
                continue
            case .some(let filter)?: query.filter = filter
            case .all?, nil: break
            }
            query.order = try descriptor.order(by: translator, of: entity)
            if let first = parts.first { try requireOneOrder(first.query, query) }
            parts.append(Part(place: place, query: query))
        }
    }

    /// Checks that the columns by which two tables are ordered can be compared with each other.
    private func requireOneOrder(_ first: Query, _ other: Query) throws {
        for (left, right) in zip(first.order, other.order).prefix(criteria) {
            let mine = first.entity.attributes[left.column]
            let theirs = other.entity.attributes[right.column]
            guard
                mine.columnType != theirs.columnType
                    || mine.transform?.identity != theirs.transform?.identity
            else { continue }
            throw QueryError(
                expression: "\(first.entity.type).\(mine.property)",
                explanation: "is stored in another form than \(other.entity.type)."
                    + "\(theirs.property), so their rows have no common order; store them alike, or "
                    + "sort what was fetched"
            )
        }
    }
}
