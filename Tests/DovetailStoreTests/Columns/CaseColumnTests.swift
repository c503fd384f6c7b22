import Dovetail
import StoreTestSupport
import Testing

@Model
private struct Job: Equatable, Identifiable {
    var id: Int
    var state: State
    var last: State?

    @Model
    enum State: Equatable { case idle, running(since: Int, String?) }
}

/// Enums whose cases have values are documents in a column.
struct CaseColumnTests {
    @Test
    func `round trip`() throws {
        let container = try ModelContainer(
            for: Job.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let jobs = [
            Job(id: 1, state: .idle), Job(id: 2, state: .running(since: 3, "a"), last: .idle),
        ]
        let context = ModelContext(container)
        for job in jobs { context.insert(job) }
        try context.save()
        let found = try context.fetch(FetchDescriptor<Job>(sortBy: [SortDescriptor(\.id)]))
        #expect(found == jobs)
    }
}
