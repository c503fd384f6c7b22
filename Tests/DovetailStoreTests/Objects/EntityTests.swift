import Dovetail
import StoreTestSupport
import Testing

@Model final class EntityTask {
    @Attribute(.unique) var id: Int
    var title = "new"
    var visits = 0
    var list: EntityList?

    init(id: Int) { self.id = id }
}

extension EntityTask: EntityWithID {}

@Model final class EntityList {
    @Attribute(.unique) var name: String
    var tasks: [EntityTask] = []

    init(name: String) { self.name = name }
}

extension EntityList: Entity {
    static var entityName: String { "list" }
}

/// Its `id` is not unique.
@Model final class LooseEntity {
    var id: Int

    init(id: Int) { self.id = id }
}

extension LooseEntity: EntityWithID {}

/// What a program does with its entities, wherever they are.
private func addTask(_ id: Int, to name: String, in context: some EntityContext) throws {
    let list = try EntityList.findOrCreate(in: context, where: #Predicate { $0.name == name }) {
        EntityList(name: name)
    }
    let task = try EntityTask.findOrCreate(id: id, in: context)
    task.list = list
    task.visits += 1
    try context.save()
}

struct EntityTests {
    @Test(arguments: StoreKind.allCases)
    func `the same code runs over a context and over memory`(_ kind: StoreKind) throws {
        func check(_ context: some EntityContext) throws {
            for id in [1, 2, 1] { try addTask(id, to: "inbox", in: context) }
            let first = try #require(
                try EntityTask.object(in: context, where: #Predicate { $0.id == 1 })
            )
            #expect(first.visits == 2 && first.list?.name == "inbox")
            #expect(try EntityTask.object(id: 2, in: context)?.visits == 1)
            #expect(try EntityTask.object(id: 3, in: context) == nil)
            #expect(try EntityTask.object(in: context, where: #Predicate { $0.id == 3 }) == nil)
            #expect(try EntityList.object(in: context)?.tasks.count == 2)
            let error = #expect(throws: QueryError.self) { try EntityTask.object(in: context) }
            #expect(error?.explanation.contains("more than one") == true)
            try context.remove(first)
            try context.save()
            #expect(try EntityTask.object(in: context)?.id == 2)
        }
        let container = try kind.container(EntityTask.self, LooseEntity.self)
        try check(ModelContext(container))
        try check(EntitiesInMemory())
        #expect(EntityTask.entityName == "EntityTask" && EntityList.entityName == "list")
        let error = #expect(throws: StoreError.self) {
            try LooseEntity.findOrCreate(id: 1, in: ModelContext(container))
        }
        #expect(error?.kind == .invalidSchema && error?.column == "id")
    }

    @Test(arguments: StoreKind.allCases)
    func `eight tasks that find or create the same identifiers make one row of each`(
        _ kind: StoreKind
    ) async throws {
        let container = try kind.container(EntityTask.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let context = ModelContext(container)
                    let tasks = try (0..<1000).map { id in
                        try EntityTask.findOrCreate(id: id, in: context)
                    }
                    try context.save()
                    try #expect(#require(tasks.last).id == 999 && !context.hasChanges)
                }
            }
            try await group.waitForAll()
        }
        let context = ModelContext(container)
        let ids = try context.fetch(FetchDescriptor<EntityTask>()).map(\.id)
        #expect(ids.count == 1000 && Set(ids) == Set(0..<1000))
    }

    @Test(arguments: StoreKind.allCases)
    func `what others have saved is changed only where it was changed`(_ kind: StoreKind) throws {
        let container = try kind.container(EntityTask.self)
        let first = ModelContext(container), second = ModelContext(container)
        let mine = try EntityTask.findOrCreate(id: 7, in: first)
        let theirs = try EntityTask.findOrCreate(id: 7, in: second)
        theirs.title = "theirs"
        theirs.visits = 5
        try second.save()
        mine.visits = 1
        try first.save()
        #expect(mine.title == "theirs" && mine.visits == 1)
        #expect(mine.persistentModelID == theirs.persistentModelID)
        let stored = try ModelContext(container).fetch(FetchDescriptor<EntityTask>())
        #expect(stored.map(\.title) == ["theirs"] && stored.map(\.visits) == [1])
        mine.title = "later"
        try first.save()
        second.processPendingChanges()
        #expect(theirs.title == "later" && theirs.visits == 1)
    }
}
