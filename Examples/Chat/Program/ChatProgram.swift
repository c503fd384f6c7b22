import ChatModel
import Dovetail
import Stores

/// Keeps the messages of a backend, in a SQLite file, on a server (`postgresql://…`) or, without an argument, in memory.
@main
struct ChatProgram {
    static func main() {
        do {
            // The line that says where the messages are.
            let configuration = chosenStore()
            let chat = try Chat(configuration)
            try run(chat)
            try runContacts(chat)
        } catch {
            print("The program stopped: \(error)")
            exit(1)
        }
    }

    private static func run(_ chat: Chat) throws {
        try receive(
            """
            [{"id":1,"text":"Are you there?","state":1},
             {"id":2,"text":"I am at the door.","state":1},
             {"id":3,"text":"Hello?","state":0}]
            """,
            chat
        )
        try chat.star(2)

        // One was read, one was withdrawn, and there is an answer.
        let later = """
            [{"id":4,"text":"Coming!","state":1},
             {"id":2,"text":"I am at the door.","state":2},
             {"id":1,"text":"Are you there?","state":1}]
            """
        try receive(later, chat)
        print("starred: \(try chat.starredNumbers()), rows of states: \(try chat.stateCount())")
        try receive(later, chat)
    }

    /// Contacts are rows, for which a plan says what would change before anything does.
    private static func runContacts(_ chat: Chat) throws {
        func show(_ what: String) throws {
            print("\(what): \(try chat.contacts().map(\.name).joined(separator: ", "))")
        }
        let first = [Contact(id: 1, name: "Ann"), Contact(id: 2, name: "Bob")]
        try chat.apply(chat.plan(first), first)
        try show("contacts")

        let later = [Contact(id: 2, name: "Robert"), Contact(id: 3, name: "Cleo")]
        let plan = try chat.plan(later)
        print("planned for \(plan)")
        try chat.apply(plan, later)
        try show("applied")
        print("planned for \(try chat.plan(later))")
        try chat.undo(plan)
        try show("undone")
    }

    private static func receive(_ sent: String, _ chat: Chat) throws {
        let messages = try JSONDecoder().decode([Message].self, from: Data(sent.utf8))
        print("received: \(try chat.receive(messages))")
        for message in try chat.messages() {
            print("  \(message.id) \(message.text) (\(message.state))")
        }
    }
}
