import Dovetail
import DovetailTesting
import StoreTestSupport

// What the tests of several processes start. The first argument says what to do, the second one
// names the database.

/// Prints at once, so that what was printed is known also when the process is killed.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
}

/// Opens the database of the tests; `history` among the arguments keeps one.
func container(
    _ models: [any Model.Type],
    busyTimeout: Duration = .seconds(30)
) throws -> ModelContainer {
    let url = URL(fileURLWithPath: CommandLine.arguments[2])
    var configuration = ModelConfiguration(url: url, busyTimeout: busyTimeout)
    if CommandLine.arguments.contains("history") { configuration.history = StoreHistory() }
    return try ModelContainer(for: models, configuration: configuration)
}

/// `save FILE SEED`: one random step after the other, until the process is killed. Prints `o` before
/// the file is opened, and a point after each save. Now and then it empties the write-ahead log.
func save() throws {
    var random = SeededRandom(seed: UInt64(CommandLine.arguments[3]) ?? 0)
    say("o")
    let context = ModelContext(try container([Entry.self]))
    var state = try Ledger.state(in: context)
    var saves = 0
    while true {
        let step = Ledger.Step(of: state, using: &random)
        try step.enqueue(in: context)
        try context.save()
        state = step.applied(to: state)
        say(".")
        saves += 1
        if saves % 7 == 0 { try context.container.store.checkpoint() }
    }
}

/// `count FILE PROCESS ROUNDS TIMEOUT`: increments one of four counters in each round. Prints how
/// often the file was locked.
func count() throws {
    let process = Int(CommandLine.arguments[3]) ?? 0
    let rounds = Int(CommandLine.arguments[4]) ?? 0
    let timeout = Duration.milliseconds(Int(CommandLine.arguments[5]) ?? 0)
    let context = ModelContext(
        try container([Counter.self, Round.self], busyTimeout: .seconds(30))
    )
    var locked = 0
    var opened: ModelContext?
    while opened == nil {
        do {
            opened = ModelContext(
                try container([Counter.self, Round.self], busyTimeout: timeout)
            )
        } catch let error as StoreError where error.kind == .locked && timeout == .zero {
            locked += 1
        }
    }
    guard let impatient = opened else { return }
    for number in 0..<rounds {
        func round(_ context: ModelContext) throws {
            try context.transaction {
                let id = number % 4
                let found = try context.fetch(
                    FetchDescriptor<Counter>(predicate: #Predicate { $0.id == id })
                )
                context.upsert(Counter(id: id, value: (found.first?.value ?? 0) + 1))
                context.insert(Round(process: process, number: number))
            }
        }
        do {
            try round(impatient)
        } catch let error as StoreError where error.kind == .locked {
            locked += 1
            try round(context)
        }
    }
    say("\(locked)")
}

/// `open FILE first|second`: waits until the input ends, opens the file and saves something. Prints
/// `ok` or the kind of the error.
func open() throws {
    _ = FileHandle.standardInput.readDataToEndOfFile()
    let isFirst = CommandLine.arguments[3] == "first"
    do {
        let models = isFirst ? RivalModels.first : RivalModels.second
        let context = ModelContext(try container(models))
        let id = Int(ProcessInfo.processInfo.processIdentifier)
        if isFirst {
            context.insert(FirstRival(id: id, name: "first"))
        } else {
            context.insert(SecondRival(id: id, weight: 0.5))
        }
        try context.save()
        say("ok")
    } catch let error as StoreError {
        say("\(error.kind)")
    }
}

do {
    switch CommandLine.arguments.count > 2 ? CommandLine.arguments[1] : "" {
    case "save": try save()
    case "count": try count()
    case "open": try open()
    case "rounds": try rounds()
    default: say("unknown")
    }
} catch {
    say("\(error)")
    exit(1)
}
