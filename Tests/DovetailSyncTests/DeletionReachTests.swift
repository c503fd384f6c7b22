import Dovetail
import DovetailSync
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// A link of a chain, of which each has at most one next.
@Model struct Link: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.unique, .references(Link.self, deleteRule: .cascade)) var last: Int?
}

/// A tree whose roots are their own.
@Model struct Knot: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Knot.self, deleteRule: .cascade)) var up: Int
}

/// Two tables that refer to each other.
@Model struct Folder: Identifiable, Equatable, Sendable, ShelfItem {
    let id: Int
    @Attribute(.references(Label.self, deleteRule: .cascade)) var owner: Int?
}

@Model struct Label: Identifiable, Equatable, Sendable, ShelfItem {
    let id: Int
    @Attribute(.references(Folder.self, deleteRule: .cascade)) var folder: Int
}

@ModelProtocol protocol ShelfItem: Sendable {
    var id: Int { get }
}

/// A tree with other unique values.
@Model struct Stool: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.unique) var number: Int
    @Attribute(.references(Stool.self, deleteRule: .nullify)) var next: Int?
}

@Model final class Drawer {
    @Attribute(.unique) var code: String
    @Relationship(deleteRule: .cascade, inverse: \Drawer.parent) var inner: [Drawer] = []
    @Relationship(deleteRule: .cascade, inverse: \Paper.drawer) var papers: [Paper] = []
    var parent: Drawer?
    init(code: String) { self.code = code }
}

@Model final class Paper {
    @Attribute(.unique) var title: String
    @Attribute(.externalStorage) var text: String
    var drawer: Drawer?
    init(title: String, text: String) {
        self.title = title
        self.text = text
    }
}

