import Dovetail
import DovetailTesting
import TaskModels
import Testing

extension Model {
    /// Reads a document.
    fileprivate init(json: String) throws {
        try self.init(decoding: Data(json.utf8), as: .json)
    }

    /// The document as text.
    fileprivate func json() throws -> String {
        String(decoding: try encoded(as: .json), as: UTF8.self)
    }
}

/// An object and a value are the same task.
struct TwinTests {
    /// What holds for each kind of task.
    private func check<Twin: TaskType>(_ read: (String) throws -> Twin) throws {
        let known: [Int: TaskStatus] = [0: .open, 1: .closed, 2: .invalidated]
        for number in [0, 1, 2, 3, 7, -1, -2, .max, .min] {
            let document = #"{"id":1,"title":"paint","status":\#(number)}"#
            let task = try read(document)
            #expect(task.status == known[number] ?? .unknown)
            var same = task
            same.status = .unknown
            #expect(same.status == task.status)
            for status in TaskStatus.allCases where status != .unknown {
                same.status = status
                #expect(same.status == status)
            }
        }
        var task = try read(#"{"id":1}"#)
        #expect(task.status == .open && task.title.isEmpty)
        task.reopen()
        #expect(task.status == .open)
        task.close()
        #expect(task.status == .closed)
        task.reopen()
        #expect(task.status == .open)
        task.status = .invalidated
        task.close()
        #expect(task.status == .invalidated)
    }

    @Test func `both keep the same rules`() throws {
        try check { try TaskItem(json: $0) }
        try check { try TaskValue(json: $0) }
    }

    @Test func `both have the same document, with a number that nobody knows`() throws {
        for number in [0, 1, 2, 7, -3] {
            let document = #"{"id":4,"title":"paint","status":\#(number)}"#
            let (object, value) = (try TaskItem(json: document), try TaskValue(json: document))
            #expect(try object.json() == document)
            #expect(try value.json() == document)
            #expect(object.value == value)
            object.title = "old"
            object.status = .unknown
            #expect(try object.json() == document.replacingOccurrences(of: "paint", with: "old"))
        }
    }

    @Test func `each reads and writes what the other one does`() throws {
        var closed = TaskValue(id: 2, title: "feed")
        closed.close()
        try checkTwins(TaskItem.self, [TaskValue(id: 1), closed])
    }

    @Test(arguments: Place.allCases)
    func `a task goes to a value and back`(_ place: Place) throws {
        try place.withContainer { container in
            var values = (0..<5).map { TaskValue(id: $0, title: "task \($0)", list: "house") }
            values[1].close()
            values[2].status = .invalidated
            values[3] = try TaskValue(json: #"{"id":3,"status":12}"#)
            let context = ModelContext(container)
            for value in values { try TaskItem.update(with: value, in: context) }
            try context.save()

            let later = ModelContext(container)
            let found = try later.fetch(FetchDescriptor<TaskItem>()).map(\.value)
            #expect(found.sorted { $0.id < $1.id } == values)
            #expect(try TaskList.named("house", in: later).tasks.map(\.id) == [0, 1, 2, 4])
        }
    }
}
