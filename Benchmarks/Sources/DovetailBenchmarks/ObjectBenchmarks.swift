import CSQLite
import Dovetail
import Observation

/// The flat record as a managed object.
@Model final class ObjectRecord {
    var number: Int
    var name: String
    var email: String
    var age: Int
    var score: Double
    var isActive: Bool
    var city: String

    init(_ record: FlatRecord) {
        number = record.id
        name = record.name
        email = record.email
        age = record.age
        score = record.score
        isActive = record.isActive
        city = record.city
    }
}

/// What one writes without a store.
@Observable final class ObservedRecord {
    var number: Int
    var name: String
    var email: String
    var age: Int

    init(_ record: FlatRecord) {
        number = record.id
        name = record.name
        email = record.email
        age = record.age
    }
}

@Model final class ObjectFolder {
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \ObjectFile.folder) var files: [ObjectFile] = []

    init(title: String) { self.title = title }
}

@Model final class ObjectFile {
    var name: String
    var size: Int
    var folder: ObjectFolder?

    init(name: String, size: Int) {
        self.name = name
        self.size = size
    }
}

/// Managed objects against values of the same rows, `@Observable` classes, and SQLite's C API with
/// the same statements. Times are minima of rounds in turn.
struct ObjectBenchmarks {
    private let files: SQLiteFiles
    private let records = FlatRecord.samples(100_000)

    static func run() throws -> [Comparison] {
        try SQLiteFiles.with { files in
            let benchmarks = ObjectBenchmarks(files: files)
            return try [
                benchmarks.fetching(), benchmarks.memory(), benchmarks.reading(),
                benchmarks.changing(), benchmarks.inserting(), benchmarks.appending(),
            ] + FaultBenchmarks(files: files).comparisons()
                + ConditionBenchmarks(files: files).comparisons()
                + LargeValueBenchmarks(files: files).comparisons()
        }
    }

    private func container(_ file: URL) throws -> ModelContainer {
        try ModelContainer(
            for: ObjectRecord.self,
            FlatRecord.self,
            ObjectFolder.self,
            configurations: ModelConfiguration(url: file)
        )
    }

    /// A store that has all records as rows of both models.
    private func full() throws -> (container: ModelContainer, file: URL) {
        let file = files.fresh()
        let container = try container(file)
        let context = ModelContext(container)
        context.insert(contentsOf: records)
        for record in records { context.insert(ObjectRecord(record)) }
        try context.save()
        try container.store.checkpoint()
        return (container, file)
    }

    private func fetching() throws -> Comparison {
        let container = try full().container
        return try Comparison.ofMinima(
            "fetch 100k objects",
            goal: .withinTimes(2),
            baseline: "fetch 100k values",
            prepare: { ModelContext(container) },
            ours: { try $0.fetch(FetchDescriptor<ObjectRecord>()) },
            prepareTheirs: { ModelContext(container) },
            theirs: { try $0.fetch(FetchDescriptor<FlatRecord>()) }
        )
    }

    /// What an object takes beside its values, after each attribute was read.
    private func memory() throws -> Comparison {
        let file = try full().file
        let objects = try OwnProcess.run("memory-of-objects", "objects", file.path)
        let values = try OwnProcess.run("memory-of-objects", "values", file.path)
        try expect(objects.count == 1 && values.count == 1)
        let more = (objects[0] - values[0]) * 1024 * 1024 / Double(records.count)
        return Comparison(
            name: "memory of an object beside its values",
            goal: .withinTimes(1),
            baseline: "what was promised",
            ratio: more / 200,
            ours: more,
            theirs: 200,
            unit: "B"
        )
    }

