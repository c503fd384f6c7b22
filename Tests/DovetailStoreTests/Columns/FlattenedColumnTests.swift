import Dovetail
import StoreTestSupport
import Testing

@Model private enum Kind: String { case text, image }

@Model(flattenable: true)
private struct Head: Equatable {
    var name: String
    var kind: Kind = .text
    var opacity: Double?
    @Attribute(.transformed(by: SecondsSince1970.self)) var date: Date?
}

@Model(flattenable: true)
private enum Value: Equatable { case string(String), number(Double), list([Int]) }

@Model(unknownFields: .preserve)
private struct Layer: Identifiable, Equatable {
    #Index<Layer>([\.head.name, \.size], [\.back?.name])
    var id: Int
    @Attribute(.flattened) var head: Head
    @Attribute(.flattened, prefix: "back") var back: Head?
    @Attribute(.flattened, prefix: "value") var value: Value?
    var size = 0
}

@Model(flattenable: true)
private struct Numbered: Equatable { var id: Int; var title: String }

@Model
private struct Paper: Identifiable, Equatable {
    @Attribute(.flattened) var number: Numbered
    var pages: Int
    var id: Int { number.id }
}

@Model
private struct Sheet: Identifiable, Equatable { var id: Int; var paper: Paper; var layer: Layer? }

@Model
private struct Clash: Identifiable {
    var id: Int; var name: String; @Attribute(.flattened) var head: Head
}

/// The attributes of a flattened model are columns of the table.
struct FlattenedColumnTests {
    private func layers(_ count: Int = 6) -> [Layer] {
        (0..<count).map { number in
            Layer(
                id: number,
                head: Head(
                    name: "n\(number % 3)",
                    kind: number.isMultiple(of: 2) ? .text : .image,
                    opacity: number == 1 ? nil : Double(number),
                    date: number == 2 ? Date(timeIntervalSince1970: 5) : nil
                ),
                back: number < 3 ? Head(name: "b\(number)", opacity: 1) : nil,
                value: [Value.string("s"), .number(1), .list([1]), nil][number % 4],
                size: 10 - number
            )
        }
    }

