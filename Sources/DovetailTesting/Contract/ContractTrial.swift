import Dovetail

/// One run of a case: makes its stores, keeps what was done, and compares.
///
/// It belongs to the task of the case. What runs on other threads gives its results back to it.
final class ContractTrial {
    /// The random choices of the case.
    lazy var random: SeededRandom = {
        var random = SeededRandom(seed: seed)
        if let capabilities = try? capabilities.get() {
            random.lacking = Set([.textWithNUL, .exactDates].filter { !capabilities.contains($0) })
        }
        return random
    }()
    private let seed: UInt64
    private let configuration: @Sendable (StoreContract.Place) throws -> any DataStoreConfiguration
    private let folder: URL
    /// As closures, because the text of a predicate costs more than putting it to a store.
    private var steps: [() -> String] = []

    init(
        _ random: SeededRandom,
        _ configuration:
            @escaping @Sendable (StoreContract.Place) throws -> any DataStoreConfiguration
    ) throws {
        seed = random.seed
        self.configuration = configuration
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dovetail-contract-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Stores

    /// A place where nothing is.
    func place() -> StoreContract.Place { StoreContract.Place(in: folder) }

    /// What the store says of itself, asked of one for a model that needs nothing.
    private lazy var capabilities = Result {
        try ModelContainer(for: [Word.self], configuration: configuration(place())).store
            .capabilities
    }

    /// The end of a case whose models the store refuses, as it says.
    struct Refused: Error {}

    /// Opens the store at a place.
    ///
    /// - Throws: ``Refused`` where the store lacks what the models need and refused them.
    func container(
        _ models: [any Model.Type],
        at place: StoreContract.Place
    ) throws -> ModelContainer {
        let needed = Set(Schema(models).bindings.flatMap(\.neededCapabilities))
        if !needed.isEmpty {
            let capabilities = try capabilities.get()
            if let lacking = needed.first(where: { !capabilities.contains($0) }) {
                step("open a store without \(lacking) for models that need it")
                try expectError(.unsupported) {
                    _ = try ModelContainer(for: models, configuration: configuration(place))
                }
                throw Refused()
            }
        }
        return try ModelContainer(for: models, configuration: configuration(place))
    }

    /// An empty store.
    func container(_ models: any Model.Type...) throws -> ModelContainer {
        try container(models, at: place())
    }

    /// A context of an empty store.
    func context(_ models: any Model.Type...) throws -> ModelContext {
        ModelContext(try container(models, at: place()))
    }

    // MARK: What was done, and what came of it

    /// Keeps what is done next, for messages.
    func step(_ text: @autoclosure @escaping () -> String) { steps.append(text) }

    /// Why a case ended.
    struct Mismatch: Error {
        let expected: String
        let found: String
    }

    /// - Throws: what ``violation(of:_:place:)`` makes a violation of, unless the two are equal.
    func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
        guard found != expected else { return }
        throw Mismatch(expected: "\(what): \(Self.text(expected))", found: Self.text(found))
    }

    /// The same for rows, of which it names the first that differs.
    func expect<Value: Equatable>(rows found: [Value], _ expected: [Value]) throws {
        guard found != expected else { return }
        guard found.count == expected.count,
            let index = found.indices.first(where: { found[$0] != expected[$0] })
        else {
            throw Mismatch(
                expected: "\(expected.count) rows: \(Self.text(expected))",
                found: "\(found.count): \(Self.text(found))"
            )
        }
        throw Mismatch(
            expected: "as row \(index) of \(found.count): \(Self.text(expected[index]))",
            found: Self.text(found[index])
        )
    }

    /// - Throws: as ``expect(_:_:_:)``, unless `holds`.
    func expect(_ what: String, _ holds: Bool) throws {
        if !holds { throw Mismatch(expected: what, found: "that it does not hold") }
    }

    /// Expects a `StoreError`, with its table and column where they are named.
    func expectError(
        _ kind: StoreError.Kind,
        _ table: String? = nil,
        _ column: String? = nil,
        _ body: () throws -> Void
    ) throws {
        let place = [table, column].compactMap { $0 }.joined(separator: ".")
        let expected = "StoreError \(kind)" + (place.isEmpty ? "" : " of \(place)")
        do {
            try body()
        } catch let error as StoreError {
            guard error.kind == kind, table == nil || error.table == table,
                column == nil || error.column == column
            else {
                throw Mismatch(
                    expected: expected,
                    found: "\(error.kind) of \(error.table ?? "-").\(error.column ?? "-"): \(error)"
                )
            }
            return
        } catch {
            throw Mismatch(expected: expected, found: "\(type(of: error)): \(error)")
        }
        throw Mismatch(expected: expected, found: "no error")
    }

    /// The same for a save that fails. What waited is forgotten afterwards.
    func expectSave(
        _ context: ModelContext,
        _ kind: StoreError.Kind,
        _ table: String? = nil,
        _ column: String? = nil
    ) throws {
        try expectError(kind, table, column) { try context.save() }
        try expect("what could not be saved still waits", context.hasChanges)
        context.rollback()
    }

    /// What is reported.
    func violation(of name: String, _ error: any Error, place: String) -> ContractViolation {
        let mismatch = error as? Mismatch
        return ContractViolation(
            name: name,
            steps: steps.map { $0() },
            expected: mismatch?.expected ?? "no error",
            found: mismatch?.found ?? "\(type(of: error)): \(error)",
            seed: seed,
            place: place
        )
    }

    /// The first 600 characters of a value.
    private static func text(_ value: some Any) -> String {
        let text = "\(value)"
        return text.count > 600 ? text.prefix(600) + "…" : text
    }
}
