import Dovetail
import StoreTestSupport
import Testing

@Suite struct ScaleTests {
    /// A quadratic comparison of these would take minutes.
    @Test(.timeLimit(.minutes(10)))
    func `twenty thousand rows`() throws {
        let count = 20_000
        let context = ModelContext(try .inMemory(User.self, Country.self))
        let users = (0..<count).map { User($0, "user \($0)") }
        #expect(try context.synchronize(users.reversed()).inserted.count == count)
        try context.save()
        var given = users
        for id in stride(from: 0, to: count, by: 100) { given[id].age = 1 }
        given.removeLast(100)
        given += (count..<count + 50).map { User($0, "new") }
        let result = try context.synchronize(given)
        #expect(result.description == "50 inserted, 199 updated, 100 deleted, 19701 unchanged")
        try context.save()
        #expect(try context.synchronize(given.shuffled()).isEmpty)

        let countries = (0..<count).map { Country(code: "code \($0)", name: "") }
        try context.synchronize(countries)
        try context.save()
        #expect(try context.synchronize(countries.reversed()).unchanged == count)
    }
}
