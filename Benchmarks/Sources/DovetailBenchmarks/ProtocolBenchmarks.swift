import Dovetail

/// A query over a model protocol against one query for each of its eight conformers, whose values a
/// program boxes and merges by itself.
enum ProtocolBenchmarks {
    static func run(_ files: SQLiteFiles) throws -> [Comparison] {
        let container = try ModelContainer(
            for: [
                Badger.self, Beaver.self, Fox.self, Hare.self, Lynx.self, Marten.self, Otter.self,
                Wolf.self,
            ],
            configuration: ModelConfiguration(url: files.fresh())
        )
        let context = ModelContext(container)
        fill(context, Badger.self, 0)
        fill(context, Beaver.self, 1)
        fill(context, Fox.self, 2)
        fill(context, Hare.self, 3)
        fill(context, Lynx.self, 4)
        fill(context, Marten.self, 5)
        fill(context, Otter.self, 6)
        fill(context, Wolf.self, 7)
        try context.save()
        return try [nil, 50].map { try compare(context, limit: $0) }
    }

    /// Names of all models lie between each other.
    private static func name(_ number: Int, _ place: Int) -> String {
        let mixed = (number * 7919 + place * 104_729) % 1_000_003
        return "\(mixed) of them"
    }

    private static func fill<Value: Animal & Model & Identifiable>(
        _ context: ModelContext,
        _ type: Value.Type,
        _ place: Int
    ) {
        for number in 0..<12_500 {
            let (age, weight, isTagged) = (number % 40, Double(number), number.isMultiple(of: 2))
            let name = name(number, place)
            context.insert(
                Value(id: number, name: name, age: age, weight: weight, isTagged: isTagged)
            )
        }
    }

    private static func compare(_ context: ModelContext, limit: Int?) throws -> Comparison {
        func byProtocol() throws -> [any Animal] {
            var descriptor = FetchDescriptor<any Animal>(
                predicate: #Predicate { $0.age >= 5 },
                sortBy: [SortDescriptor(\.name, comparator: .lexical)]
            )
            descriptor.fetchLimit = limit
            return try context.fetch(descriptor)
        }
        func byHand() throws -> [any Animal] {
            let lists = try [
                sorted(context, Badger.self, limit), sorted(context, Beaver.self, limit),
                sorted(context, Fox.self, limit), sorted(context, Hare.self, limit),
                sorted(context, Lynx.self, limit), sorted(context, Marten.self, limit),
                sorted(context, Otter.self, limit), sorted(context, Wolf.self, limit),
            ]
            return merged(lists, limit)
        }
        let (ours, theirs) = (try byProtocol(), try byHand())
        try expect(ours.map(\.name) == theirs.map(\.name))
        try expect(ours.count == limit ?? 87_480)
        return try Comparison.ofMinima(
            limit.map { "first \($0) of 8 conformers, by name" } ?? "rows of 8 conformers, by name",
            goal: .withinTimes(1.2),
            baseline: "8 fetches, boxed and merged by hand",
            ours: byProtocol,
            theirs: byHand
        )
    }

    private static func sorted<Value: Animal & Model>(
        _ context: ModelContext,
        _ type: Value.Type,
        _ limit: Int?
    ) throws -> [any Animal] {
        var descriptor = FetchDescriptor<Value>(
            predicate: type.isOld(5),
            sortBy: [type.byName]
        )
        descriptor.fetchLimit = limit
        return try context.fetch(descriptor)
    }

    /// The first of the lists' first values, again and again. Their names are held beside them.
    private static func merged(_ lists: [[any Animal]], _ limit: Int?) -> [any Animal] {
        var result: [any Animal] = []
        result.reserveCapacity(min(limit ?? .max, lists.reduce(0) { $0 + $1.count }))
        var places = lists.map { _ in 0 }
        var heads = lists.map { $0.first?.name }
        while result.count < limit ?? .max {
            var best: Int?
            for (index, head) in heads.enumerated() {
                guard let head else { continue }
                if let known = best, let least = heads[known], least <= head { continue }
                best = index
            }
            guard let best else { break }
            result.append(lists[best][places[best]])
            places[best] += 1
            let isAtEnd = places[best] == lists[best].count
            heads[best] = isAtEnd ? nil : lists[best][places[best]].name
        }
        return result
    }
}

@ModelProtocol protocol Animal {
    var name: String { get }
    var age: Int { get }

    init(id: Int, name: String, age: Int, weight: Double, isTagged: Bool)
    static func isOld(_ age: Int) -> Predicate<Self>
    static var byName: SortDescriptor<Self> { get }
}

@Model struct Badger: Animal, Identifiable {
    var id: Int
    var name: String
    var age: Int
    var weight: Double
    var isTagged: Bool

    static func isOld(_ age: Int) -> Predicate<Self> { #Predicate { $0.age >= age } }
    static var byName: SortDescriptor<Self> { SortDescriptor(\.name, comparator: .lexical) }
}

@Model struct Beaver: Animal, Identifiable {
    var id: Int
    var name: String
    var age: Int
    var weight: Double
    var isTagged: Bool

    static func isOld(_ age: Int) -> Predicate<Self> { #Predicate { $0.age >= age } }
    static var byName: SortDescriptor<Self> { SortDescriptor(\.name, comparator: .lexical) }
}

@Model struct Fox: Animal, Identifiable {
    var id: Int
    var name: String
    var age: Int
    var weight: Double
    var isTagged: Bool

    static func isOld(_ age: Int) -> Predicate<Self> { #Predicate { $0.age >= age } }
    static var byName: SortDescriptor<Self> { SortDescriptor(\.name, comparator: .lexical) }
}

@Model struct Hare: Animal, Identifiable {
    var id: Int
    var name: String
    var age: Int
    var weight: Double
    var isTagged: Bool

    static func isOld(_ age: Int) -> Predicate<Self> { #Predicate { $0.age >= age } }
    static var byName: SortDescriptor<Self> { SortDescriptor(\.name, comparator: .lexical) }
}

@Model struct Lynx: Animal, Identifiable {
    var id: Int
    var name: String
    var age: Int
    var weight: Double
    var isTagged: Bool

    static func isOld(_ age: Int) -> Predicate<Self> { #Predicate { $0.age >= age } }
    static var byName: SortDescriptor<Self> { SortDescriptor(\.name, comparator: .lexical) }
}

@Model struct Marten: Animal, Identifiable {
    var id: Int
    var name: String
    var age: Int
    var weight: Double
    var isTagged: Bool

    static func isOld(_ age: Int) -> Predicate<Self> { #Predicate { $0.age >= age } }
    static var byName: SortDescriptor<Self> { SortDescriptor(\.name, comparator: .lexical) }
}

@Model struct Otter: Animal, Identifiable {
    var id: Int
    var name: String
    var age: Int
    var weight: Double
    var isTagged: Bool

    static func isOld(_ age: Int) -> Predicate<Self> { #Predicate { $0.age >= age } }
    static var byName: SortDescriptor<Self> { SortDescriptor(\.name, comparator: .lexical) }
}

@Model struct Wolf: Animal, Identifiable {
    var id: Int
    var name: String
    var age: Int
    var weight: Double
    var isTagged: Bool

    static func isOld(_ age: Int) -> Predicate<Self> { #Predicate { $0.age >= age } }
    static var byName: SortDescriptor<Self> { SortDescriptor(\.name, comparator: .lexical) }
}
