import Dovetail
import DovetailSQL
import StoreTestSupport
import Testing

@Model struct Street: Equatable, Sendable { var name: String; var number: Int? }
@Model struct Site: Equatable, Sendable {
    var city: String
    var street: Street?
    var doors: [Int] = []
}
@Model struct Stall: Identifiable, Equatable, Sendable {
    let id: Int
    var site: Site
    var branch: Site?
    var price: Decimal = 0
    var tags: [String] = []
    var stock: [String: Int] = [:]
    var notes: [String]?
}

/// Rows in the order of a part of an embedded model.
@Suite struct EmbeddedOrderTests {
    private static let stalls = [
        Stall(id: 1, site: Site(city: "Bonn", street: Street(name: "B", number: 10)), branch: nil),
        Stall(
            id: 2,
            site: Site(city: "Aachen", street: nil),
            branch: Site(city: "Ulm", street: Street(name: "A", number: 9))
        ),
        Stall(
            id: 3,
            site: Site(city: "Bonn", street: Street(name: "A", number: nil)),
            branch: Site(city: "Essen", street: nil),
            price: 1
        ),
        Stall(id: 4, site: Site(city: "bonn", street: Street(name: "C", number: 9)), branch: nil),
    ]

    private static let orders: [([SortDescriptor<Stall>], [Int])] = [
        ([SortDescriptor(\.site.city, comparator: .lexical)], [2, 1, 3, 4]),
        ([SortDescriptor(\.site.city, comparator: .lexical, order: .reverse)], [4, 1, 3, 2]),
        ([SortDescriptor(\.site.street?.name, comparator: .lexical)], [2, 3, 1, 4]),
        ([SortDescriptor(\.site.street?.number)], [2, 3, 4, 1]),
        ([SortDescriptor(\.site.street?.number, order: .reverse)], [1, 4, 2, 3]),
        ([SortDescriptor(\.branch?.city, comparator: .lexical)], [1, 4, 3, 2]),
        ([SortDescriptor(\.branch!.city, comparator: .lexical)], [1, 4, 3, 2]),
        (
            [SortDescriptor(\.branch?.street?.number), SortDescriptor(\.price, order: .reverse)],
            [3, 1, 4, 2]
        ),
    ]

    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(Stall.self))
        context.insert(contentsOf: Self.stalls)
        try context.save()
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `rows come in the order of a part`(kind: StoreKind) throws {
        let context = try context(kind)
        var checked = 0
        for (order, ids) in Self.orders {
            var descriptor = FetchDescriptor<Stall>(sortBy: order)
            #expect(try context.fetch(descriptor).map(\.id) == ids, "\(ids)")
            (descriptor.fetchLimit, descriptor.fetchOffset) = (2, 1)
            #expect(try context.fetch(descriptor).map(\.id) == Array(ids[1...2]))
            #expect(try context.select(.value(\Stall.id), sortBy: order) == ids)
            (descriptor.fetchLimit, descriptor.fetchOffset) = (1, nil)
            var pages: [Int] = []
            while let last = try context.fetch(descriptor).first {
                pages.append(last.id)
                descriptor.after = last
            }
            #expect(pages == ids)
            checked += 1
        }
        #expect(checked == Self.orders.count)
    }

    @Test(arguments: StoreKind.allCases)
    func `rows that wait are put in their places`(kind: StoreKind) throws {
        let context = try context(kind)
        context.insert(Stall(id: 0, site: Site(city: "Berlin", street: nil), branch: nil))
        let order = SortDescriptor(\Stall.site.city, comparator: .lexical)
        let found = try context.fetch(FetchDescriptor<Stall>(sortBy: [order]))
        #expect(found.map(\.id) == [2, 0, 1, 3, 4])
    }

    @Test(arguments: StoreKind.allCases)
    func `parts are columns, groups and extremes`(kind: StoreKind) throws {
        let context = try context(kind)
        #expect(try context.min(\Stall.site.city) == "Aachen")
        #expect(try context.max(\Stall.site.street?.number) == 10)
        #expect(try context.max(\Stall.branch?.city) == "Ulm")
        let numbers = try context.select(.value(\Stall.site.street?.number), .count())
        #expect(numbers.map { $0.0 } == [nil, 9, 10])
        #expect(numbers.map { $0.1 } == [2, 1, 1])
    }

    @Test(arguments: StoreKind.allCases)
    func `how much text and collections hold is a part as well`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Stall.self))
        var stalls = Self.stalls
        stalls[0].tags = ["a", "b"]
        stalls[2].tags = ["c"]
        stalls[3].stock = ["nut": 1]
        context.insert(contentsOf: stalls)
        try context.save()
        func ids(_ order: SortDescriptor<Stall>...) throws -> [Int] {
            try context.fetch(FetchDescriptor<Stall>(sortBy: order)).map(\.id)
        }
        #expect(try ids(SortDescriptor(\.tags.count, order: .reverse)) == [1, 3, 2, 4])
        let stock = SortDescriptor(\Stall.stock.count, order: .reverse)
        #expect(try ids(SortDescriptor(\.site.city.count), stock) == [4, 1, 3, 2])
        stalls[0].notes = ["a", "b"]
        stalls[1].notes = []
        stalls[1].branch?.doors = [1, 2, 3]
        stalls[2].branch?.doors = [1]
        context.update(stalls)
        try context.save()
        #expect(try ids(SortDescriptor(\.notes?.count), SortDescriptor(\.id)) == [3, 4, 2, 1])
        #expect(try ids(SortDescriptor(\.branch?.doors.count, order: .reverse)) == [2, 3, 1, 4])
        #expect(try context.max(\Stall.branch?.doors.count) == 3)
        let empty = try context.select(.value(\Stall.notes?.isEmpty), .count())
        #expect(empty.map { $0.0 } == [nil, false, true] && empty.map { $0.1 } == [2, 1, 1])
        #expect(try context.sum(\Stall.tags.count) == 3)
        #expect(try context.max(\Stall.site.city.count) == 6)
        let sizes = try context.select(.value(\Stall.tags.isEmpty), .count())
        #expect(sizes.map { $0.0 } == [false, true])
        #expect(sizes.map { $0.1 } == [2, 2])
    }

    @Test func `the statement calls back for the part, and says that no index can serve`() throws {
        let context = try context(.sqlite)
        let order = SortDescriptor(\Stall.site.city, comparator: .lexical, order: .reverse)
        let all = try context.explain(FetchDescriptor<Stall>(sortBy: [order]))
        #expect(
            all.statement.hasSuffix(
                #" FROM "Stall" ORDER BY dovetail_evaluate(?1, "site") DESC, "id""#
            )
        )
        #expect(all.steps.contains("sorts the rows for order by"))
        #expect(all.advice?.hasPrefix("No index can serve this order") == true)
        let some = FetchDescriptor<Stall>(predicate: #Predicate { $0.price > 1 }, sortBy: [order])
        let advice = try #require(try context.explain(some).advice)
        #expect(advice.split(separator: "\n").count == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `what has no order is an error`(kind: StoreKind) throws {
        let context = try context(kind)
        for order in [
            SortDescriptor(\Stall.site.city.hashValue),
            SortDescriptor(\Stall.branch?.city.hashValue),
        ] {
            let error = #expect(throws: QueryError.self) {
                try context.fetch(FetchDescriptor<Stall>(sortBy: [order]))
            }
            #expect(error?.description.contains("Stall") == true)
        }
    }
}
