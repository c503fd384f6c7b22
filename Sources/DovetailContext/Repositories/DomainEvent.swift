/// Something that has happened to the objects of a program, in its own words.
///
/// ```swift
/// struct BoxRemoved: DomainEvent { let box: BoxID }
/// ```
///
/// It is a value that tells all of it: the objects may have changed again when it is heard of.
public protocol DomainEvent: Sendable {}

/// The wish to hear of events, which ends with it: keep it as long as you want to hear of them.
public final class EventSubscription {
    /// Hands an event on; nil after the end.
    private var deliver: ((any DomainEvent) -> Void)?

    init(_ deliver: @escaping (any DomainEvent) -> Void) {
        self.deliver = deliver
    }

    /// Ends the subscription, as letting go of it does.
    public func cancel() {
        deliver = nil
    }

    var isCancelled: Bool { deliver == nil }

    func hear(_ event: any DomainEvent) {
        deliver?(event)
    }
}
