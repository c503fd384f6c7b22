package import Dovetail
import Synchronization

/// Keeps what a trace reports.
package final class StatementLog: Sendable {
    private let kept = Mutex<[StoreTrace.Statement]>([])

    package init() {}

    package func trace(showsValues: Bool = false) -> StoreTrace {
        StoreTrace(showsValues: showsValues) { statement in
            self.kept.withLock { $0.append(statement) }
        }
    }

    /// What was reported since the last call.
    package func take() -> [StoreTrace.Statement] {
        kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
    }

    /// The same, of statements that read only.
    package func takeReads() -> [StoreTrace.Statement] {
        take().filter { $0.sql.hasPrefix("SELECT") }
    }
}
