import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore

extension SQLiteConnection {
    /// Asks SQLite for its plan (https://sqlite.org/eqp.html), and says it in words.
    func explain(_ query: Query) throws -> QueryExplanation {
        try requireTransaction()
        let sql = try renderer.select(query)
        let plan = try statement("EXPLAIN QUERY PLAN " + sql.text, query.entity.table)
        defer { plan.reset() }
        try plan.bind(sql.bindings)
        var steps: [String] = []
        var scans = false
        while try plan.step() {
            let detail = plan.text(3)
            let step = Self.words(detail)
            if step.goesOverAll { scans = true }
            steps.append(step.text)
        }
        let advice = [scans ? advice(for: query) : nil, query.orderAdvice].compactMap { $0 }
        return QueryExplanation(
            statement: sql.text,
            values: sql.bindings.compactMap { binding in
                if case .value(let value) = binding { value } else { nil }
            },
            steps: steps,
            advice: advice.isEmpty ? nil : advice.joined(separator: "\n")
        )
    }

    /// The advice for a query that goes over all rows. Nothing is added to tables of others, and what
    /// they hold in several forms is in the order of no index.
    private func advice(for query: Query) -> String? {
        guard let forms = renderer.found[query.entity], let column = query.indexableColumn else {
            return query.indexAdvice
        }
        let name = query.entity.attributes[column].name
        switch forms[column] {
        case nil: return "An index of \(name) would help; whose table it is can make one"
        case .collated?:
            return "No index of \(name) can serve this condition: it is in the order of the "
                + "column's collation, and text is compared by its bytes"
        case .date?, .decimal?, .single?, .uuid?:
            return "No index of \(name) can serve this condition: the table may hold one value in "
                + "several forms"
        }
    }

    /// A line of SQLite's plan in words. What is not known is said as SQLite says it.
    private static func words(_ detail: String) -> (text: String, goesOverAll: Bool) {
        let parts = detail.split(separator: " ", maxSplits: 2).map { String($0) }
        let rest = parts.count > 2 ? parts[2] : ""
        switch parts.first {
        case "SCAN" where parts.count > 1 && parts[1] == "dovetail_list":
            return ("reads the list", false)
        case "SCAN" where parts.count == 2: return ("goes over all rows of \(parts[1])", true)
        case "SCAN" where parts.count > 2:
            return ("goes over all rows of \(parts[1]) \(rest.inWords)", true)
        case "SEARCH" where parts.count > 2:
            return ("looks up rows of \(parts[1]) \(rest.inWords)", false)
        default: break
        }
        if detail.hasPrefix("USE TEMP B-TREE FOR") {
            return ("sorts the rows for" + detail.dropFirst(19).lowercased(), false)
        }
        if detail.contains("SUBQUERY") { return ("takes the list as a set", false) }
        return (detail, false)
    }
}

extension String {
    /// "USING INDEX names (name=?)" as "by index names (name=?)": names keep their case.
    fileprivate var inWords: String {
        replacing("USING ", with: "by ").replacing("COVERING INDEX", with: "covering index")
            .replacing("INTEGER PRIMARY KEY", with: "the key").replacing("INDEX", with: "index")
    }
}
