import Dovetail
import Stores
import TaskModels

/// Keeps tasks in lists, in a SQLite file, on a server (`postgresql://…`) or, without an argument, in memory.
@main
struct TaskListsProgram {
    static func main() {
        do {
            // The line that says where the tasks are.
            let configuration = chosenStore()
            try run(ModelContainer(for: taskModels, configuration: configuration))
        } catch {
            print("The program stopped: \(error)")
            exit(1)
        }
    }

    private static func run(_ container: ModelContainer) throws {
        let screen = ModelContext(container)
        let house = try TaskList.named("house", in: screen)
        try house.add(1, "paint the door", in: screen)
        try house.add(2, "clean the windows", in: screen)
        try screen.save()
        show("two tasks", house)

        // Another context closes one, and a backend sends values, one with a status that it has invented.
        let work = ModelContext(container)
        if var task = try TaskItem.object(id: 1, in: work) { task.close() }
        let sent = """
            [{"id":2,"title":"clean all windows","status":0,"list":"house"},
             {"id":3,"title":"feed the cat","status":7,"list":"house"}]
            """
        for value in try [TaskValue](decoding: Data(sent.utf8), as: .json) {
            try TaskItem.update(with: value, in: work)
        }
        try work.save()

        screen.processPendingChanges()
        show("what the screen has", house)
        let open = try TaskItem.open(in: screen).map(\.title)
        print("open: \(open.joined(separator: ", "))")

        // The same code without a store.
        let draft = EntitiesInMemory()
        for task in house.tasks { try TaskItem.update(with: task.value, in: draft) }
        show("a draft of it", try TaskList.named("house", in: draft))
    }

    private static func show(_ title: String, _ list: TaskList) {
        print("\(title):")
        for task in list.tasks { print("  \(task.id) \(task.title): \(task.status)") }
    }
}
