/// A message, as the program and its backend know it. Nothing here says that it is stored.
public struct Message: Identifiable, Hashable, Codable, Sendable {
    public let id: Int
    public var text: String
    public var state: MessageState

    public init(id: Int, text: String, state: MessageState = .sending) {
        self.id = id
        self.text = text
        self.state = state
    }
}

/// How far a message has come.
public enum MessageState: Int, CaseIterable, Codable, Sendable {
    case sending, delivered, read
}
