import Dovetail
import StoreTestSupport
import Testing

@Model
struct Part: Equatable, Comparable, Sendable {
    var code: String

    static func < (left: Part, right: Part) -> Bool { left.code < right.code }
}

extension Part: Codable {}

@Model
struct Machine: Identifiable, Sendable {
    let id: Int
    var name: String
    var tags: [String]
    var part: Part
    var spare: Part?
    var price: Decimal
    var optPrice: Decimal?
    var unsigned: UInt64
    var speed: Double
    var optSpeed: Double?
    var tested: Bool
    var labels: [String: String] = [:]
    var label: String { name }
}

private let prices = ["a": 1, "b": 2]
private let names = ["x", "a"]

@Suite struct UnsupportedPredicateTests {

    /// What is refused, and a word that the error has to say.
    static let refused: [(Predicate<Machine>, String)] = [
        (#Predicate { $0.part < $0.part }, "part"),
        (#Predicate { $0.label == "a" }, "Machine"),
        (#Predicate { $0.label.count == 1 }, "Machine"),
        (#Predicate { $0.name.hashValue == 1 }, "name"),
        (#Predicate { $0.labels.contains { $0.value == "a" } }, "labels"),
        (#Predicate { $0.spare?.code == "a" && $0.label == "b" }, "Machine"),
        // To look a stored value up in a captured collection gave nil for each row.
        (#Predicate { prices[$0.name] == 1 }, "captured collection"),
        (#Predicate { prices[$0.name] == nil }, "captured collection"),
        (#Predicate { (prices[$0.name] ?? 9) == 9 }, "captured collection"),
        (#Predicate { names[$0.id] == "a" }, "captured collection"),
        (#Predicate { names[$0.id].count == 1 }, "captured collection"),
    ]

    @Test(arguments: refused.indices)
    func `what no store understands is an error that names it`(index: Int) throws {
        let (predicate, word) = Self.refused[index]
        let context = ModelContext(try .inMemory(Machine.self))
        let comment: Comment = "\(predicate)"
        for read in reads(predicate) {
            let error = #expect(throws: QueryError.self, comment) { try read(context) }
            #expect(
                error?.description.contains(word) == true,
                "\(error.map(String.init(describing:)) ?? "")"
            )
        }
        #expect(!context.hasChanges)
    }

    private func reads(_ predicate: Predicate<Machine>) -> [(ModelContext) throws -> Void] {
        [
            { _ = try $0.fetch(FetchDescriptor(predicate: predicate)) },
            { _ = try $0.fetchCount(FetchDescriptor(predicate: predicate)) },
            { context in
                defer { context.rollback() }
                try context.delete(model: Machine.self, where: predicate)
                try context.save()
            },
        ]
    }

    @Test(arguments: StoreKind.allCases)
    func `constants that no column can hold`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Machine.self))
        let most = UInt64.max
        let predicates: [Predicate<Machine>] = [
            #Predicate { $0.unsigned < most }, #Predicate { [most].contains($0.unsigned) },
        ]
        for predicate in predicates {
            #expect(throws: QueryError.self) {
                try context.fetch(FetchDescriptor(predicate: predicate))
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a failed query leaves what waits`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Pet.self))
        context.insert(Pet(1, "Rex"))
        #expect(throws: QueryError.self) {
            try context.delete(model: Pet.self, where: #Predicate { $0.name.hashValue == 1 })
        }
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Pet>()) == 1)
    }
}

@Suite struct UnsupportedOrderTests {
    static let refused: [(SortDescriptor<Machine>, String)] = [
        (SortDescriptor(\.label, comparator: .lexical), "Machine"),
        (SortDescriptor(\.part), "part"),
        (SortDescriptor(\.part.code.hashValue), "code"),
    ]

    @Test(arguments: refused.indices)
    func `an order that no store has is an error that names it`(index: Int) throws {
        let (order, word) = Self.refused[index]
        let context = ModelContext(try .inMemory(Machine.self))
        let error = #expect(throws: QueryError.self) {
            try context.fetch(FetchDescriptor(sortBy: [order]))
        }
        #expect(
            error?.description.contains(word) == true,
            "\(error.map(String.init(describing:)) ?? "")"
        )
    }

    @Test func `an order by the number of a relationship says what to do`() throws {
        let context = ModelContext(try .inMemory(Harbor.self))
        let order = SortDescriptor(\Harbor.berths.count)
        let error = #expect(throws: QueryError.self) {
            try context.fetch(FetchDescriptor(sortBy: [order]))
        }
        #expect(error?.description.contains("keep it in an attribute") == true)
    }

    @Test(arguments: [(-1, nil), (nil, -1), (Int.min, 3)] as [(Int?, Int?)])
    func `a limit or offset below 0`(limit: Int?, offset: Int?) throws {
        let context = ModelContext(try .inMemory(Machine.self))
        var descriptor = FetchDescriptor<Machine>()
        descriptor.fetchLimit = limit
        descriptor.fetchOffset = offset
        let error = #expect(throws: QueryError.self) { try context.fetch(descriptor) }
        #expect(error?.description.contains("Machine") == true)
        #expect(throws: QueryError.self) { try context.fetchCount(descriptor) }
    }

    @Test(arguments: StoreKind.allCases)
    func `a model that the container was made without`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Machine.self))
        let error = #expect(throws: StoreError.self) { try context.fetch(FetchDescriptor<Pet>()) }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.table == "Pet")
        context.insert(Pet(1, "Rex"))
        #expect(throws: StoreError.self) { try context.save() }
        #expect(throws: StoreError.self) { try context.delete(model: Pet.self) }
    }
}
