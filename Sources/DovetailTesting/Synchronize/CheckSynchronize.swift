public import Dovetail
import DovetailSync
import Foundation

/// Checks that a model is kept in step with a backend, whatever happens on the way: a simulation of a backend
/// and of two clients, each with a store of its own.
///
/// The backend and both clients change values at random. The clients ask for whole lists in pages, and for what
/// has changed since a token. Pages come twice, in any order, with values that have moved to another page while
/// they were read, or not at all; runs break off and are cancelled before each page and before the rows are
/// saved; clients are closed and opened again; tokens follow no clock; some lists wait in a table of their own.
/// What has to hold:
///
/// - A run that has failed has changed nothing.
/// - After one that has not, each attribute that the client has changed itself has its own value, and every
///   other one that of the backend; the same run again changes nothing.
/// - A client tells what it has changed, and nothing else.
/// - In the end, when both have told the backend what they have changed, all are equal.
///
/// ```swift
/// @Test func users() async throws {
///     try await checkSynchronize(User.samples)        // [User(1, "Ann"), User(1, "Eve"), User(2, "Bob"), …]
/// }
/// ```
///
/// Any combination of versions has to be one that a store can hold: a unique attribute has to differ between
/// identifiers. Clients merge attribute by attribute where the store knows what was changed, and change nothing
/// where it does not.
///
/// - Complexity: a run or a few for each step, of all values.
/// - Parameters:
///   - values: Versions of values; those with one identifier are versions of one value.
///   - others: Further models of the container, to which the values refer.
///   - steps: How much happens.
///   - seed: Repeats the random choices; by default `DOVETAIL_SEED` of the environment, or a new one. The
///     error says it.
///   - fileID: The place of the check in messages. Leave it out.
///   - line: The same.
///   - configuration: Says how a store at a file is opened; by default SQLite with a history.
///   - prepare: Stores what the values refer to, in each new store.
/// - Throws: ``LawViolations``, of ``LawViolation/Law/synchronize``, whose document is what has happened.
public func checkSynchronize<Value: Model & Identifiable & Sendable>(
    _ values: [Value],
    others: [any Model.Type] = [],
    steps: Int = 100,
    seed: UInt64? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    configuration: @escaping (URL) throws -> any DataStoreConfiguration = { url in
        var configuration = ModelConfiguration(url: url)
        configuration.history = StoreHistory()
        return configuration
    },
    prepare: (ModelContext) throws -> Void = { _ in }
) async throws where Value.ID: Sendable {
    let random = SeededRandom(seed: seed)
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("dovetail-simulation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let simulation = try SynchronizeSimulation(values, random) { name in
        let place = try configuration(folder.appendingPathComponent("\(name).sqlite"))
        return try ModelContainer(for: [Value.self] + others, configuration: place)
    }
    do {
        try simulation.begin(prepare)
        // Small enough for lists in parts.
        let limits = StageLimits(mostInMemory: max(2, values.count / 4), partSize: 3)
        try await StageLimits.$current.withValue(limits) {
            for _ in 0..<steps { try await simulation.step() }
            try await simulation.end()
        }
    } catch {
        let violation = LawViolation(
            law: .synchronize,
            model: Value.modelTable,
            explanation: "\(error)",
            document: simulation.log.suffix(20).joined(separator: "\n"),
            seed: random.seed
        )
        throw LawViolations(violations: [violation], place: "\(fileID):\(line)")
    }
}
