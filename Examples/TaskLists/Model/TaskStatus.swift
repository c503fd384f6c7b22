/// What is to be done about a task. There is one for every number that is stored.
public enum TaskStatus: Int, CaseIterable, Sendable {
    case open
    case closed
    case invalidated
    /// What a newer program has stored. It cannot be set.
    case unknown = -1

    /// The status that a stored number stands for.
    init(stored: Int) {
        self = TaskStatus(rawValue: stored) ?? .unknown
    }

    /// What is stored for a status that is set in place of a number: `.unknown` says nothing better.
    func stored(inPlaceOf number: Int) -> Int {
        self == .unknown ? number : rawValue
    }
}

/// A task, whether it is an object of a context or a value.
public protocol TaskType {
    /// The number of the task.
    var id: Int { get }
    /// What is to be done.
    var title: String { get set }
    /// Where it stands. Setting `.unknown` changes nothing.
    var status: TaskStatus { get set }
}

extension TaskType {
    /// The task is done.
    public mutating func close() {
        if status == .open { status = .closed }
    }

    /// The task is to be done again.
    public mutating func reopen() {
        if status == .closed { status = .open }
    }
}
