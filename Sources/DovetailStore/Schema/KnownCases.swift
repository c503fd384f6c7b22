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
