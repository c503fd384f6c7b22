public import Dovetail

/// A list of tasks, in the order in which they came.
@Model public final class TaskList {
    @Attribute(.primaryKey) public private(set) var name: String
    @Relationship(deleteRule: .cascade, inverse: \TaskItem.list) public var tasks: [TaskItem] = []

    init(name: String) {
        self.name = name
    }
}

extension TaskList: Entity {
    public static var entityName: String { "list" }

    /// The list of a name, which is created where it is missing.
    public static func named(_ name: String, in context: some EntityContext) throws -> TaskList {
        try findOrCreate(in: context, where: #Predicate { $0.name == name }) {
            TaskList(name: name)
        }
    }

    /// Adds a task, or takes the one that has the number into this list.
    @discardableResult
    public func add(
        _ id: Int,
        _ title: String,
        in context: some EntityContext
    ) throws -> TaskItem {
        let task = try TaskItem.findOrCreate(id: id, in: context)
        task.title = title
        task.list = self
        return task
    }
}

/// The classes of the example, for its containers.
public let taskModels: [any Model.Type] = [TaskList.self, TaskItem.self]
