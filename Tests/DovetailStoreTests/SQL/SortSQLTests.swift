import Dovetail
import Testing

@Suite struct SortSQLTests {
    @Test func `both directions, the most important first`() throws {
        try expect(
            FetchDescriptor(sortBy: [SortDescriptor(\.id, order: .reverse)]),
            sql: #" ORDER BY "id" DESC"#,
            ids: [4, 3, 2, 1]
        )
        try expect(
            FetchDescriptor(sortBy: [
                SortDescriptor(\.weight, order: .reverse), SortDescriptor(\.id, order: .reverse),
            ]),
            sql: #" ORDER BY "weight" DESC, "id" DESC"#,
            ids: [1, 4, 2, 3]
        )
    }

    @Test func `nil comes first, or last in reverse`() throws {
        try expect(
            FetchDescriptor(sortBy: [SortDescriptor(\.age)]),
            sql: #" ORDER BY "age""#,
            ids: [3, 4, 1, 2]
        )
        try expect(
            FetchDescriptor(sortBy: [SortDescriptor(\.age, order: .reverse)]),
            sql: #" ORDER BY "age" DESC"#,
            ids: [2, 1, 4, 3]
        )
    }

    @Test func `text in the order of its scalars`() throws {
        try expect(
            FetchDescriptor(sortBy: [SortDescriptor(\.name, comparator: .lexical)]),
            sql: #" ORDER BY "name""#,
            ids: [3, 2, 1, 4]
        )
    }

    @Test func `limit and offset`() throws {
        var descriptor = FetchDescriptor<Pet>(sortBy: [SortDescriptor(\.id)])
        descriptor.fetchLimit = 2
        try expect(descriptor, sql: #" ORDER BY "id" LIMIT 2"#, ids: [1, 2])
        descriptor.fetchOffset = 3
        try expect(descriptor, sql: #" ORDER BY "id" LIMIT 2 OFFSET 3"#, ids: [4])
        descriptor.fetchLimit = nil
        try expect(descriptor, sql: #" ORDER BY "id" LIMIT -1 OFFSET 3"#, ids: [4])
        descriptor.fetchLimit = 0
        try expect(descriptor, sql: #" ORDER BY "id" LIMIT 0 OFFSET 3"#, ids: [])
        descriptor.fetchOffset = 0
        try expect(descriptor, sql: #" ORDER BY "id" LIMIT 0"#, ids: [])
    }

    @Test func `filter, order and limit together`() throws {
        var descriptor = FetchDescriptor<Pet>(
            predicate: #Predicate { $0.isTame },
            sortBy: [SortDescriptor(\.weight)]
        )
        descriptor.fetchLimit = 2
        try expect(
            descriptor,
            sql: #" WHERE "isTame" ORDER BY "weight" LIMIT 2"#,
            ids: [3, 4]
        )
    }
}
