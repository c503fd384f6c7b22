import Synchronization

/// What was found out of key paths that lead to something computed: nothing but a value of the model tells what that
/// is.
final class PathMemory<Answer: Sendable>: Sendable {
    private struct Place: Hashable {
        let model: ObjectIdentifier
        let path: AnyKeyPath
    }

    private struct Known: @unchecked Sendable {
        // Invariant: key paths never change.
        var answers: [Place: Answer] = [:]
    }

    /// Key paths that are made at run time are not kept without an end.
    private static var mostKnown: Int { 256 }
    private let known = Mutex(Known())

    /// The answer for a path from a model.
    ///
    /// - Complexity: O(1), but the first time that of `find`.
    func answer(for path: AnyKeyPath, of model: Any.Type, _ find: () -> Answer) -> Answer {
        let place = Place(model: ObjectIdentifier(model), path: path)
        if let answer = known.withLock({ $0.answers[place] }) { return answer }
        // Outside of the lock: code of the model runs.
        let answer = find()
        known.withLock {
            if $0.answers.count >= Self.mostKnown { $0.answers.removeAll() }
            $0.answers[place] = answer
        }
        return answer
    }
}
