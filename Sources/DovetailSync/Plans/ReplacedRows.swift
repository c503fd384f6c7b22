import DovetailContext
import DovetailStore
import Synchronization

/// The rows that a plan has replaced and deleted, kept when it is written. It is no part of what makes two plans
/// equal.
final class ReplacedRows: Hashable, Sendable {
    private enum Content {
        case nothing
        case rows([RowKey: [QueryValue]])
        case objects(GraphImages)
        /// Nothing is known of the plan alone.
        case besideOthers
    }

    private let content = Mutex(Content.nothing)

    /// The rows by their keys; nil before the plan was written, and of one of objects.
    var all: [RowKey: [QueryValue]]? {
        content.withLock { if case .rows(let rows) = $0 { rows } else { nil } }
    }

    /// Of a plan of objects, the rows before and after it; nil before it was written.
    var images: GraphImages? {
        content.withLock { if case .objects(let images) = $0 { images } else { nil } }
    }

    /// Whether other changes waited with the plan.
    var isBesideOthers: Bool {
        content.withLock { if case .besideOthers = $0 { true } else { false } }
    }

    /// Keeps what is about to be replaced.
    func keep(_ replaced: [RowKey: [QueryValue]]) { content.withLock { $0 = .rows(replaced) } }

    /// Keeps the rows of objects, which are stored; nil where other changes waited with them.
    func keep(_ images: GraphImages?) {
        content.withLock { $0 = images.map { .objects($0) } ?? .besideOthers }
    }

    static func == (left: ReplacedRows, right: ReplacedRows) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
