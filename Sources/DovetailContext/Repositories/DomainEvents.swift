/// The events of one context: what has happened waits until it is saved, and then those who have
/// subscribed hear of it.
///
/// ```swift
/// let subscription = context.events.subscribe(to: BoxRemoved.self) { print("removed \($0.box)") }
/// context.delete(box)
/// context.events.record(BoxRemoved(box: box.id))
/// try context.save()      // removed 7
/// ```
///
/// It belongs to whoever the context belongs to, and subscribers are called where the context is saved.
public final class DomainEvents {
    /// What waits for a save.
    struct Waiting {
        var events: [any DomainEvent] = []
        /// How many of the events a save in an open transaction has written: a rollback leaves them.
        var written = 0
    }

    private struct Subscriber {
        weak var subscription: EventSubscription?
    }

    var waiting = Waiting()
    private var published: [any DomainEvent] = []
    private var isPublishing = false
    private var subscribers: [Subscriber] = []

    /// Makes a place without events, such as for an ``EntityContext`` of your own.
    public init() {}

    /// Notes that something has happened. It is published with the next save of the context, and
    /// forgotten with a rollback. A save that fails publishes nothing, and the event still waits.
    public func record(_ event: some DomainEvent) {
        waiting.events.append(event)
    }

    /// Calls `body` with each event of a type that is published from now on, in the order in which they
    /// were recorded.
    ///
    /// - Parameters:
    ///   - type: The type of the events; `(any DomainEvent).self` for all of them.
    ///   - body: What hears of them. It may change and save the context: events of that are published
    ///     after those that are being published.
    /// - Returns: The subscription, which ends when nobody keeps it.
    /// - Complexity: linear in the number of subscriptions.
    public func subscribe<Event>(
        to type: Event.Type,
        _ body: @escaping (Event) -> Void
    ) -> EventSubscription {
        let subscription = EventSubscription { event in
            if let event = event as? Event { body(event) }
        }
        forgetEnded()
        subscribers.append(Subscriber(subscription: subscription))
        return subscription
    }

    /// Publishes what waits. A context calls it when it is saved, with the changes stored.
    ///
    /// - Complexity: the number of events times that of subscriptions.
    public func publish() {
        published += waiting.events
        waiting = Waiting()
        guard !isPublishing else { return }
        isPublishing = true
        defer { isPublishing = false }
        while !published.isEmpty {
            let events = published
            published = []
            for event in events {
                for subscriber in subscribers { subscriber.subscription?.hear(event) }
            }
        }
        forgetEnded()
    }

    /// Forgets what waits. A context calls it when it takes back what was changed.
    public func forget() {
        waiting.events.removeSubrange(waiting.written...)
    }

    /// Notes that what waits was written in a transaction that is still open.
    func markWritten() {
        waiting.written = waiting.events.count
    }

    private func forgetEnded() {
        subscribers.removeAll { $0.subscription?.isCancelled ?? true }
    }
}

extension ModelContext {
    /// What has happened in this context, in the words of the program: published when ``save()`` or the
    /// outermost ``transaction(_:)`` has stored the changes, and forgotten by ``rollback()`` and by a
    /// transaction that throws.
    public var events: DomainEvents {
        if let madeEvents { return madeEvents }
        let events = DomainEvents()
        madeEvents = events
        return events
    }
}
