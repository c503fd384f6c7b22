import DovetailContext
import DovetailStore
import Synchronization

/// The rows that a plan has replaced and deleted, kept when it is written. It is no part of what makes two plans
/// equal.
final class ReplacedRows: Hashable, Sendable {
    private enum Content {
        case nothing
        case rows([RowKey: [QueryValue]])
        case objects(Result<GraphImages, GraphImages.Refusal>)
    }

    /// What was changed here of rows before the plan was applied, by table, with nil for rows that were not.
    typealias Bases = [String: [RowKey: BaseRow?]]

    private let content = Mutex(Content.nothing)
    private let known = Mutex<Bases>([:])

    /// The rows by their keys; nil before the plan was written, and of one of objects.
    var all: [RowKey: [QueryValue]]? {
        content.withLock { if case .rows(let rows) = $0 { rows } else { nil } }
    }

    /// Of a plan of objects, the rows before and after it, or why they are not known; nil before it was written.
    var images: Result<GraphImages, GraphImages.Refusal>? {
        content.withLock { if case .objects(let images) = $0 { images } else { nil } }
    }

    /// Keeps what is about to be replaced.
    func keep(_ replaced: [RowKey: [QueryValue]]) { content.withLock { $0 = .rows(replaced) } }

    /// Keeps the rows of objects, which are stored, or why they are not known.
    func keep(_ images: Result<GraphImages, GraphImages.Refusal>) {
        content.withLock { $0 = .objects(images) }
    }

    /// What was changed here of the rows of a document's tables when the plan was applied.
    var bases: Bases {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }

    static func == (left: ReplacedRows, right: ReplacedRows) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
