package import Dovetail

/// Random questions to stores, compared with what the rules say, with Swift's own answer where it has
/// to be the same, and with each other.
///
/// Each table of rows is asked many questions. A case that fails is made as small as it can be and given
/// as Swift.
package final class StoreComparison {
    private let stores: [(name: String, context: ModelContext)]
    private var maker: TermMaker
    private let seed: UInt64
    private(set) var count = RandomCount()
    /// What was compared, as one line.
    package var summary: String { count.text }
    /// How many questions were asked.
    package var questions: Int { count.questions }

    /// Compares stores, each of which is empty and knows the model.
    init(_ stores: [(name: String, context: ModelContext)], _ random: SeededRandom) {
        self.stores = stores
        seed = random.seed
        maker = TermMaker(random)
    }

    /// Compares new stores.
    ///
    /// - Parameter stores: What they are called, and what opens them for some models.
    package convenience init(
        _ stores: [(name: String, open: ([any Model.Type]) throws -> ModelContainer)],
        _ random: SeededRandom
    ) throws {
        self.init(
            try stores.map { ($0.name, ModelContext(try $0.open([WideRow.self]))) },
            random
        )
    }

    /// Asks random questions, about new rows after every hundred.
    ///
    /// - Throws: ``Failure`` for the first one that is answered differently.
    package func compareQueries(_ number: Int) throws { try compare(number, RandomQuery.self) }

    /// The same for sums, groups and distinct values.
    package func compareSelections(_ number: Int) throws {
        try compare(number, RandomSelection.self)
    }

    private func compare<Question: RandomQuestion>(
        _ number: Int,
        _ type: Question.Type
    ) throws {
        var rows: [WideRow] = []
        for round in 0..<number {
            if round % 100 == 0 {
                rows = (0..<8 + maker.random.below(24)).map {
                    WideRow.random($0, using: &maker.random)
                }
                try fill(rows)
            }
            let question = Question(using: &maker)
            guard let mismatch = mismatch(question, rows, &count) else { continue }
            throw failure(RandomCase(rows: rows, question: question), mismatch)
        }
    }

    /// Puts rows into all stores, instead of those that they have.
    private func fill(_ rows: [WideRow]) throws {
        for (_, context) in stores {
            try context.delete(model: WideRow.self)
            context.insert(contentsOf: rows)
            try context.save()
        }
    }

    /// What differs in the answers to a question about the rows that the stores have.
    private func mismatch(
        _ question: some RandomQuestion,
        _ rows: [WideRow],
        _ count: inout RandomCount
    ) -> String? {
        count.questions += 1
        let expected: [RandomAnswer]?
        do {
            expected = try question.meaning(for: rows, &count)
        } catch {
            return "\(error)"
        }
        if expected == nil { count.undecided += 1 }
        let answers = stores.map { store in RandomAnswer { try question.ask(store.context) } }
        if case .error = answers[0] { count.errors += 1 }
        if expected == nil, question.mayDiffer { return nil }
        let allowed = expected ?? [answers[0]]
        if answers.allSatisfy({ answer in allowed.contains { $0.allows(answer) } }) { return nil }
        let given = zip(stores, answers).map { "\($0.name) gives \($1)" }
        return (given + (expected ?? []).map { "the rules \($0)" }).joined(separator: "\n")
    }

    private func failure<Question: RandomQuestion>(
        _ first: RandomCase<Question>,
        _ mismatch: String
    ) -> Failure {
        var found = mismatch
        let smallest = first.shrunk { candidate in
            var count = RandomCount()
            guard (try? fill(candidate.rows)) != nil,
                let mismatch = self.mismatch(candidate.question, candidate.rows, &count)
            else { return false }
            found = mismatch
            return true
        }
        return Failure(seed: seed, number: count.questions, found: found, source: smallest.source)
    }

    /// A question that is answered differently.
    package struct Failure: Error, CustomStringConvertible {
        package let seed: UInt64
        /// Which question it was, from 1 on.
        package let number: Int
        /// The answers to the smallest case.
        package let found: String
        /// The smallest case as Swift.
        package let source: String

        package var description: String {
            "question \(number), DOVETAIL_SEED=\(seed):\n\(found)\n\(source)"
        }
    }
}
