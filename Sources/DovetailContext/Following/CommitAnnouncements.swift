import Synchronization

/// What contexts are about to commit. Where several commit at the same time, who looks at the rows of one commit reads
/// them as others have left them: it has to read all rows of those, or it sees a half of what was stored.
final class CommitAnnouncements: Sendable {
    /// What was announced while somebody looks.
    final class Look: Sendable {
        private let rows: Mutex<TouchedRows>

        fileprivate init(_ rows: TouchedRows) { self.rows = Mutex(rows) }

        fileprivate func add(_ other: TouchedRows) { rows.withLock { $0.add(other) } }

        /// What was announced since the last call.
        func take() -> TouchedRows {
            rows.withLock { rows in
                defer { rows = TouchedRows() }
                return rows
            }
        }
    }

    private struct State {
        /// By the context that commits.
        var announced: [ObjectIdentifier: TouchedRows] = [:]
        var looks: [ObjectIdentifier: Look] = [:]
    }

    private let state = Mutex(State())

    /// Notes what a context commits next.
    func announce(_ rows: TouchedRows, by context: ModelContext) {
        state.withLock { state in
            state.announced[ObjectIdentifier(context)] = rows
            for look in state.looks.values { look.add(rows) }
        }
    }

    /// Forgets what a context has announced: it was told, or not committed.
    func withdraw(by context: ModelContext) {
        state.withLock { $0.announced[ObjectIdentifier(context)] = nil }
    }

    /// Runs `body`, which looks at rows, with what is announced until it ends.
    func withLook(_ body: (Look) -> Void) {
        let look = state.withLock { state in
            let look = Look(state.announced.values.reduce(into: TouchedRows()) { $0.add($1) })
            state.looks[ObjectIdentifier(look)] = look
            return look
        }
        defer { state.withLock { $0.looks[ObjectIdentifier(look)] = nil } }
        body(look)
    }
}
