import Dovetail
import StoreTestSupport
import Testing

/// Objects of one context: what is inserted, found again, changed, taken back and deleted.
@Suite(.serialized)
struct ObjectTests {
    private func boxes(_ container: ModelContainer) throws -> [StoredBox] {
        let byTitle = [SortDescriptor(\StoredBox.title, comparator: .lexical)]
        return try ModelContext(container).fetch(FetchDescriptor(sortBy: byTitle))
    }

    @Test(arguments: StoreKind.allCases)
    func `attributes of all kinds come back`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let box = StoredBox(title: "tools")
        box.kind = .closed
        box.kindRaw = "x"
        box.size.width = 4
        box.weight = 1.5
        box.tags.append("old")
        context.insert(box)
        try context.save()
        #expect(!context.hasChanges)
        let found = try #require(try boxes(container).first)
        #expect(found !== box)
        #expect(found.title == "tools" && found.kind == .closed && found.kindRaw == "x")
        #expect(found.size == BoxSize(width: 4) && found.weight == 1.5 && found.tags == ["old"])
    }

    @Test(arguments: StoreKind.allCases)
    func `one object stands for each row`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let box = StoredBox(title: "a")
        context.insert(box)
        let id = box.persistentModelID
        #expect(try context.fetch(FetchDescriptor<StoredBox>()).first === box)
        try context.save()
        #expect(box.persistentModelID == id)
        #expect(box.id == id)
        #expect(try context.fetch(FetchDescriptor<StoredBox>()).first === box)
        #expect(context.model(for: id) === box)
        let same: StoredBox? = context.registeredModel(for: id)
        #expect(same === box)
        let other = ModelContext(container)
        let unknown: StoredBox? = other.registeredModel(for: id)
        #expect(unknown == nil)
        let found = try #require(other.model(for: id) as? StoredBox)
        #expect(try other.fetch(FetchDescriptor<StoredBox>()).first === found)
        #expect(
            try other.fetch(FetchDescriptor(predicate: #Predicate<StoredBox> { $0.id == id })) == [
                found
            ]
        )
        let coded = try JSONDecoder().decode(
            PersistentIdentifier.self,
            from: JSONEncoder().encode(id)
        )
        #expect(coded == id)
    }

    @Test(arguments: StoreKind.allCases)
    func `own identifiers and declared keys are attributes`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let ann = BoxOwner(id: 7, name: "Ann")
        ann.card = OwnerCard(number: "A-1", owner: ann)
        context.insert(ann)
        try context.save()
        let other = ModelContext(container)
        #expect(try other.fetch(BoxOwner.self, id: 7)?.name == "Ann")
        let card = try #require(try other.fetch(OwnerCard.self, id: "A-1"))
        #expect(card.owner.name == "Ann" && card.owner.card === card)
        let id = card.persistentModelID
        let byID = FetchDescriptor(predicate: #Predicate<OwnerCard> { $0.persistentModelID == id })
        #expect(try other.fetch(byID) == [card])
    }

    @Test
    func `a save writes what has changed, and nothing else`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(for: StoredBox.self, configurations: configuration)
        let context = ModelContext(container)
        let box = StoredBox(title: "a")
        context.insert(box)
        try context.save()
        _ = log.take()
        box.title = "a"
        #expect(context.hasChanges)
        try context.save()
        #expect(log.take().allSatisfy { !$0.sql.contains("UPDATE") })
        box.weight = 2
        try context.save()
        let updates = log.take().map(\.sql).filter { $0.contains("UPDATE") }
        #expect(updates.count == 1)
        #expect(updates.first?.contains(#"SET "weight" = "#) == true)
        #expect(updates.first?.contains(#""title""#) == false)
    }

    @Test(arguments: StoreKind.allCases)
    func `a rollback takes everything back`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let box = StoredBox(title: "a")
        let item = StoredItem(name: "one", box: box)
        context.insert(box)
        try context.save()
        box.title = "b"
        item.box = nil
        let new = StoredItem(name: "two", box: box)
        #expect(new.modelContext === context)
        #expect(try context.fetchCount(FetchDescriptor<StoredItem>()) == 2)
        let deleted = StoredBox(title: "c")
        context.insert(deleted)
        context.delete(deleted)
        #expect(deleted.modelContext == nil)
        context.rollback()
        #expect(!context.hasChanges)
        #expect(box.title == "a" && box.items == [item] && item.box === box)
        #expect(new.modelContext == nil && new.name == "two")
        context.delete(box)
        #expect(box.isDeleted && item.isDeleted)
        context.rollback()
        #expect(!box.isDeleted && !item.isDeleted && box.items == [item])
        try context.save()
        #expect(try boxes(container).map(\.title) == ["a"])
    }

    @Test(arguments: StoreKind.allCases)
    func `deleted objects keep their values`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let box = StoredBox(title: "a")
        context.insert(box)
        try context.save()
        context.delete(box)
        #expect(box.isDeleted && box.title == "a")
        #expect(try context.fetchCount(FetchDescriptor<StoredBox>()) == 0)
        try context.save()
        #expect(box.isDeleted && box.title == "a" && box.modelContext == nil)
        box.title = "b"
        #expect(box.title == "b" && !context.hasChanges)
        context.insert(box)
        try context.save()
        #expect(try boxes(container).map(\.title) == ["b"])
    }

    @Test(arguments: StoreKind.allCases)
    func `changes of different attributes merge, others conflict`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let first = ModelContext(container), second = ModelContext(container)
        let made = StoredBox(title: "a")
        first.insert(made)
        try first.save()
        let box = try #require(try second.fetch(FetchDescriptor<StoredBox>()).first)
        made.title = "b"
        try first.save()
        box.weight = 2
        try second.save()
        let stored = try boxes(container)
        #expect(stored.map(\.title) == ["b"] && stored.map(\.weight) == [2])
        _ = try second.fetch(FetchDescriptor<StoredBox>())
        #expect(box.title == "b")
        box.title = "c"
        made.title = "d"
        try second.save()
        let error = #expect(throws: ConflictError.self) { try first.save() }
        #expect(error?.conflicts.count == 1)
        first.rollback()
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction that throws takes its saves back, too`(_ kind: StoreKind) throws {
        struct Stop: Error {}
        let container = try kind.boxes()
        let context = ModelContext(container)
        let box = StoredBox(title: "a")
        let item = StoredItem(name: "x", box: box)
        let gone = StoredBox(title: "z")
        context.insert(box)
        context.insert(gone)
        try context.save()
        let new = StoredBox(title: "n")
        #expect(throws: Stop.self) {
            try context.transaction {
                box.title = "b"
                context.insert(new)
                item.box = new
                context.delete(gone)
                try context.save()
                #expect(!context.hasChanges && gone.modelContext == nil)
                do {
                    try context.transaction {
                        box.title = "c"
                        try context.save()
                        throw Stop()
                    }
                } catch is Stop {}
                #expect(box.title == "b")
                box.title = "d"
                throw Stop()
            }
        }
        #expect(box.title == "a" && item.box === box && box.items == [item])
        #expect(new.modelContext == nil && gone.modelContext === context && !gone.isDeleted)
        #expect(!context.hasChanges)
        #expect(try boxes(container).map(\.title) == ["a", "z"])
        try context.transaction {
            box.title = "e"
            try context.save()
        }
        #expect(try boxes(container).map(\.title) == ["e", "z"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a query that looks into other tables changes nothing`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.boxes())
        let ann = BoxOwner(id: 1, name: "Ann"), bob = BoxOwner(id: 2, name: "Bob")
        let card = OwnerCard(number: "1", owner: ann)
        context.insert(ann)
        context.insert(bob)
        try context.save()
        ann.card = nil
        let named = #Predicate<OwnerCard> { $0.owner.name == "Ann" }
        #expect(try context.fetchCount(FetchDescriptor(predicate: named)) == 0)
        #expect(!card.isDeleted)
        bob.card = card
        try context.save()
        #expect(!card.isDeleted && card.owner === bob)
    }

    @Test
    func `an object of another context is refused`() throws {
        let container = try StoreKind.sqlite.boxes()
        let first = ModelContext(container), second = ModelContext(container)
        let box = StoredBox(title: "a")
        first.insert(box)
        second.insert(box)
        let error = #expect(throws: StoreError.self) { try second.save() }
        #expect(error?.kind == .invalidObject)
        try second.save()
        let item = StoredItem(name: "x")
        second.insert(item)
        item.box = box
        #expect(throws: StoreError.self) { try second.save() }
    }

    @Test
    func `generic code reaches the same objects`() throws {
        let container = try StoreKind.sqlite.boxes()
        let context = ModelContext(container)
        func all<Value: Model & Identifiable>(_ value: Value) throws -> [Value] {
            context.insert(value)
            try context.save()
            return try context.fetch(FetchDescriptor<Value>())
        }
        let box = StoredBox(title: "a")
        #expect(try all(box).first === box)
        let any: any PersistentModel = box
        context.delete(any)
        #expect(box.isDeleted)
    }

    @Test
    func `contexts and objects go when nobody holds them`() throws {
        let container = try StoreKind.sqlite.boxes()
        weak var context: ModelContext?
        weak var box: StoredBox?
        do {
            let made = ModelContext(container)
            let owner = BoxOwner(id: 1, name: "Ann")
            let stored = StoredBox(title: "a", owner: owner)
            stored.items.append(StoredItem(name: "x"))
            made.insert(stored)
            try made.save()
            #expect(owner.boxes.first?.items.first?.box === stored)
            (context, box) = (made, stored)
        }
        #expect(context == nil && box == nil)
        let kept = try boxes(container)[0]
        #expect(kept.title == "a" && kept.items.count == 1 && kept.owner?.name == "Ann")
    }

    @Test
    func `reads are observed, also through relationships`() throws {
        let context = ModelContext(try StoreKind.sqlite.boxes())
        let box = StoredBox(title: "a")
        context.insert(box)
        final class Count: @unchecked Sendable { var value = 0 }
        let count = Count()
        func track(_ read: () -> Void) {
            count.value = 0
            withObservationTracking(read) { count.value += 1 }
        }
        track { _ = box.title }
        box.weight = 1
        #expect(count.value == 0)
        box.title = "b"
        #expect(count.value == 1)
        track { _ = box.items.count }
        let item = StoredItem(name: "x", box: box)
        #expect(count.value == 1)
        track { _ = item.box?.title }
        box.title = "c"
        #expect(count.value == 1)
    }
}
