import Dovetail

/// Who takes part in the chat: a row as it is, without a counterpart.
@Model public struct Contact: Identifiable, Equatable, Sendable {
    public let id: Int
    public var name: String

    public init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}

extension Chat {
    /// All contacts, by their number.
    public func contacts() throws -> [Contact] {
        try context.fetch(FetchDescriptor<Contact>(sortBy: [SortDescriptor(\.id)]))
    }

    /// What would make the stored contacts these.
    public func plan(_ contacts: [Contact]) throws -> SynchronizePlan {
        try context.plan(contacts)
    }

    /// Makes the stored contacts these, as it was planned.
    public func apply(_ plan: SynchronizePlan, _ contacts: [Contact]) throws {
        try context.apply(plan, of: contacts)
        try context.save()
    }

    /// Puts back what a plan has changed.
    public func undo(_ plan: SynchronizePlan) throws {
        try plan.undo(in: context)
        try context.save()
    }
}
