import Dovetail

/// Rows and a question about them.
struct RandomCase<Question: RandomQuestion> {
    var rows: [WideRow]
    var question: Question

    /// The case as Swift that can be pasted into a test.
    var source: String {
        let rows = rows.map { "    \($0.source)," }.joined(separator: "\n")
        return "let rows: [WideRow] = [\n\(rows)\n]\n\(question.source)"
    }

    /// The smallest case that is found from this one and still fails.
    ///
    /// Rows are left out, first many and then one by one; the question is replaced by simpler ones, and
    /// the values of rows by simpler values, until nothing of this fails any more.
    ///
    /// - Complexity: at most `most` calls of `fails`.
    func shrunk(most: Int = 4000, while fails: (RandomCase) -> Bool) -> RandomCase {
        var best = self
        var left = most
        func take(_ candidate: RandomCase) -> Bool {
            guard left > 0 else { return false }
            left -= 1
            guard fails(candidate) else { return false }
            best = candidate
            return true
        }
        var isSmaller = true
        while isSmaller, left > 0 {
            isSmaller = false
            var length = best.rows.count
            while length > 0 {
                var start = 0
                while start < best.rows.count {
                    var candidate = best
                    candidate.rows.removeSubrange(start..<min(start + length, best.rows.count))
                    if take(candidate) { isSmaller = true } else { start += length }
                }
                length /= 2
            }
            while let simpler = best.question.simpler().first(where: {
                take(RandomCase(rows: best.rows, question: $0))
            }) {
                best.question = simpler
                isSmaller = true
            }
            for index in best.rows.indices {
                for field in RandomField.all {
                    for row in field.simpler(best.rows[index]) {
                        var candidate = best
                        candidate.rows[index] = row
                        guard take(candidate) else { continue }
                        isSmaller = true
                        break
                    }
                }
            }
        }
        return best
    }
}
