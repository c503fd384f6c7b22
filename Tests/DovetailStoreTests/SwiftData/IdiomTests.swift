import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Code as programs for SwiftData write it, compiled and run.
struct IdiomTests {
    private static let heads: [any PersistentModel.Type] = [
        OneLineHead.self, HeadOnItsOwnLine.self, PublicHead.self, NonisolatedHead.self,
        AvailableBefore.self, AvailableAfter.self, HeadSchema.NestedHead.self,
        HeadSchemaV2.HeadInExtension.self, NewestHead.self, EquatableHead.self, UncheckedHead.self,
        HeadOfProtocol.self, HeadWithExtension.self, CodableHead.self, GuardedHead.self,
        NameClash.Date.self, NameClash.Task.self, NameClash.Category.self,
        NameClash.Collection.self,
        NameClash.Thread.self, GeneratedNames.self,
    ]

    private func folders(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(IdiomSchemaV1.models)
    }

    @Test(arguments: StoreKind.allCases)
    func `classes with heads of all forms are stored`(_ kind: StoreKind) throws {
        let container = try kind.container(Self.heads)
        let context = ModelContext(container)
        let objects: [any PersistentModel] = [
            OneLineHead(), HeadOnItsOwnLine(name: "a"), PublicHead(name: "b"), NonisolatedHead(),
            AvailableBefore(), AvailableAfter(), HeadSchema.NestedHead(), EquatableHead(),
            UncheckedHead(), HeadOfProtocol(), HeadWithExtension(name: "c"),
            CodableHead(name: "d", count: 1), GuardedHead(), NameClash.Collection(),
            NameClash.Thread(), GeneratedNames(),
        ]
        for object in objects { context.insert(object) }
        let parent = HeadSchemaV2.HeadInExtension()
        parent.children?.append(NewestHead(id: "1", name: "one"))
        context.insert(parent)
        let date = NameClash.Date()
        let task = NameClash.Task()
        task.category = NameClash.Category()
        date.tasks = [task]
        context.insert(date)
        try context.save()
        #expect(!context.hasChanges)

        func count<Object: PersistentModel>(_ type: Object.Type) throws -> Int {
            try ModelContext(container).fetchCount(FetchDescriptor<Object>())
        }
        for type in Self.heads { #expect(try count(type) == 1, "\(type)") }
        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<NewestHead>()).first)
        #expect(found == parent.children?.first && found !== parent.children?.first)
        #expect(Set([found]).contains(NewestHead(id: "1", name: "")))
        #expect(found.id == "1" && found.debugDescription == "head one")
        let names = try #require(try other.fetch(FetchDescriptor<GeneratedNames>()).first)
        names.value += 1
        names.link = "l"
        names.taken.append(4)
        names.linked = GeneratedNames()
        names.default = 5
        try other.save()
        let id = names.persistentModelID
        let again = try #require(ModelContext(container).model(for: id) as? GeneratedNames)
        #expect(again.value == 2 && again.link == "l" && again.taken == [4] && again.default == 5)
    }

    @Test func `Codable by hand stays as it is`() throws {
        let data = try JSONEncoder().encode(CodableHead(name: "a", count: 2))
        let head = try JSONDecoder().decode(CodableHead.self, from: data)
        #expect(head.name == "a" && head.count == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `defaults and values of all types come back`(_ kind: StoreKind) throws {
        let container = try kind.container(IdiomDefaults.self)
        let context = ModelContext(container)
        let object = IdiomDefaults()
        object.color = .green
        object.transientKind = .lost
        object.settings = ["a": "b"]
        object.lastKind = .closed
        object.shape = .round(radius: 2)
        object.kinds.append(.lost)
        object.places = [IdiomPlace(latitude: 1, longitude: 2, inner: .init(name: "in"))]
        object.lastPlace = IdiomPlace()
        object.scores["x"] = 3
        object.link = URL(string: "https://example.org/a")
        object.amount = 12.5
        object.increase()
        object.isOpen = true
        context.insert(object)
        try context.save()
        let found = try #require(
            try ModelContext(container).fetch(FetchDescriptor<IdiomDefaults>()).first
        )
        #expect(found.id == object.id && found.color == .green && found.transientKind == .lost)
        #expect(found.settings == ["a": "b"] && found.lastKind == .closed && found.kind == .open)
        #expect(found.shape == .round(radius: 2) && found.kinds == [.open, .lost])
        #expect(found.places == object.places && found.lastPlace == IdiomPlace())
        #expect(found.scores == ["x": 3] && found.link == object.link && found.amount == 12.5)
        #expect(found.count == 1 && !found.isOpen && found.title == nil && found.version == 1)
        #expect(found.small == 1 && found.wide == 2 && found.word == 3 && found.ratio == 0.5)
        let id = object.id
        let byID = FetchDescriptor<IdiomDefaults>(predicate: #Predicate { $0.id == id })
        #expect(
            try ModelContext(container).fetch(byID).first?.persistentModelID
                == found.persistentModelID
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `initializers of all forms`(_ kind: StoreKind) throws {
        let context = ModelContext(try folders(kind))
        let root = IdiomFolder(title: "Root ")
        #expect(root.title == "Root" && root.code == "root ")
        #expect(IdiomFolder(optional: nil) == nil)
        #expect(throws: IdiomError.self) { try IdiomFolder(checking: "") }
        let child = IdiomFolder(code: "c", title: "child", parent: root)
        #expect(root.children == [child])
        let file = IdiomFile(name: "f", folder: child)
        context.insert(file)
        #expect(child.files == [file] && child.modelContext === context && root.modelContext != nil)
        root.readers = [IdiomReader("Ann"), IdiomReader("Bob")]
        root.cover = IdiomCover(image: Data([1]))
        let note = IdiomNote(text: "n", folder: root)
        try context.save()
        #expect(root.notes == [note])
        note.remove()
        try context.save()
        #expect(root.notes == [] && note.isDeleted)
        let titles = try context.fetch(FetchDescriptor<IdiomFolder>(sortBy: [.init(\.title)])).map(
            \.title
        )
        #expect(titles == ["Root", "child"])
    }

    @Test(arguments: StoreKind.allCases)
    func `contexts are used as people use them`(_ kind: StoreKind) throws {
        let container = try folders(kind)
        let context = ModelContext(container)
        context.autosaveEnabled = false
        #expect(context.container == container)
        for title in ["b", "a", "c"] { context.insert(IdiomFolder(title: title)) }
        if context.hasChanges { try context.save() }
        try? context.save()

        var descriptor = FetchDescriptor<IdiomFolder>(predicate: IdiomFolder.named("a"))
        descriptor.fetchLimit = 1
        #expect(try context.fetch(descriptor).first?.title == "a")
        #expect((try? context.fetch(descriptor))?.count == 1)
        #expect(try context.fetch(.recent).count == 3)
        let old = IdiomFolder.opened(after: .distantFuture)
        #expect(try context.fetchCount(FetchDescriptor(predicate: old)) == 0)
        let ascending = context.autosaveEnabled
        let sorted = FetchDescriptor<IdiomFolder>(
            sortBy: [
                SortDescriptor(\IdiomFolder.title, order: ascending ? .forward : .reverse),
                SortDescriptor(\.opened),
            ]
        )
        #expect(try context.fetch(sorted).map(\.title) == ["c", "b", "a"])
        let folder = try #require(try context.fetch(descriptor).first)
        let id = folder.persistentModelID
        #expect((context.model(for: id) as? IdiomFolder) === folder)
        #expect((context.registeredModel(for: id) as IdiomFolder?) === folder)
        #expect(Set([id, folder.persistentModelID]).count == 1)
        #expect(id.entityName == "IdiomFolder" && id.id == id)

        try context.transaction {
            folder.title = "z"
            context.insert(IdiomFolder(title: "d"))
        }
        #expect(!context.hasChanges)
        folder.title = "lost"
        context.rollback()
        #expect(folder.title == "z")

        let target = folder.persistentModelID
        let same = FetchDescriptor<IdiomFolder>(
            predicate: #Predicate { $0.persistentModelID == target }
        )
        #expect(try context.fetch(same) == [folder])
        folder.modelContext?.delete(folder)
        try context.save()
        #expect(folder.modelContext == nil)
        try context.delete(model: IdiomFolder.self, where: #Predicate { $0.title == "b" })
        try context.delete(
            model: IdiomFolder.self,
            where: #Predicate { $0.title == "c" },
            includeSubclasses: false
        )
        try context.save()
        #expect(try context.fetch(FetchDescriptor<IdiomFolder>()).map(\.title) == ["d"])
        try context.delete(model: IdiomFolder.self)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<IdiomFolder>()) == 0)
    }

    @Test func `schemas and containers in all shapes take classes`() throws {
        let memory = ModelConfiguration(isStoredInMemoryOnly: true)
        let all: [any PersistentModel.Type] = [IdiomFolder.self, IdiomNote.self]
        let schema = Schema(all, version: Schema.Version(1, 0, 0))
        #expect(schema.entitiesByName["IdiomFolder"]?.relationshipsByName["files"] != nil)
        let hasPlan = !all.isEmpty
        let containers = [
            try ModelContainer(for: IdiomFolder.self, IdiomNote.self, configurations: memory),
            try ModelContainer(for: Schema([IdiomFolder.self]), configurations: [memory]),
            try ModelContainer(for: schema, configurations: memory),
            try ModelContainer(for: Schema(all), migrationPlan: nil, configurations: [memory]),
            try ModelContainer(
                for: Schema(versionedSchema: IdiomSchemaV1.self),
                migrationPlan: hasPlan ? IdiomPlan.self : nil,
                configurations: [
                    ModelConfiguration(
                        schema: Schema(versionedSchema: IdiomSchemaV1.self),
                        isStoredInMemoryOnly: true
                    )
                ]
            ),
        ]
        for container in containers {
            #expect(
                Set(container.schema.entities.map(\.name)).isSuperset(of: [
                    "IdiomFolder", "IdiomFile",
                ])
            )
        }
        #expect(Schema.entityName(for: IdiomFolder.self) == "IdiomFolder")
    }

    @Test @MainActor func `previews and services use the main context`() throws {
        let container = IdiomPreview.container
        let service = IdiomService(context: container.mainContext)
        let found = service.all(IdiomFolder.self, where: #Predicate { $0.title == "preview" })
        #expect(found.count == 1)
        service.add(IdiomFolder(title: "more"))
        #expect(try service.fetch(FetchDescriptor<IdiomFolder>()).count == 2)
        try service.delete(found[0])
        #expect(service.all(IdiomFolder.self).map(\.title) == ["more"])
    }

    @Test(arguments: StoreKind.allCases)
    func `actors and tasks hand identifiers to each other`(_ kind: StoreKind) async throws {
        let container = try folders(kind)
        let librarian = IdiomLibrarian(modelContainer: container)
        let id = try await librarian.add("one")
        #expect(await librarian.title(of: id) == "one")
        #expect(try await librarian.count(of: IdiomFolder.self) == 1)
        #expect(try await librarian.identifiers() == [id])
        let title = try await Task.detached {
            let context = ModelContext(container)
            let folder = try #require(context.model(for: id) as? IdiomFolder)
            folder.title = "two"
            try context.save()
            return folder.title
        }.value
        #expect(title == "two")
        #expect(await IdiomLibrarian(modelContainer: container).title(of: id) == "two")
        let hand = IdiomHandMadeActor(container: container)
        #expect(try await hand.titles(matching: "TW", after: .distantPast) == ["two"])
        try await IdiomFolder.Cleaner(modelContainer: container).clean()
        #expect(try await librarian.count(of: IdiomFolder.self) == 0)
    }
}
