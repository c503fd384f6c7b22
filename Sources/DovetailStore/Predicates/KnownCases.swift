import DovetailModel
import Synchronization

/// What is stored for the cases of an enum with `@Fallback`. A fetch reads everything else as the fallback, and so
/// does a query.
struct KnownCases: Sendable {
    /// What is stored for the fallback.
    let fallback: QueryValue
    /// What is stored for the other cases.
    let others: [QueryValue]

    private static let known = Mutex<[ObjectIdentifier: KnownCases?]>([:])

    /// The cases of the enum that a value is, or an optional one; nil for every other type.
    ///
    /// - Complexity: O(1), but for the first time for a type.
    static func of(_ type: Any.Type) -> KnownCases? {
        let identifier = ObjectIdentifier(type)
        if let cases = known.withLock({ $0[identifier] }) { return cases }
        // Outside of the lock: code of the model runs.
        let wrapped = (type as? any OptionalValue.Type)?.wrapped ?? type
        let cases = ((wrapped as? any RawModel.Type)?._fallback).flatMap { try? KnownCases($0) }
        known.withLock { $0[identifier] = .some(cases) }
        return cases
    }

    private init(_ cases: FallbackCase) throws {
        fallback = try QueryValue(cases.value)
        others = try cases.others.map { try QueryValue($0) }
    }
}

extension QueryExpression {
    /// The value of a type that is stored as this one: what no case of an enum has is its case with `@Fallback`.
    func read(as type: Any.Type) -> QueryExpression {
        KnownCases.of(type).map { known(as: $0) } ?? self
    }

    /// The same where the cases are known.
    func known(as cases: KnownCases) -> QueryExpression {
        let own = cases.others + [cases.fallback] + (isOptional ? [.null] : [])
        return .conditional(.isIn(self, QueryList(own)), self, .value(cases.fallback))
    }

    /// What compares a value that may be a fallback with cases, as ``read(as:)`` makes it, with what is stored: an
    /// index serves the question for any other case, and the fallback is what none of them is.
    ///
    /// - Complexity: O(1), but linear in a list.
    var withoutFallback: QueryExpression {
        let (wanted, value): ([QueryValue], QueryExpression)
        switch self {
        case .equal(let operand, .value(let one)), .equal(.value(let one), let operand):
            (wanted, value) = ([one], operand)
        case .isIn(let operand, let list): (wanted, value) = (list.values, operand)
        default: return self
        }
        guard
            case .conditional(.isIn(let stored, let own), let first, .value(let fallback)) = value,
            first == stored
        else { return self }
        if wanted.contains(fallback) {
            return .not(.isIn(stored, QueryList(own.filter { !wanted.contains($0) })))
        }
        let asked = wanted.filter(own.contains)
        return asked.count == 1 ? .equal(stored, .value(asked[0])) : .isIn(stored, QueryList(asked))
    }
}
