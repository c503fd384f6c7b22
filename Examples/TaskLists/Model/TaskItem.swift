public import Dovetail

/// A task in a list.
@Model public final class TaskItem {
    @Attribute(.unique) public private(set) var id: Int
    /// What is to be done.
    public var title = ""
    /// The number behind ``status``, which nobody else sees.
    @Attribute(name: "status") private var rawStatus = TaskStatus.open.rawValue
    /// The list that the task is in.
    public var list: TaskList?

    public init(id: Int) {
        self.id = id
    }
}

extension TaskItem: TaskType {
    /// Where the task stands; always one of the cases, whatever is stored.
    public var status: TaskStatus {
        get { TaskStatus(stored: rawStatus) }
        set { rawStatus = newValue.stored(inPlaceOf: rawStatus) }
    }
}

extension TaskItem: EntityWithID {
    /// The tasks that are still to be done, in the order of their numbers.
    public static func open(in context: some EntityContext) throws -> [TaskItem] {
        let open = TaskStatus.open.rawValue
        return try context.find(
            TaskItem.self,
            where: #Predicate { $0.rawStatus == open },
            limit: nil
        )
        .sorted { $0.id < $1.id }
    }
}

extension TaskItem {
    /// The task as a value, which may go to another task or screen.
    public var value: TaskValue {
        TaskValue(id: id, title: title, rawStatus: rawStatus, list: list?.name)
    }

    /// Takes over what a value says, in a context: its task and its list are found or created.
    @discardableResult
    public static func update(
        with value: TaskValue,
        in context: some EntityContext
    ) throws -> TaskItem {
        let task = try TaskItem.findOrCreate(id: value.id, in: context)
        task.title = value.title
        task.rawStatus = value.rawStatus
        task.list = try value.list.map { try TaskList.named($0, in: context) }
        return task
    }
}