    @Test
    func `the columns are those of all attributes`() throws {
        let entity = EntityBinding(Layer.self)
        try entity.validate()
        #expect(
            entity.description.columns.map(\.name) == [
                "id", "name", "kind", "opacity", "date", "backName", "backKind", "backOpacity",
                "backDate", "valueString", "valueNumber", "valueList", "size", "$unknownFields",
            ]
        )
        #expect(
            entity.description.columns.filter(\.isOptional).map(\.name) == [
                "opacity", "date", "backName", "backKind", "backOpacity", "backDate",
                "valueString", "valueNumber", "valueList",
            ]
        )
        #expect(entity.description.indexes.map(\.columns) == [[1, 12], [5]])
        #expect(entity.column(of: \Layer.head.name) == 1)
        #expect(entity.column(of: \Layer.back?.opacity) == 7)
    }

    @Test(arguments: StoreKind.allCases)
    func `rows come back equal`(store: StoreKind) throws {
        let context = ModelContext(try store.container(Layer.self))
        var all = layers()
        all[5].unknownFields = UnknownFields([.init(key: "x", value: 1)])
        context.insert(contentsOf: all)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Layer>(sortBy: [SortDescriptor(\.id)])) == all)
        all[0].back = nil
        all[0].value = .list([])
        all[3].back = Head(name: "new")
        context.upsert([all[0], all[3]])
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Layer>(sortBy: [SortDescriptor(\.id)])) == all)
    }

    @Test(arguments: StoreKind.allCases)
    func `predicates and orders name what is in the model`(store: StoreKind) throws {
        let context = ModelContext(try store.container(Layer.self))
        let all = layers()
        context.insert(contentsOf: all)
        try context.save()
        let predicates: [Predicate<Layer>] = [
            #Predicate { $0.head.name == "n1" },
            #Predicate { $0.head.opacity == nil || $0.size > 8 },
            #Predicate { $0.head.name.contains("2") && $0.head.kind == .text },
            #Predicate { $0.back?.name == "b1" },
            #Predicate { $0.back?.opacity == nil },
            #Predicate { ($0.back?.name ?? "none") == "none" },
            #Predicate { layer in
                if let back = layer.back { back.opacity == 1 && back.date == nil } else { false }
            },
            #Predicate { layer in if let back = layer.back { back.date == nil } else { false } },
            #Predicate { $0.back?.name.starts(with: "b") == true },
            #Predicate { $0.head.name < "n2" && $0.head.name.count == 2 },
        ]
        var compared = 0
        for predicate in predicates {
            let found = try context.fetch(FetchDescriptor(predicate: predicate))
            let expected = try all.filter { try predicate.evaluate($0) }
            #expect(Set(found.map(\.id)) == Set(expected.map(\.id)), "\(predicate)")
            #expect(!expected.isEmpty && expected.count < all.count)
            compared += 1
        }
        #expect(compared == 10)
        let date = Date(timeIntervalSince1970: 5)
        let dated = try context.fetch(
            FetchDescriptor<Layer>(predicate: #Predicate { $0.head.date == date })
        )
        #expect(dated.map(\.id) == [2])
        let order: [SortDescriptor<Layer>] = [
            SortDescriptor(\.head.name, comparator: .lexical, order: .reverse),
            SortDescriptor(\.head.opacity),
        ]
        #expect(try context.fetch(FetchDescriptor(sortBy: order)).map(\.id) == [2, 5, 1, 4, 0, 3])
        let backs = try context.fetch(
            FetchDescriptor<Layer>(sortBy: [SortDescriptor(\.back?.name), SortDescriptor(\.id)])
        )
        #expect(backs.map(\.id) == [3, 4, 5, 0, 1, 2])
    }

    @Test
    func `a flattened model as a whole is no column`() throws {
        let context = ModelContext(try StoreKind.sqlite.container(Layer.self))
        #expect(throws: QueryError.self) {
            try context.fetch(FetchDescriptor<Layer>(predicate: #Predicate { $0.back == nil }))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the key may be in the flattened model`(store: StoreKind) throws {
        let context = ModelContext(try store.container(Paper.self))
        let papers = (1...3).map { Paper(number: Numbered(id: $0, title: "t\($0)"), pages: $0) }
        context.insert(contentsOf: papers)
        try context.save()
        #expect(EntityBinding(Paper.self).identifierColumn == 0)
        #expect(try context.fetch(Paper.self, id: 2) == papers[1])
        let found = try context.fetch(
            FetchDescriptor<Paper>(predicate: #Predicate { $0.id > 1 && $0.number.id < 3 })
        )
        #expect(found == [papers[1]])
        context.delete(papers[0])
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Paper>()) == 2)
        try context.synchronize([papers[2], papers[0]])
        try context.save()
        #expect(Set(try context.fetch(FetchDescriptor<Paper>()).map(\.id)) == [1, 3])
    }

    @Test(arguments: StoreKind.allCases)
    func `embedded models have flattened ones`(store: StoreKind) throws {
        let context = ModelContext(try store.container(Sheet.self))
        let sheets = (1...3).map { number in
            Sheet(
                id: number,
                paper: Paper(number: Numbered(id: number, title: "t\(number)"), pages: number),
                layer: number == 1 ? nil : layers()[number]
            )
        }
        context.insert(contentsOf: sheets)
        try context.save()
        let sorted = FetchDescriptor<Sheet>(sortBy: [SortDescriptor(\.id)])
        #expect(try context.fetch(sorted) == sheets)
        let predicates: [Predicate<Sheet>] = [
            #Predicate { $0.paper.number.title == "t2" },
            #Predicate { $0.layer?.head.name == "n2" },
        ]
        for predicate in predicates {
            let found = try context.fetch(FetchDescriptor(predicate: predicate))
            #expect(found == (try sheets.filter { try predicate.evaluate($0) }))
            #expect(found.count == 1)
        }
        let order = FetchDescriptor<Sheet>(sortBy: [
            SortDescriptor(\.paper.number.title, order: .reverse)
        ])
        #expect(try context.fetch(order).map(\.id) == [3, 2, 1])
    }

    @Test
    func `two columns of one name cannot be stored`() throws {
        let error = #expect(throws: StoreError.self) { try EntityBinding(Clash.self).validate() }
        #expect(error?.column == "name")
    }

    @Test
    func `a row with two cases is refused`() throws {
        let folder = try TemporaryFolder()
        let url = folder.file()
        let container = try ModelContainer.file(url, Layer.self)
        let context = ModelContext(container)
        context.insert(layers()[0])
        try context.save()
        try RawDatabase(url).execute(#"UPDATE "Layer" SET "valueNumber" = 2.5"#)
        let error = #expect(throws: ModelDecodingError.self) {
            try ModelContext(container).fetch(FetchDescriptor<Layer>())
        }
        #expect(error?.path == "valueNumber" && error?.kind == .unknownCase)
    }

    @Test
    func `100,000 rows`() throws {
        let context = ModelContext(try StoreKind.sqlite.container(Layer.self))
        let all = layers(100_000)
        context.insert(contentsOf: all)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Layer>(sortBy: [SortDescriptor(\.id)])) == all)
        #expect(
            try context.fetchCount(
                FetchDescriptor<Layer>(predicate: #Predicate { $0.head.name == "n1" })
            ) == 33_333
        )
    }
}
