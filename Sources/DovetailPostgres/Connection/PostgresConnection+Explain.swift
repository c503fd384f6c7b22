import DovetailModel
import DovetailSQL
import DovetailStore

extension PostgresConnection {
    /// Asks PostgreSQL for its plan (https://www.postgresql.org/docs/current/using-explain.html), and says
    /// it in words.
    func explain(_ query: Query) throws -> QueryExplanation {
        try requireTransaction()
        let residue = SQLResidue(query, renderer.dialect)
        let asked = residue?.asked ?? query
        let sql = try renderer.select(asked)
        let fields = try PostgresFields.of(sql.bindings)
        let plan = try run("EXPLAIN (COSTS FALSE) " + sql.text, fields)
        var steps: [String] = []
        var scans = false
        for row in 0..<plan.rowCount {
            guard let line = plan.text(row, 0), let step = Self.words(line) else { continue }
            if step.goesOverAll { scans = true }
            steps.append(step.text)
        }
        if residue?.filter != nil {
            steps.append("asks the rest of the condition of each of these rows, in this process")
        }
        if residue?.isOrdered == true { steps.append("sorts the rows in this process") }
        let advice = [scans ? query.indexAdvice : nil, query.orderAdvice, query.shardAdvice]
            .compactMap { $0 }
        return QueryExplanation(
            statement: sql.text,
            values: sql.bindings.compactMap { binding in
                if case .value(let value) = binding { value } else { nil }
            },
            steps: steps,
            advice: advice.isEmpty ? nil : advice.joined(separator: "\n")
        )
    }

    /// A node of a plan in words; nil for a line that says more of the node before it. What is not known is
    /// said as PostgreSQL says it.
    private static func words(_ line: String) -> (text: String, goesOverAll: Bool)? {
        var line = line.drop { $0 == " " }
        if line.hasPrefix("->") { line = line.dropFirst(2).drop { $0 == " " } }
        if let rest = line.withoutPrefix("Seq Scan on ") {
            return ("goes over all rows of \(rest.first)", true)
        }
        for kind in ["Index Only Scan", "Index Scan"] {
            guard let rest = line.withoutPrefix(kind + " "), let table = rest.name(after: "on "),
                let index = rest.name(after: "using ")
            else { continue }
            let isBackward = rest.hasPrefix("Backward")
            return (
                "looks up rows of \(table) by index \(index)\(isBackward ? ", backward" : "")",
                false
            )
        }
        if let rest = line.withoutPrefix("Bitmap Heap Scan on ") {
            return ("looks up rows of \(rest.first)", false)
        }
        if let rest = line.withoutPrefix("Bitmap Index Scan on ") {
            return ("finds them by index \(rest.first)", false)
        }
        // Lines with a colon are properties of a node.
        if line.contains(":") || line.isEmpty { return nil }
        if line == "Sort" || line.hasPrefix("Incremental Sort") {
            return ("sorts the rows for order by", false)
        }
        return (String(line), false)
    }
}

extension Substring {
    fileprivate func withoutPrefix(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }

    /// The name at the beginning, without the quotation marks that it needs.
    fileprivate var first: String {
        if hasPrefix("\"") { return String(dropFirst().prefix { $0 != "\"" }) }
        return String(prefix { $0 != " " })
    }

    fileprivate func name(after word: String) -> String? {
        ranges(of: word).first.map { self[$0.upperBound...].first }
    }
}
