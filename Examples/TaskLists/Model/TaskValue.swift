public import Dovetail

/// The twin of ``TaskItem``: the same task as a value, with the same document.
@Model public struct TaskValue: Identifiable, Hashable, Sendable {
    public private(set) var id: Int
    /// What is to be done.
    public var title = ""
    /// The number behind ``status``; the module copies it, also one that it does not know.
    @Attribute(name: "status") private(set) var rawStatus: Int = TaskStatus.open.rawValue
    /// The name of the list that the task is in.
    public var list: String?
}

extension TaskValue: TaskType {
    /// Makes an open task.
    public init(id: Int, title: String = "", list: String? = nil) {
        self.init(id: id, title: title, rawStatus: TaskStatus.open.rawValue, list: list)
    }

    /// Where the task stands; always one of the cases, whatever was read.
    public var status: TaskStatus {
        get { TaskStatus(stored: rawStatus) }
        set { rawStatus = newValue.stored(inPlaceOf: rawStatus) }
    }
}
