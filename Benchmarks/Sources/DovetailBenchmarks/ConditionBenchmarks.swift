import CSQLite
import Dovetail

@Model final class CodedFolder {
    @Attribute(.unique) var code: String
    @Relationship(inverse: \CodedFile.folder) var files: [CodedFile] = []

    init(_ code: String) { self.code = code }
}

@Model final class CodedFile {
    var name: String
    var size: Int
    var folder: CodedFolder?

    init(_ name: String, _ size: Int) {
        self.name = name
        self.size = size
    }
}

/// Conditions that lead through a relationship, against the join that one writes by hand.
struct ConditionBenchmarks {
    let files: SQLiteFiles

    /// How many folders, how many files in each, and how many questions.
    private static let (folders, each, questions) = (10_000, 10, 1000)

    func comparisons() throws -> [Comparison] {
        let file = files.fresh()
        let container = try ModelContainer(
            for: CodedFolder.self,
            configurations: ModelConfiguration(url: file)
        )
        try fill(container)
        let join = try Join(file)
        let comparison = try Comparison.ofMinima(
            "1,000 questions through a relationship",
            goal: .withinTimes(3),
            baseline: "a join by hand, rows as a struct",
            prepare: { ModelContext(container) },
            ours: { try (ask($0), $0) },
            prepareTheirs: {},
            theirs: { try ask(join) }
        )
        return [comparison]
    }

    private func fill(_ container: ModelContainer) throws {
        let context = ModelContext(container)
        for number in 0..<Self.folders {
            let folder = CodedFolder("F\(number)")
            folder.files = (0..<Self.each).map { CodedFile("File \($0)", $0) }
            context.insert(folder)
        }
        try context.save()
        try container.store.checkpoint()
    }

    private func ask(_ context: ModelContext) throws {
        var sum = 0
        for number in 0..<Self.questions {
            let code = "F\(number * 7)"
            let found = try context.fetch(
                FetchDescriptor<CodedFile>(predicate: #Predicate { $0.folder?.code == code })
            )
            for file in found { sum += file.size }
        }
        try expect(sum == Self.questions * Self.each * (Self.each - 1) / 2)
    }

    private func ask(_ join: Join) throws {
        var sum = 0
        for number in 0..<Self.questions {
            for file in try join.files(of: "F\(number * 7)") { sum += file.size }
        }
        try expect(sum == Self.questions * Self.each * (Self.each - 1) / 2)
    }
}

/// The join, prepared once.
private final class Join {
    struct File {
        let id: Int
        let name: String
        let size: Int
    }

    private var handle: OpaquePointer?
    private var statement = HandStatement(handle: nil)

    init(_ file: URL) throws {
        let code = sqlite3_open_v2(
            file.path,
            &handle,
            SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
            nil
        )
        guard code == SQLITE_OK else { throw HandStatement.Failure(code: code) }
        var prepared: OpaquePointer?
        let sql = """
            SELECT f."$id", f.name, f.size FROM CodedFolder d JOIN CodedFile f ON f.folder = d."$id" \
            WHERE d.code = ?1
            """
        let result = sqlite3_prepare_v2(handle, sql, -1, &prepared, nil)
        guard result == SQLITE_OK else { throw HandStatement.Failure(code: result) }
        statement = HandStatement(handle: prepared)
    }

    deinit {
        sqlite3_finalize(statement.handle)
        sqlite3_close_v2(handle)
    }

    func files(of code: String) throws -> [File] {
        statement.bind(1, code)
        defer { sqlite3_reset(statement.handle) }
        var files: [File] = []
        while try statement.step() {
            files.append(
                File(id: statement.integer(0), name: statement.text(1), size: statement.integer(2))
            )
        }
        return files
    }
}
