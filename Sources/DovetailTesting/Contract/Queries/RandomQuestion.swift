import Dovetail

/// Something that is asked of stores with random rows, and compared with what it means.
protocol RandomQuestion {
    /// A random one.
    init(using maker: inout TermMaker)
    /// Simpler ones, the simplest first.
    func simpler() -> [Self]
    /// The question as Swift, of a `context`. The lines may use `rows`.
    var source: String { get }
    /// What may be answered for rows in the order of their keys; nil where only stores can say.
    ///
    /// - Throws: ``RandomMismatch`` where Swift itself gives something that no rule explains.
    func meaning(for rows: [WideRow], _ count: inout RandomCount) throws -> [RandomAnswer]?
    /// Whether stores may differ where only they can say the answer: in the last digits, or in whether
    /// what they do not give is an error.
    var mayDiffer: Bool { get }
    /// What a store gives.
    func ask(_ context: ModelContext) throws -> RandomAnswer
}

extension RandomQuestion {
    var mayDiffer: Bool { false }
}

/// An answer, as text that can be compared.
enum RandomAnswer: CustomStringConvertible {
    /// The rows of a table, in this order. A number at the end of a row that is expected may be followed
    /// by how far another one may be away, as in `1.3±1e-15`.
    case rows([String])
    /// An error of this kind.
    case error(String)

    /// What happens where a store is asked.
    init(of ask: () throws -> RandomAnswer) {
        do {
            self = try ask()
        } catch let error as StoreError {
            self = .error("StoreError \(error.kind)")
        } catch {
            self = .error("\(type(of: error)): \(error)")
        }
    }

    /// Whether a store may give that where this is expected.
    func allows(_ given: RandomAnswer) -> Bool {
        switch (self, given) {
        case (.error(let expected), .error(let given)): expected == given
        case (.rows(let expected), .rows(let given)):
            expected.count == given.count && zip(expected, given).allSatisfy(Self.allows)
        default: false
        }
    }

    private static func allows(_ expected: String, _ given: String) -> Bool {
        guard let sign = expected.lastIndex(of: "±"),
            let bound = Double(expected[sign...].dropFirst())
        else { return expected == given }
        let start = { (row: Substring) in
            row.lastIndex(of: " ").map(row.index(after:)) ?? row.startIndex
        }
        let (expected, given) = (expected[..<sign], given[...])
        let (number, other) = (start(expected), start(given))
        guard expected[..<number] == given[..<other], let value = Double(expected[number...]),
            let found = Double(given[other...])
        else { return false }
        return abs(value - found) <= bound
    }

    var description: String {
        switch self {
        case .rows(let rows): "[\(rows.joined(separator: ", "))]"
        case .error(let error): error
        }
    }
}

/// What differs.
struct RandomMismatch: Error, Equatable {
    let description: String
}

/// What was compared.
struct RandomCount: Sendable {
    /// Questions.
    var questions = 0
    /// Rows that a predicate was evaluated for.
    var rows = 0
    /// Those of them for which Swift was asked, too.
    var inSwift = 0
    /// Questions to which only stores could say the answer.
    var undecided = 0
    /// Questions whose answer is an error.
    var errors = 0
    /// Rows for which Swift was not asked, by the rule.
    var rules: [TermRun.Rule: Int] = [:]

    /// One line for a log.
    var text: String {
        let rules = rules.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return "\(questions) questions, \(rows) rows, \(inSwift) in Swift too, "
            + "\(undecided) between stores only, \(errors) errors; rules: \(rules)"
    }

    static func += (left: inout RandomCount, right: RandomCount) {
        left.questions += right.questions
        left.rows += right.rows
        left.inSwift += right.inSwift
        left.undecided += right.undecided
        left.errors += right.errors
        left.rules.merge(right.rules, uniquingKeysWith: +)
    }
}

extension Term where Output == Bool {
    /// Whether each row is taken; nil for those of which only stores can say it.
    ///
    /// - Throws: ``RandomMismatch`` where `Predicate.evaluate` says something else and no rule explains
    ///   it.
    func holds(for rows: [WideRow], _ count: inout RandomCount) throws -> [Bool?] {
        let predicate = predicate
        return try rows.map { row in
            let run = TermRun(row)
            let value = meaning(run)
            count.rows += 1
            for rule in run.rules { count.rules[rule, default: 0] += 1 }
            guard run.rules.isEmpty else {
                return run.rules.contains(.width) ? nil : value == true
            }
            count.inSwift += 1
            let inSwift = Result { try predicate.evaluate(row) }
            guard case .success(let holds) = inSwift, holds == value else {
                throw RandomMismatch(
                    description: "row \(row.id): Predicate.evaluate gives \(inSwift), the rules "
                        + (value.map { "\($0)" } ?? "nothing")
                )
            }
            return holds
        }
    }
}