    /// What the child process does: prints the megabytes of the objects, or values, of a file.
    static func printMemory(_ arguments: ArraySlice<String>) throws {
        let url = URL(fileURLWithPath: arguments.last ?? "")
        let container = try ModelContainer(
            for: ObjectRecord.self,
            FlatRecord.self,
            ObjectFolder.self,
            configurations: ModelConfiguration(url: url)
        )
        let context = ModelContext(container)
        // What is made once is not of the objects.
        _ = try context.fetch(FetchDescriptor<FlatRecord>(predicate: #Predicate { $0.id < 10 }))
        _ = try context.fetch(
            FetchDescriptor<ObjectRecord>(predicate: #Predicate { $0.number < 10 })
        )
        let before = try OwnProcess.megabytes("VmRSS")
        var sum = 0.0
        if arguments.first == "objects" {
            let objects = try context.fetch(FetchDescriptor<ObjectRecord>())
            for object in objects {
                sum += Double(object.number + object.age) + object.score
                sum += Double(object.name.utf8.count + object.email.utf8.count)
                sum += Double(object.city.utf8.count) + (object.isActive ? 1 : 0)
            }
            print(try OwnProcess.megabytes("VmRSS") - before)
            withExtendedLifetime(objects) {}
        } else {
            let values = try context.fetch(FetchDescriptor<FlatRecord>())
            print(try OwnProcess.megabytes("VmRSS") - before)
            withExtendedLifetime(values) {}
        }
    }

    private func reading() throws -> Comparison {
        let name = "read an attribute, above @Observable"
        let context = ModelContext(try container(files.fresh()))
        let few = records.prefix(1000)
        let objects = few.map(ObjectRecord.init)
        for object in objects { context.insert(object) }
        try context.save()
        let observed = few.map(ObservedRecord.init)
        let rounds = 1000
        let comparison = try Comparison.ofMinima(
            name,
            goal: .none,
            baseline: "",
            ours: {
                var sum = 0
                for _ in 0..<rounds { for object in objects { sum &+= object.age } }
                try expect(sum > 0)
            },
            theirs: {
                var sum = 0
                for _ in 0..<rounds { for object in observed { sum &+= object.age } }
                try expect(sum > 0)
            }
        )
        // It was left out.
        if comparison.ratio.isNaN { return comparison }
        let reads = Double(rounds * objects.count)
        let (ours, theirs) = (comparison.ours * 1e6 / reads, comparison.theirs * 1e6 / reads)
        return Comparison(
            name: name,
            goal: .withinTimes(1),
            baseline: "3 ns more than an @Observable class",
            ratio: (ours - theirs) / 3,
            ours: ours,
            theirs: theirs,
            unit: "ns"
        )
    }

    private func changing() throws -> Comparison {
        let (container, file) = try full()
        let hand = try HandDatabase<FlatRecord>(files.copy(of: file))
        let rows = hand.prepare(#"SELECT "age", "$id" FROM "ObjectRecord""#)
        var keys: [(age: Int, key: Int)] = []
        while try rows.step() { keys.append((rows.integer(0), rows.integer(1))) }
        let change = hand.prepare(
            #"UPDATE "ObjectRecord" SET "age" = ?1 WHERE "$id" = ?2 AND "age" IS ?3"#
        )
        return try Comparison.ofMinima(
            "save 100k changed objects",
            goal: .withinTimes(1.5),
            baseline: "C API, the same statements",
            rounds: 5,
            prepare: {
                let context = ModelContext(container)
                let objects = try context.fetch(FetchDescriptor<ObjectRecord>())
                for object in objects { object.age += 1 }
                return (context, objects)
            },
            ours: { try $0.0.save() },
            prepareTheirs: {},
            theirs: { _ in
                try hand.transaction {
                    for index in keys.indices {
                        change.bind(1, keys[index].age + 1)
                        change.bind(2, keys[index].key)
                        change.bind(3, keys[index].age)
                        try change.run()
                        keys[index].age += 1
                    }
                }
            }
        )
    }

    /// A thousand folders of a hundred files each, and the places of these in their order.
    private func inserting() throws -> Comparison {
        let empty = files.fresh()
        _ = try container(empty)
        return try Comparison.ofMinima(
            "insert a graph of 100k objects",
            goal: .withinTimes(1.5),
            baseline: "C API, the same statements",
            rounds: 5,
            prepare: {
                let folders = (0..<1000).map { ObjectFolder(title: "Folder \($0)") }
                for folder in folders {
                    folder.files = (0..<100).map { ObjectFile(name: "File \($0)", size: $0) }
                }
                return (ModelContext(try container(files.copy(of: empty))), folders)
            },
            ours: { context, folders in
                for folder in folders { context.insert(folder) }
                try context.save()
            },
            prepareTheirs: { try HandDatabase<FlatRecord>(files.copy(of: empty)) },
            theirs: { hand in
                let folder = hand.prepare(
                    #"INSERT INTO "ObjectFolder" ("title", "$id") VALUES (?1, ?2)"#
                )
                let file = hand.prepare(
                    #"INSERT INTO "ObjectFile" ("name", "size", "folder", "#
                        + #""ObjectFolder$files$order", "$id") VALUES (?1, ?2, ?3, ?4, ?5)"#
                )
                try hand.transaction {
                    for number in 0..<1000 {
                        folder.bind(1, "Folder \(number)")
                        folder.bind(2, number)
                        try folder.run()
                        for place in 0..<100 {
                            file.bind(1, "File \(place)")
                            file.bind(2, place)
                            file.bind(3, number)
                            file.bind(4, (place + 1) << 20)
                            file.bind(5, number * 100 + place)
                            try file.run()
                        }
                    }
                }
            }
        )
    }

    private func appending() throws -> Comparison {
        let container = try container(files.fresh())
        let time =
            (0..<5).map { _ in
                let context = ModelContext(container)
                let folder = ObjectFolder(title: "full")
                context.insert(folder)
                let files = (0..<10_000).map { ObjectFile(name: "File \($0)", size: $0) }
                return Comparison.milliseconds { for file in files { folder.files.append(file) } }
            }
            .min() ?? 0
        return Comparison(
            name: "append 10k objects to a relationship",
            goal: .withinTimes(1),
            baseline: "what was promised",
            ratio: time / 100,
            ours: time,
            theirs: 100
        )
    }
}