/// Lists of rows that are deleted with others of their own table.
@Suite struct DeletionReachTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// SQLite in a file: in memory no list is staged.
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let models: [any Model.Type] = [
            Twig.self, Link.self, Knot.self, Branch.self, Folder.self, Label.self, Stool.self,
            MissingReference.self,
        ]
        guard kind == .sqlite else { return ModelContext(try kind.container(models)) }
        let file = folder.file(UUID().uuidString)
        return ModelContext(
            try ModelContainer(for: models, configuration: ModelConfiguration(url: file))
        )
    }

    private func twigs(_ context: ModelContext) throws -> [Twig] {
        try ModelContext(context.container)
            .fetch(FetchDescriptor<Twig>(sortBy: [SortDescriptor(\.id)]))
    }

    @Test(arguments: StoreKind.allCases)
    func `rows that are hung elsewhere stay`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.synchronize([Twig(id: 1), Twig(id: 2, parent: 1), Twig(id: 3, parent: 2)])
        try context.save()
        let changes = try context.synchronize([Twig(id: 2), Twig(id: 3, parent: 2)])
        try context.save()
        #expect("\(changes)" == "0 inserted, 1 updated, 1 deleted, 1 unchanged")
        #expect(try twigs(context) == [Twig(id: 2), Twig(id: 3, parent: 2)])
        // By a new row, in a list of changes; what that does not name goes by the rule.
        try context.synchronize(
            [Twig(id: 3, parent: 4), Twig(id: 4)],
            scope: .changesSince(nil, next: "1", deleted: [2])
        )
        try context.save()
        #expect(try twigs(context) == [Twig(id: 3, parent: 4), Twig(id: 4)])
        try context.synchronize([Twig](), scope: .changesSince("1", next: "2", deleted: [4]))
        try context.save()
        #expect(try twigs(context).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `what they refer to may be unique, or not be nil`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.synchronize([Link(id: 1), Link(id: 2, last: 1), Link(id: 3, last: 2)])
        try context.synchronize([Knot(id: 1, up: 1), Knot(id: 2, up: 1), Knot(id: 3, up: 2)])
        try context.save()
        try context.synchronize([Link(id: 1), Link(id: 3, last: 1)])
        try context.synchronize([Knot(id: 2, up: 2), Knot(id: 3, up: 2)])
        try context.save()
        #expect(
            try context.fetch(FetchDescriptor<Link>(sortBy: [SortDescriptor(\.id)]))
                == [Link(id: 1), Link(id: 3, last: 1)]
        )
        #expect(
            try context.fetch(FetchDescriptor<Knot>(sortBy: [SortDescriptor(\.id)]))
                == [Knot(id: 2, up: 2), Knot(id: 3, up: 2)]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a row of one that goes is refused, and nothing is lost`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let all = [Twig(id: 1), Twig(id: 2, parent: 1), Twig(id: 3, parent: 1)]
        try context.synchronize(all)
        try context.save()
        let list = [Twig(id: 3, parent: 1), Twig(id: 4, parent: 1)]
        let error = #expect(throws: SynchronizeError.self) { try context.synchronize(list) }
        #expect(error?.reason == .deletedReference && error?.positions == [0, 1])
        #expect(
            error?.description == "Twig: the elements at 0 and 1 refer to rows that the list "
                + "deletes, by itself or by a delete rule"
        )
        #expect(throws: SynchronizeError.self) { try context.plan(list) }
        #expect(throws: SynchronizeError.self) {
            try context.synchronize(
                [list[0]],
                scope: .changesSince(nil, next: "1", deleted: [1])
            )
        }
        #expect(!context.hasChanges)
        #expect(try twigs(context) == all)
        for policy in [UnknownReferences.ignore, .keep] {
            let other = try self.context(kind)
            try other.synchronize(all)
            try other.save()
            try other.synchronize(
                [list[0]],
                scope: .changesSince(nil, next: "1", deleted: [1]),
                unknownReferences: policy
            )
            try other.save()
            #expect(try twigs(other) == [Twig(id: 3)])
            try other.synchronize(list, unknownReferences: policy)
            try other.save()
            #expect(try twigs(other) == [Twig(id: 3), Twig(id: 4)])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a reference that its rule makes nil is refused, too`(_ kind: StoreKind) async throws {
        let context = try context(kind)
        let all = [Branch(id: 1), Branch(id: 2, parent: 1)]
        try context.synchronize(all)
        try context.save()
        for list in [[all[1]], [Branch(id: 2, name: "y", parent: 1)]] {
            let error = #expect(throws: SynchronizeError.self) { try context.synchronize(list) }
            #expect(error?.reason == .deletedReference && error?.positions == [0])
            #expect(throws: SynchronizeError.self) { try context.plan(list) }
            #expect(!context.hasChanges)
            let stored = FetchDescriptor<Branch>(sortBy: [SortDescriptor(\.id)])
            #expect(try context.fetch(stored) == all)
        }
        try context.synchronize([all[1]], unknownReferences: .ignore)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Branch>()) == [Branch(id: 2)])
        // In parts, of which the first deletes what the last one refers to.
        let many = (1...9).map { Branch(id: $0, parent: $0 == 9 ? 1 : nil) }
        try context.synchronize(many)
        try context.save()
        let pages = AsyncStream<[Branch]> { pages in
            for branch in many.dropFirst() { pages.yield([branch]) }
            pages.finish()
        }
        let error = await #expect(throws: SynchronizeError.self) {
            try await StageLimits.$current.withValue(StageLimits(mostInMemory: 2, partSize: 2)) {
                _ = try await context.container.synchronize(Branch.self, from: pages)
            }
        }
        #expect(error?.reason == .deletedReference)
        let stored = FetchDescriptor<Branch>(sortBy: [SortDescriptor(\.id)])
        #expect(try ModelContext(context.container).fetch(stored) == many)
    }

    /// 1 is in the scope, 2 is not, and 3 is in it.
    @Test(arguments: StoreKind.allCases)
    func `rows of one that goes with others are refused`(_ kind: StoreKind) async throws {
        let context = try context(kind)
        let all = [
            Twig(id: 1, name: "in"), Twig(id: 2, name: "out", parent: 1),
            Twig(id: 3, name: "in", parent: 2), Twig(id: 4, name: "in", parent: 3),
        ]
        try context.synchronize(all)
        try context.save()
        let scope = SynchronizeScope<Twig>.matching(#Predicate { $0.name == "in" })
        let list = [all[2], all[3]]
        let error = #expect(throws: SynchronizeError.self) {
            try context.synchronize(list, scope: scope)
        }
        #expect(error?.reason == .deletedReference && error?.positions == [0])
        let pages = AsyncStream<[Twig]> { pages in
            for twig in list { pages.yield([twig]) }
            pages.finish()
        }
        let staged = await #expect(throws: SynchronizeError.self) {
            try await StageLimits.$current.withValue(StageLimits(mostInMemory: 1, partSize: 1)) {
                _ = try await context.container.synchronize(Twig.self, from: pages, scope: scope)
            }
        }
        #expect(staged?.reason == .deletedReference)
        #expect(try twigs(context) == all)
        // What has left stays, with what belongs to it.
        let moved = [Twig(id: 3, name: "in"), all[3]]
        try context.synchronize(moved, scope: scope)
        try context.save()
        #expect(try twigs(context) == moved)
    }

    @Test(arguments: StoreKind.allCases)
    func `deletions lead back through another table`(_ kind: StoreKind) throws {
        let context = try context(kind)
        func folders() throws -> [Folder] {
            try context.fetch(FetchDescriptor<Folder>(sortBy: [SortDescriptor(\.id)]))
        }
        let all = [Folder(id: 1), Folder(id: 2, owner: 1), Folder(id: 3)]
        try context.synchronize(all.map { Folder(id: $0.id) })
        try context.synchronize([Label(id: 1, folder: 1), Label(id: 3, folder: 3)])
        try context.synchronize(all)
        try context.save()
        let error = #expect(throws: SynchronizeError.self) { try context.synchronize([all[1]]) }
        #expect(error?.reason == .deletedReference && error?.positions == [0])
        #expect(try folders() == all)
        // By a plan that was made before it belonged to what goes.
        try context.synchronize([Folder(id: 1), Folder(id: 2), Folder(id: 3)])
        try context.save()
        let plan = try context.plan([Folder(id: 2), Folder(id: 3, owner: 3)])
        try context.apply(plan, of: [Folder(id: 2), Folder(id: 3, owner: 3)])
        try context.save()
        #expect(try folders() == [Folder(id: 2), Folder(id: 3, owner: 3)])
        #expect(try context.fetch(FetchDescriptor<Label>()) == [Label(id: 3, folder: 3)])
        try context.synchronize([Label(id: 2, folder: 2), Label(id: 3, folder: 3)])
        try context.synchronize([Folder(id: 2, owner: 2)])
        try context.save()
        #expect(try folders() == [Folder(id: 2, owner: 2)])
        #expect(try context.fetch(FetchDescriptor<Label>()) == [Label(id: 2, folder: 2)])
    }

    @Test(arguments: StoreKind.allCases)
    func `lists of several models keep what they have`(_ kind: StoreKind) throws {
        let context = try context(kind)
        func items() throws -> Set<String> {
            Set(try context.fetch(FetchDescriptor<any ShelfItem>()).map { "\($0)" })
        }
        let first: [any ShelfItem] = [
            Folder(id: 1), Folder(id: 2), Label(id: 1, folder: 1), Label(id: 2, folder: 1),
        ]
        try context.synchronize(first)
        try context.save()
        let refused: [any ShelfItem] = [
            Folder(id: 2), Label(id: 1, folder: 2), Label(id: 2, folder: 1),
        ]
        let error = #expect(throws: SynchronizeError.self) { try context.synchronize(refused) }
        #expect(error?.reason == .deletedReference && error?.positions == [2])
        #expect(error?.table == "Label")
        #expect(try !context.hasChanges && items() == Set(first.map { "\($0)" }))
        let moved: [any ShelfItem] = [
            Folder(id: 2), Label(id: 1, folder: 2), Label(id: 2, folder: 2),
        ]
        let changes = try context.synchronize(moved)
        try context.save()
        #expect("\(changes)" == "0 inserted, 2 updated, 1 deleted, 1 unchanged")
        #expect(try items() == Set(moved.map { "\($0)" }))
    }

    /// The rows wait for the last part, and references for the rows.
    @Test(arguments: StoreKind.allCases)
    func `references are resolved when rows have waited`(_ kind: StoreKind) async throws {
        for policy in [UnknownReferences.fail, .keep, .ignore] {
            let context = try context(kind)
            let list = (0..<20).map { Stool(id: $0, number: $0, next: ($0 + 9) % 20) }
            for _ in 0..<2 {
                let pages = AsyncStream<[Stool]> { pages in
                    for stool in list { pages.yield([stool]) }
                    pages.finish()
                }
                try await StageLimits.$current.withValue(
                    StageLimits(mostInMemory: 2, partSize: 3)
                ) {
                    _ = try await context.container.synchronize(
                        Stool.self,
                        from: pages,
                        unknownReferences: policy
                    )
                }
                let fresh = ModelContext(context.container)
                let stored = try fresh.fetch(FetchDescriptor<Stool>(sortBy: [SortDescriptor(\.id)]))
                #expect(stored == list, "\(policy)")
                #expect(try fresh.fetch(FetchDescriptor<MissingReference>()).isEmpty)
            }
        }
    }

    /// Forests that are hung differently each time, at once, by a plan, and in parts.
    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `random forests become those of the list`(_ kind: StoreKind, seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let context = try context(kind)
        for round in 0..<30 {
            var list: [Twig] = []
            for id in Array(0..<10).shuffled(using: &random) where random.isOne(in: 2) {
                let parent = random.isOne(in: 3) ? nil : list.randomElement(using: &random)?.id
                list.append(Twig(id: id, name: random.pick(["a", "b"]), parent: parent))
            }
            list.shuffle(using: &random)
            switch random.pick([0, 1, 2]) {
            case 0:
                try context.synchronize(list)
                try context.save()
            case 1:
                try context.apply(context.plan(list), of: list)
                try context.save()
            default:
                let pages = AsyncStream { [list] pages in
                    for twig in list { pages.yield([twig]) }
                    pages.finish()
                }
                try await StageLimits.$current.withValue(
                    StageLimits(mostInMemory: 2, partSize: 2)
                ) {
                    _ = try await context.container.synchronize(Twig.self, from: pages)
                }
            }
            #expect(
                try twigs(context) == list.sorted { $0.id < $1.id },
                "seed \(seed), round \(round)"
            )
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a list in parts refuses a row of one that goes`(_ kind: StoreKind) async throws {
        let context = try context(kind)
        let all = [Twig(id: 1)] + (2...9).map { Twig(id: $0, parent: 1) }
        try context.synchronize(all)
        try context.save()
        let pages = AsyncStream<[Twig]> { pages in
            for twig in all.dropFirst() { pages.yield([twig]) }
            pages.finish()
        }
        let error = await #expect(throws: SynchronizeError.self) {
            try await StageLimits.$current.withValue(StageLimits(mostInMemory: 2, partSize: 2)) {
                _ = try await context.container.synchronize(Twig.self, from: pages)
            }
        }
        #expect(error?.reason == .deletedReference)
        #expect(try twigs(context) == all)
    }
}

/// Documents of objects that belong to others of their class.
@Suite struct OwningObjectTests {
    private func tree(_ container: ModelContainer) throws -> [String] {
        try ModelContext(container)
            .fetch(FetchDescriptor<Drawer>(sortBy: [SortDescriptor(\.code)]))
            .map { drawer in
                let papers = drawer.papers.map { "\($0.title):\($0.text)" }.joined(separator: ",")
                return "\(drawer.parent?.code ?? "")/\(drawer.code)[\(papers)]"
            }
    }

    private func container(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(Drawer.self, Paper.self)
    }

    private func synchronize(_ text: String, _ container: ModelContainer) throws -> String {
        let context = ModelContext(container)
        let result = try context.synchronize([Drawer].self, from: Data(text.utf8), as: .json)
        try context.save()
        return "\(result)"
    }

    private let nested =
        #"[{"code":"a","inner":[{"code":"b","papers":[{"title":"x","text":"1"}],"inner":[{"code":"c"}]}]}]"#

    @Test(arguments: StoreKind.allCases)
    func `what the document has stays`(_ kind: StoreKind) throws {
        let container = try container(kind)
        #expect(try synchronize(nested, container) == "3 added, 0 updated, 0 removed, 0 unchanged")
        let inner = #"[{"code":"c","papers":[{"title":"x","text":"2"}]}]"#
        #expect(try synchronize(inner, container) == "0 added, 1 updated, 2 removed, 0 unchanged")
        #expect(try tree(container) == ["/c[x:2]"])
        // As it is, without a change of its own.
        _ = try synchronize(nested, container)
        #expect(try tree(container) == ["/a[]", "a/b[x:1]", "b/c[]"])
        #expect(
            try synchronize(#"[{"code":"b"}]"#, container)
                == "0 added, 0 updated, 2 removed, 1 unchanged"
        )
        #expect(try tree(container) == ["/b[x:1]"])
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Paper>()) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan is taken back`(_ kind: StoreKind) throws {
        let container = try container(kind)
        _ = try synchronize(nested, container)
        let before = try tree(container)
        let context = ModelContext(container)
        let inner = Data(#"[{"code":"b"}]"#.utf8)
        let plan = try context.plan([Drawer].self, from: inner, as: .json)
        #expect(plan.deleted.count == 2)
        try context.apply(plan, of: [Drawer].self, from: inner, as: .json)
        try context.save()
        #expect(try tree(container) == ["/b[x:1]"])
        try plan.undo(in: context)
        try context.save()
        #expect(try tree(container) == before)
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `random trees become those of the document`(_ kind: StoreKind, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let container = try container(kind)
        for round in 0..<20 {
            var expected: [String: String] = [:]
            var items: [String] = []
            for code in Array("abcdefg").map(String.init).shuffled(using: &random)
            where random.isOne(in: 2) {
                let parent =
                    random.isOne(in: 3)
                    ? nil : expected.keys.sorted().randomElement(using: &random)
                expected[code] = parent ?? ""
                items.append(
                    #"{"code":"\#(code)","parent":\#(parent.map { "\"\($0)\"" } ?? "null")}"#
                )
            }
            _ = try synchronize("[\(items.joined(separator: ","))]", container)
            #expect(
                try tree(container) == expected.sorted { $0.key < $1.key }.map { "\($1)/\($0)[]" },
                "seed \(seed), round \(round)"
            )
        }
    }
}
