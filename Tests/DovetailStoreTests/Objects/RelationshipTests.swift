import Dovetail
import StoreTestSupport
import Testing

/// Both sides of relationships, before and after they are saved.
@Suite(.serialized)
struct RelationshipTests {
    @Test(arguments: StoreKind.allCases, [false, true])
    func `a fetch sees that a deletion takes an object out of a relationship without an inverse`(
        _ kind: StoreKind,
        _ isInside: Bool
    ) throws {
        let context = ModelContext(try kind.boxes())
        let (ann, bob) = (BoxOwner(id: 1, name: "Ann"), BoxOwner(id: 2, name: "Bob"))
        ann.friend = bob
        context.insert(ann)
        try context.save()
        func without() throws -> [String] {
            try context.fetch(
                FetchDescriptor<BoxOwner>(predicate: #Predicate { $0.friend == nil })
            ).map(\.name)
        }
        #expect(try without() == ["Bob"])
        func body() throws {
            context.delete(bob)
            #expect(ann.friend == nil)
            #expect(try without() == ["Ann"])
            #expect(
                try context.fetchCount(
                    FetchDescriptor<BoxOwner>(predicate: #Predicate { $0.friend != nil })
                ) == 0
            )
        }
        if isInside { try context.transaction(body) } else { try body() }
        try context.save()
        #expect(try without() == ["Ann"])
    }

    @Test(arguments: StoreKind.allCases)
    func `both sides change at once`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let ann = BoxOwner(id: 1, name: "Ann"), bob = BoxOwner(id: 2, name: "Bob")
        let box = StoredBox(title: "a", owner: ann)
        #expect(ann.boxes == [box])
        let one = StoredItem(name: "1", box: box), two = StoredItem(name: "2")
        box.items.append(two)
        #expect(box.items == [one, two] && two.box === box)
        #expect(ann.modelContext == nil)
        context.insert(ann)
        #expect(two.modelContext === context)
        box.owner = bob
        #expect(ann.boxes.isEmpty && bob.boxes == [box] && bob.modelContext === context)
        bob.friend = ann
        #expect(ann.admirers == [bob])
        ann.card = OwnerCard(number: "1", owner: ann)
        try context.save()
        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<StoredBox>()).first)
        #expect(found.items.map(\.name) == ["1", "2"] && found.owner?.name == "Bob")
        #expect(found.owner?.friend?.card?.number == "1")
        #expect(found.owner?.friend?.admirers.first === found.owner)
        found.items.removeAll { $0.name == "1" }
        found.owner = nil
        try other.save()
        let third = ModelContext(container)
        let items = try third.fetch(FetchDescriptor<StoredItem>())
        #expect(items.count == 2 && items.count { $0.box == nil } == 1)
        #expect(try third.fetch(FetchDescriptor<StoredBox>())[0].owner == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `several objects keep their order`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let box = StoredBox(title: "a")
        context.insert(box)
        for name in ["1", "2", "3", "4"] { box.items.append(StoredItem(name: name)) }
        box.labels = [BoxLabel("x"), BoxLabel("y")]
        try context.save()
        func stored() throws -> [String] {
            let reader = ModelContext(container)
            return try reader.fetch(FetchDescriptor<StoredBox>())[0].items.map(\.name)
        }
        #expect(try stored() == ["1", "2", "3", "4"])
        box.items.insert(box.items.removeLast(), at: 1)
        try context.save()
        #expect(try stored() == ["1", "4", "2", "3"])
        box.items.reverse()
        box.items.swapAt(0, 1)
        try context.save()
        #expect(try stored() == ["2", "3", "4", "1"])
        // The list was not read by the other context.
        let other = ModelContext(container)
        let found = try other.fetch(FetchDescriptor<StoredBox>())[0]
        _ = StoredItem(name: "5", box: found)
        try other.save()
        #expect(try stored() == ["2", "3", "4", "1", "5"])
        #expect(found.labels?.map(\.text) == ["x", "y"])
        for _ in 0..<30 {
            found.items.insert(StoredItem(name: "-"), at: 1)
        }
        try other.save()
        #expect(try stored().filter { $0 != "-" } == ["2", "3", "4", "1", "5"])
        #expect(try stored().dropFirst().first == "-")
    }

    @Test(arguments: StoreKind.allCases)
    func `delete rules`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let ann = BoxOwner(id: 1, name: "Ann")
        ann.card = OwnerCard(number: "1", owner: ann)
        let box = StoredBox(title: "a", owner: ann)
        let item = StoredItem(name: "x", box: box)
        box.labels?.append(BoxLabel("l"))
        context.insert(ann)
        try context.save()
        let other = ModelContext(container)
        let owner = try other.fetch(FetchDescriptor<BoxOwner>())[0]
        other.delete(owner)
        #expect(try other.fetch(FetchDescriptor<StoredBox>())[0].owner == nil)
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<OwnerCard>()) == 0)
        #expect(try other.fetchCount(FetchDescriptor<StoredBox>()) == 1)
        other.delete(try other.fetch(FetchDescriptor<StoredBox>())[0])
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<StoredItem>()) == 0)
        #expect(try other.fetch(FetchDescriptor<BoxLabel>()).map(\.text) == ["l"])
        #expect(item.name == "x")
    }

    @Test(arguments: StoreKind.allCases)
    func `what has to have an object goes with it, or is refused`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let ann = BoxOwner(id: 1, name: "Ann")
        let card = OwnerCard(number: "1", owner: ann)
        context.insert(ann)
        try context.save()
        ann.card = nil
        try context.save()
        #expect(card.isDeleted)
        #expect(try context.fetchCount(FetchDescriptor<OwnerCard>()) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `predicates lead through relationships`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let ann = BoxOwner(id: 1, name: "Ann"), bob = BoxOwner(id: 2, name: "Bob")
        bob.friend = ann
        ann.card = OwnerCard(number: "A", owner: ann)
        let a = StoredBox(title: "a", owner: ann), b = StoredBox(title: "b", owner: bob)
        let c = StoredBox(title: "c")
        a.items = [StoredItem(name: "1"), StoredItem(name: "2")]
        b.items = [StoredItem(name: "2")]
        for box in [a, b, c] { context.insert(box) }
        func titles(_ predicate: Predicate<StoredBox>) throws -> String {
            let all = try context.fetch(FetchDescriptor(predicate: predicate))
            return all.map(\.title).sorted().joined()
        }
        let id = ann.persistentModelID
        func check() throws {
            #expect(try titles(#Predicate { $0.owner?.name == "Ann" }) == "a")
            #expect(try titles(#Predicate { $0.owner?.name != "Ann" }) == "bc")
            #expect(try titles(#Predicate { $0.owner == nil }) == "c")
            #expect(try titles(#Predicate { $0.owner != nil }) == "ab")
            #expect(try titles(#Predicate { $0.owner?.persistentModelID == id }) == "a")
            #expect(try titles(#Predicate { $0.owner?.friend?.name == "Ann" }) == "b")
            #expect(try titles(#Predicate { $0.owner?.card?.number == "A" }) == "a")
            #expect(
                try titles(#Predicate { $0.owner?.name.localizedStandardContains("BOB") == true })
                    == "b"
            )
            #expect(try titles(#Predicate { $0.items.isEmpty }) == "c")
            #expect(try titles(#Predicate { $0.items.count == 2 }) == "a")
            #expect(try titles(#Predicate { $0.items.contains { $0.name == "2" } }) == "ab")
            #expect(try titles(#Predicate { $0.items.allSatisfy { $0.name == "2" } }) == "bc")
            // Of a captured list, for each of which other rows are asked.
            for (wanted, every, some) in [
                (["1", "2"], "a", "ab"), (["2"], "ab", "ab"), (["3", "2"], "", "ab"),
                ([], "abc", ""),
            ] {
                #expect(
                    try titles(
                        #Predicate { box in
                            wanted.allSatisfy { name in box.items.contains { $0.name == name } }
                        }
                    ) == every
                )
                #expect(
                    try titles(
                        #Predicate { box in
                            wanted.contains { name in box.items.contains { $0.name == name } }
                        }
                    ) == some
                )
            }
            let many = (0..<500).map { "\($0)" }
            #expect(throws: QueryError.self) {
                try titles(
                    #Predicate { box in
                        many.allSatisfy { name in box.items.contains { $0.name == name } }
                    }
                )
            }
            #expect(
                try titles(
                    #Predicate { box in
                        box.owner?.boxes.contains { $0.title == "b" } == true
                    }
                ) == "b"
            )
        }
        try check()
        try context.save()
        try check()
    }

    @Test(arguments: StoreKind.allCases)
    func `orders lead through relationships`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let (ann, bob) = (BoxOwner(id: 1, name: "Ann"), BoxOwner(id: 2, name: "Bob"))
        ann.friend = bob
        ann.card = OwnerCard(number: "B", owner: ann)
        bob.card = OwnerCard(number: "A", owner: bob)
        context.insert(ann)
        for (title, owner) in [("a", bob), ("b", nil), ("c", ann), ("d", bob)] {
            context.insert(StoredBox(title: title, owner: owner))
        }
        func titles(_ order: SortDescriptor<StoredBox>, limit: Int? = nil) throws -> String {
            var descriptor = FetchDescriptor(sortBy: [order, SortDescriptor(\.title)])
            descriptor.fetchLimit = limit
            return try context.fetch(descriptor).map(\.title).joined()
        }
        func check() throws {
            #expect(try titles(SortDescriptor(\.owner?.name)) == "bcad")
            #expect(try titles(SortDescriptor(\.owner?.name, order: .reverse), limit: 3) == "adc")
            #expect(try titles(SortDescriptor(\.owner?.id, order: .reverse)) == "adcb")
            #expect(try titles(SortDescriptor(\.owner?.friend?.name)) == "abdc")
            // The key of the other one is in its row, or in ours, and is not optional.
            #expect(try titles(SortDescriptor(\.owner?.card?.number)) == "badc")
            let cards = FetchDescriptor(
                sortBy: [SortDescriptor(\OwnerCard.owner.name, order: .reverse)]
            )
            #expect(try context.fetch(cards).map(\.number) == ["A", "B"])
        }
        try check()
        try context.save()
        try check()
        ann.name = "Zoe"
        #expect(try titles(SortDescriptor(\.owner?.name)) == "badc")
        #expect(try titles(SortDescriptor(\.owner?.name.count)) == "bacd")
        #expect(throws: QueryError.self) { try titles(SortDescriptor(\.owner?.name.hashValue)) }
    }

    @Test(arguments: StoreKind.allCases)
    func `predicates ask optional lists`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.boxes())
        let owner = BoxOwner(id: 1, name: "Ann")
        for (title, labels) in [("a", ["x", "y"]), ("b", ["y"]), ("c", [])] {
            let box = StoredBox(title: title)
            box.labels = labels.map { BoxLabel($0) }
            box.items = labels.map { StoredItem(name: $0) }
            if title != "c" { box.owner = owner }
            context.insert(box)
        }
        func titles(_ predicate: Predicate<StoredBox>) throws -> String {
            try context.fetch(
                FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)])
            )
            .map(\.title).joined()
        }
        func names(_ predicate: Predicate<StoredItem>) throws -> String {
            try context.fetch(
                FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.name)])
            )
            .map(\.name).joined()
        }
        func check() throws {
            #expect(try titles(#Predicate { $0.labels?.isEmpty == true }) == "c")
            #expect(try titles(#Predicate { $0.labels?.isEmpty == false }) == "ab")
            #expect(try titles(#Predicate { ($0.labels?.count ?? 7) == 0 }) == "c")
            #expect(try titles(#Predicate { $0.labels!.count == 2 }) == "a")
            #expect(
                try titles(#Predicate { $0.labels?.contains { $0.text == "y" } == true }) == "ab"
            )
            #expect(
                try titles(#Predicate { $0.labels?.allSatisfy { $0.text == "y" } ?? false }) == "bc"
            )
            #expect(try titles(#Predicate { $0.labels == nil }) == "")
            #expect(try titles(#Predicate { $0.labels != nil }) == "abc")
            // Of one that is not there there is no list.
            #expect(try titles(#Predicate { $0.owner?.boxes.count == 2 }) == "ab")
            #expect(try titles(#Predicate { ($0.owner?.boxes.count ?? -1) == -1 }) == "c")
            #expect(try names(#Predicate { $0.box?.labels?.count == 2 }) == "xy")
            #expect(try names(#Predicate { ($0.box?.labels?.isEmpty ?? true) == false }) == "xyy")
            let loose = #Predicate<StoredItem> { ($0.box?.labels?.count ?? -1) == -1 }
            #expect(try names(loose) == "free")
            #expect(
                try names(#Predicate { $0.box?.labels?.contains { $0.text == "x" } ?? false })
                    == "xy"
            )
        }
        context.insert(StoredItem(name: "free"))
        try check()
        try context.save()
        try check()
    }

    @Test(arguments: StoreKind.allCases)
    func `a rollback brings back what a deleted object had, in its order`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.boxes())
        let owner = BoxOwner(id: 1, name: "Ann")
        owner.boxes = ["a", "b", "c"].map { StoredBox(title: $0) }
        let box = owner.boxes[0]
        box.labels = ["x", "y", "z"].map { BoxLabel($0) }
        context.insert(owner)
        try context.save()
        owner.boxes.reverse()
        box.labels?.reverse()
        try context.save()
        context.delete(owner)
        context.delete(box)
        context.rollback()
        #expect(owner.boxes.map(\.title) == ["c", "b", "a"])
        #expect(box.labels?.map(\.text) == ["z", "y", "x"])
        #expect(!context.hasChanges)
    }

    @Test
    func `an inverse that could be two is refused`() throws {
        let error = #expect(throws: StoreError.self) {
            try ModelContainer(for: TwoSided.self, configurations: MemoryConfiguration())
        }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.description.contains("first and second") == true)
    }
}

@Model final class TwoSided {
    var first: OneSided?
    var second: OneSided?
    init() {}
}

@Model final class OneSided {
    var team: TwoSided?
    init() {}
}
