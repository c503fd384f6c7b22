import Dovetail
import StoreTestSupport
import Testing

/// A table with a second unique column.
@Suite struct UniqueValueTests {
    private let folder: TemporaryFolder
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        context = ModelContext(try .file(folder.file(), Country.self))
        try RawDatabase(folder.file()).execute("CREATE UNIQUE INDEX names ON Country (name)")
        try context.store([Country(code: "a", name: "1"), Country(code: "b", name: "2")])
    }

    private func expect(_ given: [Country]) throws {
        try context.synchronize(given)
        try context.save()
        let order = [SortDescriptor(\Country.code, comparator: .lexical)]
        #expect(try context.fetch(FetchDescriptor(sortBy: order)) == given)
    }

    @Test func `a value passes from a deleted row to a new one`() throws {
        try expect([Country(code: "b", name: "2"), Country(code: "c", name: "1")])
    }

    @Test func `a value passes from a deleted row to an updated one`() throws {
        try expect([Country(code: "b", name: "1")])
    }

    @Test func `a value passes from an updated row to a new one`() throws {
        try expect([
            Country(code: "a", name: "3"), Country(code: "b", name: "2"),
            Country(code: "c", name: "1"),
        ])
    }

    @Test func `two rows swap a value`() throws {
        try expect([Country(code: "a", name: "2"), Country(code: "b", name: "1")])
    }

    @Test func `values that stay taken are refused, and nothing changes`() throws {
        context.update([Country(code: "a", name: "3"), Country(code: "b", name: "3")])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        context.rollback()
        let stored = try context.fetch(FetchDescriptor<Country>())
        #expect(stored == [Country(code: "a", name: "1"), Country(code: "b", name: "2")])
    }
}
