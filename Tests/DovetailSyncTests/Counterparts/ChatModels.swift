import Dovetail

// The seed's example: messages and their states, kept as objects.

struct ChatMessage: Identifiable, Hashable, Sendable {
    let id: Int
    var text: String
    var state = ChatState.sending
}

enum ChatState: Int, CaseIterable, Sendable { case sending, delivered, read }

@Model final class StoredMessage {
    @Attribute(.unique) var number: Int
    var text: String
    /// What only the counterpart has.
    var isStarred = false
    var state: StoredState?
    @Relationship(deleteRule: .cascade, inverse: \StoredNote.message) var notes: [StoredNote] = []

    init(number: Int, text: String, state: StoredState?) {
        self.number = number
        self.text = text
        self.state = state
    }
}

@Model final class StoredState {
    @Attribute(.unique) var number: Int
    init(number: Int) { self.number = number }
}

/// What refers to a message.
@Model final class StoredNote {
    var text: String
    var message: StoredMessage?

    init(text: String, message: StoredMessage) {
        self.text = text
        self.message = message
    }
}

extension ChatState: Migratable {
    static func build(from stored: StoredState) -> ChatState? { ChatState(rawValue: stored.number) }

    func export(to context: ModelContext) throws -> StoredState {
        let number = rawValue
        let known = FetchDescriptor<StoredState>(predicate: #Predicate { $0.number == number })
        if let known = try context.fetch(known).first { return known }
        let stored = StoredState(number: rawValue)
        context.insert(stored)
        return stored
    }
}

extension ChatMessage: Migratable {
    static func build(from stored: StoredMessage) -> ChatMessage? {
        guard let state = stored.state.flatMap(ChatState.build) else { return nil }
        return ChatMessage(id: stored.number, text: stored.text, state: state)
    }

    func export(to context: ModelContext) throws -> StoredMessage {
        let stored = StoredMessage(number: id, text: text, state: try state.export(to: context))
        context.insert(stored)
        return stored
    }

    func update(_ stored: StoredMessage, in context: ModelContext) throws {
        stored.text = text
        stored.state = try state.export(to: context)
    }
}

// The same kept as values, as entities anywhere, and in an array.

/// A message whose counterpart is a struct with `@Model`, without an update of its own.
struct PlainMessage: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String
}

@Model struct MessageRow: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String
}

extension PlainMessage: Migratable {
    static func build(from row: MessageRow) -> PlainMessage? {
        row.text.isEmpty ? nil : PlainMessage(id: row.id, text: row.text)
    }

    func export(to context: ModelContext) -> MessageRow {
        let row = MessageRow(id: id, text: text)
        context.insert(row)
        return row
    }
}

@Model final class MessageEntity: EntityWithID {
    @Attribute(.unique) var id: Int
    var text = ""
    init(id: Int) { self.id = id }
}

/// A message whose counterpart is an entity, in a store or anywhere.
struct EntityMessage: Hashable, Sendable {
    var number: Int
    var text: String
}

extension EntityMessage: Migratable {
    static func build(from entity: MessageEntity) -> EntityMessage? {
        EntityMessage(number: entity.id, text: entity.text)
    }

    func export(to context: any EntityContext) throws -> MessageEntity {
        let entity = try MessageEntity.findOrCreate(id: number, in: context)
        entity.text = text
        return entity
    }
}

/// The same in a context that is known to be one.
struct ContextMessage: Identifiable, Equatable, Sendable, Migratable {
    let id: Int

    static func build(from entity: MessageEntity) -> ContextMessage? { Self(id: entity.id) }

    func export(to context: ModelContext) throws -> MessageEntity {
        try MessageEntity.findOrCreate(id: id, in: context)
    }
}

/// The same in memory.
struct MemoryMessage: Identifiable, Equatable, Sendable, Migratable {
    let id: Int

    static func build(from entity: MessageEntity) -> MemoryMessage? { Self(id: entity.id) }

    func export(to memory: EntitiesInMemory) throws -> MessageEntity {
        try MessageEntity.findOrCreate(id: id, in: memory)
    }
}

/// Lines of a file: neither objects nor values of a store.
final class LineFile {
    var lines: [String] = []
    /// After how many more calls one fails; nil for never.
    var failure: Int?
    private(set) var calls = 0

    struct Failure: Error {}

    func call() throws {
        calls += 1
        guard let left = failure else { return }
        failure = left - 1
        if left == 0 { throw Failure() }
    }
}

/// A word that is neither `Identifiable` nor `Hashable`.
struct Word: Equatable {
    var text: String
}

extension Word: Migratable {
    static func build(from line: String) -> Word? { line.isEmpty ? nil : Word(text: line) }

    func export(to file: LineFile) throws -> String {
        try file.call()
        file.lines.append(text)
        return text
    }

    static func delete(_ line: String, from file: LineFile) throws {
        try file.call()
        if let index = file.lines.firstIndex(of: line) { file.lines.remove(at: index) }
    }
}

/// An object whose `id` is its address.
final class WordObject: Identifiable {
    let text: String
    init(_ text: String) { self.text = text }
}

extension WordObject: Migratable {
    static func == (left: WordObject, right: WordObject) -> Bool { left.text == right.text }
    static func build(from line: String) -> WordObject? { WordObject(line) }

    func export(to file: LineFile) -> String {
        file.lines.append(text)
        return text
    }

    static func delete(_ line: String, from file: LineFile) { file.lines.removeAll { $0 == line } }
}
