import Dovetail
import StoreTestSupport
import Testing

@Model final class EventParcel {
    @Attribute(.unique) var id: Int

    init(id: Int) { self.id = id }
}

private struct ParcelSent: DomainEvent, Equatable { let id: Int }
private struct ParcelLost: DomainEvent, Equatable { let id: Int }

/// What was heard, in its order.
private final class Heard {
    var ids: [Int] = []
}

private struct Failure: Error {}

struct DomainEventTests {
    private func context(_ kind: StoreKind) throws -> (ModelContext, Heard, EventSubscription) {
        let context = ModelContext(try kind.container(EventParcel.self))
        let heard = Heard()
        let subscription = context.events.subscribe(to: ParcelSent.self) { heard.ids.append($0.id) }
        return (context, heard, subscription)
    }

    private func send(_ id: Int, _ context: ModelContext) {
        context.insert(EventParcel(id: id))
        context.events.record(ParcelSent(id: id))
    }

    @Test(arguments: StoreKind.allCases)
    func `events are published after a save, and not after a rollback`(_ kind: StoreKind) throws {
        let (context, heard, subscription) = try context(kind)
        defer { subscription.cancel() }
        send(1, context)
        #expect(heard.ids.isEmpty)
        context.rollback()
        try context.save()
        #expect(heard.ids.isEmpty)

        send(2, context)
        send(3, context)
        context.events.record(ParcelLost(id: 4))
        try context.save()
        #expect(heard.ids == [2, 3])
        try context.save()
        #expect(heard.ids == [2, 3])

        // Without a change of an object, a save publishes, too.
        context.events.record(ParcelSent(id: 5))
        try context.save()
        #expect(heard.ids == [2, 3, 5])
    }

    @Test(arguments: StoreKind.allCases)
    func `a save that fails publishes nothing, and the event waits`(_ kind: StoreKind) throws {
        let (context, heard, subscription) = try context(kind)
        defer { subscription.cancel() }
        let (first, second) = (EventParcel(id: 1), EventParcel(id: 2))
        context.insert(first)
        context.insert(second)
        try context.save()
        second.id = 1
        context.events.record(ParcelSent(id: 2))
        #expect(throws: StoreError.self) { try context.save() }
        #expect(heard.ids.isEmpty)
        second.id = 3
        try context.save()
        #expect(heard.ids == [2])
    }

    @Test(arguments: StoreKind.allCases)
    func `events of a transaction are published when the outermost one ends`(
        _ kind: StoreKind
    ) throws {
        let (context, heard, subscription) = try context(kind)
        defer { subscription.cancel() }
        send(1, context)
        try context.transaction {
            send(2, context)
            try context.save()
            send(3, context)
            context.rollback()  // what was saved in the transaction stays
            try? context.transaction {
                send(4, context)
                try context.save()
                throw Failure()
            }
            try context.transaction { send(5, context) }
            #expect(heard.ids.isEmpty)
        }
        #expect(heard.ids == [1, 2, 5])
        #expect(throws: Failure.self) {
            try context.transaction {
                send(6, context)
                try context.save()
                throw Failure()
            }
        }
        try context.save()
        #expect(heard.ids == [1, 2, 5])
    }

    @Test(arguments: StoreKind.allCases)
    func `who hears of an event may save, and events keep their order`(_ kind: StoreKind) throws {
        let (context, heard, subscription) = try context(kind)
        defer { subscription.cancel() }
        var failed = 0
        let follower = context.events.subscribe(to: ParcelSent.self) { event in
            guard event.id < 3 else { return }
            context.insert(EventParcel(id: event.id + 10))
            context.events.record(ParcelSent(id: event.id + 10))
            do { try context.save() } catch { failed += 1 }
        }
        defer { follower.cancel() }
        send(1, context)
        send(2, context)
        try context.save()
        #expect(heard.ids == [1, 2, 11, 12] && failed == 0)
        #expect(try context.fetchCount(FetchDescriptor<EventParcel>()) == 4)
    }

    @Test func `a subscription ends with its token`() {
        let place = EntitiesInMemory()
        let heard = Heard()
        var all: EventSubscription? = place.events.subscribe(to: (any DomainEvent).self) { event in
            heard.ids.append((event as? ParcelSent)?.id ?? 0)
        }
        let lost = place.events.subscribe(to: ParcelLost.self) { heard.ids.append(-$0.id) }
        place.events.record(ParcelSent(id: 1))
        place.events.record(ParcelLost(id: 2))
        place.save()
        #expect(heard.ids == [1, 0, -2])
        withExtendedLifetime(all) { all = nil }
        place.events.record(ParcelLost(id: 3))
        place.save()
        #expect(heard.ids == [1, 0, -2, -3])
        lost.cancel()
        place.events.record(ParcelLost(id: 4))
        place.save()
        #expect(heard.ids == [1, 0, -2, -3])

        // One that is cancelled by another is not called any more.
        var second: EventSubscription?
        let first = place.events.subscribe(to: ParcelSent.self) { _ in second?.cancel() }
        second = place.events.subscribe(to: ParcelSent.self) { heard.ids.append($0.id) }
        place.events.record(ParcelSent(id: 5))
        place.save()
        #expect(heard.ids == [1, 0, -2, -3])
        withExtendedLifetime(first) {}
    }
}
