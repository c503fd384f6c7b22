import Dovetail

// What stands for messages in a store, and how one becomes the other. Another kind of store would be
// another file like this one.

@Model public final class StoredMessage {
    @Attribute(.unique) var number: Int
    var text: String
    /// Only the store knows it; a backend does not.
    var isStarred = false
    var state: StoredState?

    init(number: Int, text: String, state: StoredState) {
        self.number = number
        self.text = text
        self.state = state
    }
}

/// One row for each state, to which all messages refer.
@Model public final class StoredState {
    @Attribute(.unique) var number: Int

    init(number: Int) { self.number = number }
}

extension MessageState: Migratable {
    public static func build(from stored: StoredState) -> MessageState? {
        MessageState(rawValue: stored.number)
    }

    public func export(to context: ModelContext) throws -> StoredState {
        let number = rawValue
        let known = FetchDescriptor<StoredState>(predicate: #Predicate { $0.number == number })
        if let known = try context.fetch(known).first { return known }
        let stored = StoredState(number: number)
        context.insert(stored)
        return stored
    }
}

extension Message: Migratable {
    public static func build(from stored: StoredMessage) -> Message? {
        guard let state = stored.state.flatMap(MessageState.build) else { return nil }
        return Message(id: stored.number, text: stored.text, state: state)
    }

    public func export(to context: ModelContext) throws -> StoredMessage {
        let state = try state.export(to: context)
        let stored = StoredMessage(number: id, text: text, state: state)
        context.insert(stored)
        return stored
    }

    public func update(_ stored: StoredMessage, in context: ModelContext) throws {
        stored.text = text
        stored.state = try state.export(to: context)
    }
}

/// The messages of a chat, for programs that need not know how they are stored.
public struct Chat {
    let context: ModelContext

    /// Opens a chat.
    ///
    /// - Parameter configuration: Where its messages are.
    public init(_ configuration: any DataStoreConfiguration) throws {
        context = ModelContext(
            try ModelContainer(
                for: [StoredMessage.self, StoredState.self, Contact.self],
                configuration: configuration
            )
        )
    }

    /// All messages, by their number.
    public func messages() throws -> [Message] {
        try context.fetch(FetchDescriptor<StoredMessage>(sortBy: [SortDescriptor(\.number)]))
            .compactMap(Message.build)
    }

    /// Makes the stored messages those of the backend; gives what that has changed.
    public func receive(_ messages: [Message]) throws -> String {
        let result = try messages.synchronize(in: context)
        try context.save()
        return "\(result)"
    }

    /// Marks a message, which the backend does not know of.
    public func star(_ id: Int) throws {
        try starred(where: #Predicate { $0.number == id }).forEach { $0.isStarred = true }
        try context.save()
    }

    /// The numbers of the messages that are marked.
    public func starredNumbers() throws -> [Int] {
        try starred(where: #Predicate { $0.isStarred }).map(\.number)
    }

    /// How many rows there are for the states of all messages.
    public func stateCount() throws -> Int {
        try context.fetchCount(FetchDescriptor<StoredState>())
    }

    private func starred(where predicate: Predicate<StoredMessage>) throws -> [StoredMessage] {
        try context.fetch(FetchDescriptor(predicate: predicate))
    }
}
