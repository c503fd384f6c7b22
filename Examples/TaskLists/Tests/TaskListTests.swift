import Dovetail
import DovetailTesting
import TaskModels
import Testing

struct TaskListTests {
    /// What the app does with its tasks, wherever they are.
    private func work(in context: some EntityContext) throws {
        let house = try TaskList.named("house", in: context)
        for (id, title) in [(3, "paint"), (1, "clean"), (2, "feed")] {
            try house.add(id, title, in: context)
        }
        try context.save()
        #expect(try TaskList.named("house", in: context) === house)
        #expect(try TaskItem.open(in: context).map(\.id) == [1, 2, 3])

        var clean = try #require(try TaskItem.object(id: 1, in: context))
        clean.close()
        #expect(try TaskItem.open(in: context).map(\.id) == [2, 3])
        try context.save()
        let garden = try TaskList.named("garden", in: context)
        try garden.add(3, "paint the fence", in: context)
        try context.save()
        #expect(
            house.tasks.map(\.id) == [1, 2] && garden.tasks.map(\.title) == ["paint the fence"]
        )
        #expect(try TaskItem.object(id: 9, in: context) == nil)
        let named = try TaskItem.object(in: context, where: #Predicate { $0.title == "feed" })
        #expect(named?.list === house)
    }

    @Test(arguments: Place.allCases)
    func `the same code finds tasks in a store and in memory`(_ place: Place) throws {
        try place.withContainer { try work(in: ModelContext($0)) }
        try work(in: EntitiesInMemory())
        #expect(TaskList.entityName == "list" && TaskItem.entityName == "TaskItem")
    }

    @Test func `a task is found and created by its number, wherever it is`() throws {
        try checkEntity(TaskItem.self, ids: 1...20, in: EntitiesInMemory())
        for place in Place.allCases {
            try place.withContainer { try checkEntity(TaskItem.self, ids: 1...20, in: $0) }
        }
    }

    @Test(arguments: Place.allCases)
    func `two contexts are kept in step`(_ place: Place) throws {
        try place.withContainer { container in
            let (screen, work) = (ModelContext(container), ModelContext(container))
            let house = try TaskList.named("house", in: screen)
            let task = try house.add(1, "paint", in: screen)
            try screen.save()

            // Both change the same task, each another attribute.
            var same = try #require(try TaskItem.object(id: 1, in: work))
            #expect(same !== task)
            same.close()
            try TaskList.named("house", in: work).add(2, "feed", in: work)
            try work.save()
            task.title = "paint the door"
            screen.processPendingChanges()
            #expect(task.status == .closed && task.title == "paint the door")
            #expect(house.tasks.map(\.id) == [1, 2])
            try screen.save()
            work.processPendingChanges()
            #expect(same.title == "paint the door" && same.status == .closed)

            // The same attribute is a conflict, which says so.
            task.status = .invalidated
            same.status = .open
            try work.save()
            let conflict = #expect(throws: ConflictError.self) { try screen.save() }
            #expect(conflict?.conflicts.map(\.attributes) == [["rawStatus"]])
            screen.conflictPolicy = .storeWins
            try screen.save()
            #expect(task.status == .open)
        }
    }

    @Test(arguments: Place.allCases)
    func `two contexts that create one task have one task`(_ place: Place) throws {
        try place.withContainer { container in
            let (first, second) = (ModelContext(container), ModelContext(container))
            try TaskList.named("house", in: first).add(1, "paint", in: first)
            try TaskList.named("house", in: second).add(1, "paint", in: second)
            try first.save()
            try second.save()
            let later = ModelContext(container)
            #expect(try later.fetchCount(FetchDescriptor<TaskItem>()) == 1)
            #expect(try later.fetchCount(FetchDescriptor<TaskList>()) == 1)
            #expect(try TaskList.named("house", in: later).tasks.map(\.id) == [1])
        }
    }

    @Test(arguments: Place.allCases)
    func `a list goes with its tasks`(_ place: Place) throws {
        try place.withContainer { container in
            let context = ModelContext(container)
            let house = try TaskList.named("house", in: context)
            try house.add(1, "paint", in: context)
            try TaskList.named("garden", in: context).add(2, "dig", in: context)
            try context.save()
            context.delete(house)
            try context.save()
            #expect(try ModelContext(container).fetch(FetchDescriptor<TaskItem>()).map(\.id) == [2])
        }
    }
}
