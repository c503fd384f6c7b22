import Dovetail
import StoreTestSupport
import Testing

/// `update(_:where:)` of classes whose objects a context has.
@Suite struct BulkUpdateTests {
    private func context(_ kind: StoreKind) throws -> (ModelContext, [StoredBox]) {
        let context = ModelContext(try kind.boxes())
        let boxes = ["a", "b", "c"].map { StoredBox(title: $0) }
        for box in boxes {
            box.weight = 1
            context.insert(box)
        }
        try context.save()
        return (context, boxes)
    }

    private func stored(_ context: ModelContext) throws -> [String] {
        try ModelContext(context.container).fetch(FetchDescriptor<StoredBox>())
            .map { "\($0.title) \($0.weight ?? 0)" }.sorted()
    }

    @Test(arguments: StoreKind.allCases)
    func `objects know at once, and are in no conflict with their context`(
        _ kind: StoreKind
    ) throws {
        let (context, boxes) = try context(kind)
        try context.update(StoredBox.self, where: #Predicate { $0.title != "c" }) {
            try $0.set(\.weight, 42)
        }
        #expect(boxes.map(\.weight) == [42, 42, 1])
        try context.save()
        boxes[0].weight = 43
        try context.save()
        #expect(try stored(context) == ["a 43.0", "b 42.0", "c 1.0"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction that throws gives objects back what they were`(_ kind: StoreKind) throws {
        let (context, boxes) = try context(kind)
        let new = StoredBox(title: "new")
        new.weight = 2
        context.insert(new)
        boxes[0].weight = 3
        #expect(throws: CancellationError.self) {
            try context.transaction {
                try context.update(StoredBox.self) {
                    try $0.set(\.weight, 42)
                    try $0.set(\.tags, ["set"])
                }
                #expect(boxes[0].weight == 42 && new.weight == 42)
                throw CancellationError()
            }
        }
        #expect((boxes + [new]).map(\.weight) == [3, 1, 1, 2])
        #expect((boxes + [new]).allSatisfy { $0.tags.isEmpty })
        try context.save()
        #expect(try stored(context) == ["a 3.0", "b 1.0", "c 1.0", "new 2.0"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what waits is seen, and what comes later stays`(_ kind: StoreKind) throws {
        let (context, boxes) = try context(kind)
        boxes[0].title = "changed"
        context.insert(StoredBox(title: "new"))
        try context.update(
            StoredBox.self,
            where: #Predicate { $0.title == "changed" || $0.title == "new" }
        ) {
            try $0.set(\.weight, 5)
        }
        try context.update(StoredBox.self, where: #Predicate { $0.title == "b" }) {
            try $0.increment(\.weight, by: 1)
        }
        boxes[1].weight = 9
        try context.save()
        #expect(try stored(context) == ["b 9.0", "c 1.0", "changed 5.0", "new 5.0"])
        try context.update(StoredBox.self) { try $0.increment(\.weight, by: 1) }
        context.rollback()
        #expect(boxes.map(\.weight) == [5, 9, 1])
    }

    @Test(arguments: StoreKind.allCases)
    func `in a transaction, and by a context without objects`(_ kind: StoreKind) throws {
        let (context, boxes) = try context(kind)
        try context.transaction {
            try context.update(StoredBox.self) { try $0.set(\.weight, 99) }
            try context.save()
            boxes[0].weight = (boxes[0].weight ?? 0) + 1
        }
        #expect(try stored(context) == ["a 100.0", "b 99.0", "c 99.0"])
        let other = ModelContext(context.container)
        try other.update(StoredBox.self, where: #Predicate { $0.title == "a" }) {
            try $0.increment(\.weight, by: -1)
        }
        try other.save()
        #expect(try stored(context) == ["a 99.0", "b 99.0", "c 99.0"])
        context.processPendingChanges()
        #expect(boxes[0].weight == 99)
    }

    @Test(arguments: StoreKind.allCases)
    func `a new object that is deleted and changed in a transaction that throws`(
        _ kind: StoreKind
    ) throws {
        struct Stop: Error {}
        let (context, _) = try context(kind)
        let new = StoredBox(title: "new")
        context.insert(new)
        #expect(throws: Stop.self) {
            try context.transaction {
                context.delete(new)
                new.weight = 9
                throw Stop()
            }
        }
        #expect(new.weight == nil)
        try context.save()
        #expect(try stored(context).last == "new 0.0")
    }

    /// How an update is forgotten that waited while its objects were read for the first time.
    enum Forgetting: CaseIterable { case rollback, transaction, inner, saved }

    @Test(arguments: StoreKind.allCases, Forgetting.allCases)
    func `objects that are read while it waits are what is stored when it is forgotten`(
        _ kind: StoreKind,
        _ forgetting: Forgetting
    ) throws {
        let (first, _) = try context(kind)
        let context = ModelContext(first.container)
        let all = FetchDescriptor<StoredBox>(sortBy: [SortDescriptor(\.title)])
        var boxes: [StoredBox] = []
        func update() throws {
            try context.update(StoredBox.self) { try $0.set(\.weight, 10) }
            boxes = try context.fetch(all)
            #expect(boxes.map(\.weight) == [10, 10, 10])
        }
        switch forgetting {
        case .rollback:
            try update()
            context.rollback()
        case .transaction:
            #expect(throws: CancellationError.self) {
                try context.transaction {
                    try update()
                    throw CancellationError()
                }
            }
        case .inner:
            try context.transaction {
                #expect(throws: CancellationError.self) {
                    try context.transaction {
                        try update()
                        throw CancellationError()
                    }
                }
            }
        case .saved:
            #expect(throws: CancellationError.self) {
                try context.transaction {
                    try context.update(StoredBox.self) { try $0.set(\.weight, 10) }
                    try context.save()
                    boxes = try context.fetch(all)
                    #expect(boxes.map(\.weight) == [10, 10, 10])
                    throw CancellationError()
                }
            }
        }
        context.processPendingChanges()
        #expect(boxes.map(\.weight) == [1, 1, 1])
        #expect(try context.fetch(all).map(\.weight) == [1, 1, 1] && !context.hasChanges)
        boxes[0].weight = 2
        try context.save()
        #expect(try stored(context) == ["a 2.0", "b 1.0", "c 1.0"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what others save meanwhile is no matter`(_ kind: StoreKind) throws {
        let (first, others) = try context(kind)
        let context = ModelContext(first.container)
        try context.update(StoredBox.self) { try $0.set(\.weight, 10) }
        let boxes = try context.fetch(
            FetchDescriptor<StoredBox>(sortBy: [SortDescriptor(\.title)])
        )
        others[0].title = "A"
        try first.save()
        context.processPendingChanges()
        try context.save()
        #expect(boxes.map(\.weight) == [10, 10, 10] && boxes[0].title == "A")
        boxes[0].weight = 11
        try context.save()
        #expect(try stored(context) == ["A 11.0", "b 10.0", "c 10.0"])
    }

    @Test(arguments: StoreKind.allCases)
    func `objects of subclasses, and all of them or none`(_ kind: StoreKind) throws {
        let context = ModelContext(
            try kind.container(BulkTrip.self, BulkBusinessTrip.self, BulkFlight.self)
        )
        let trips = [BulkTrip(days: 1), BulkBusinessTrip(days: 2), BulkFlight(days: 3)]
        for trip in trips { context.insert(trip) }
        try context.save()
        func stored() throws -> [String] {
            try ModelContext(context.container).fetch(FetchDescriptor<BulkTrip>())
                .map { trip in
                    let cost = (trip as? BulkBusinessTrip).map { " \($0.cost) \($0.fee)" } ?? ""
                    let gate = (trip as? BulkFlight).map { " \($0.gate)" } ?? ""
                    return "\(trip.days) \(trip.nights)\(cost)\(gate)"
                }
                .sorted()
        }
        try context.update(BulkTrip.self) { try $0.set(\.nights, 7) }
        #expect(trips.map(\.nights) == [7, 7, 7])
        try context.save()
        #expect(try stored() == ["1 7", "2 7 1 2", "3 7 g"])
        try context.update(BulkBusinessTrip.self) {
            try $0.increment(\.days, by: 10)
            try $0.set(\.fee, 5)
        }
        try context.update(BulkTrip.self, where: #Predicate { $0 is BulkFlight }) {
            try $0.increment(\.days, by: 1)
        }
        try context.save()
        #expect(try stored() == ["1 7", "12 7 1 5", "4 7 g"])
        #expect(throws: StoreError.self) {
            try context.update(BulkTrip.self) { try $0.increment(\.days, by: .max - 5) }
        }
        #expect(trips.map(\.days) == [1, 12, 4] && !context.hasChanges)
    }
}

@Model class BulkTrip {
    var days: Int
    var nights = 100

    init(days: Int) { self.days = days }
}

@Model final class BulkBusinessTrip: BulkTrip {
    var cost = 1
    var fee = 2

    override init(days: Int) { super.init(days: days) }
}

@Model final class BulkFlight: BulkTrip {
    var gate = "g"

    override init(days: Int) { super.init(days: days) }
}
