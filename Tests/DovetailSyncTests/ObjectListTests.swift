import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

@Model final class Harbour {
    @Attribute(.unique) var code: String
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Berth.harbour) var berths: [Berth] = []
    @Attribute(name: "sister_code") var sister: Harbour?

    init(code: String, title: String) {
        self.code = code
        self.title = title
    }
}

@Model final class Berth {
    @Attribute(.unique) var number: Int
    var depth: Int
    var harbour: Harbour
    var boats: [Boat] = []

    init(number: Int, depth: Int, harbour: Harbour) {
        self.number = number
        self.depth = depth
        self.harbour = harbour
    }
}

@Model final class Boat {
    @Attribute(.unique) var name: String
    init(name: String) { self.name = name }
}

@Model final class Buoy {
    var colour = "red"
    init() {}
}

/// Lists of objects, from documents.
@Suite struct ObjectListTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        ModelContext(
            try kind.container(
                Harbour.self,
                Berth.self,
                Boat.self,
                Buoy.self,
                MissingReference.self
            )
        )
    }

    private func codes(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<Harbour>(sortBy: [SortDescriptor(\.code)])).map(\.code)
    }

    private func harbour(_ context: ModelContext, _ code: String) throws -> Harbour {
        try #require(
            try context.fetch(FetchDescriptor<Harbour>(predicate: #Predicate { $0.code == code }))
                .first
        )
    }

    private let list = Data(
        """
        [{"code":"a","title":"A","sister_code":"b","berths":[{"number":1,"depth":4},{"number":2,"depth":5}]},
         {"code":"b","title":"B"}]
        """.utf8
    )

    @Test(arguments: StoreKind.allCases)
    func `the objects of a class become those of the document`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.insert(Harbour(code: "a", title: "old"))
        context.insert(Harbour(code: "c", title: "C"))
        try context.save()
        let old = try harbour(context, "a")
        let result = try context.synchronize([Harbour].self, from: list, as: .json)
        #expect("\(result)" == "1 added, 1 updated, 1 removed, 0 unchanged")
        #expect(result.updated.first === old && result.removed.map(\.code) == ["c"])
        try context.save()
        #expect(try codes(context) == ["a", "b"])
        #expect(old.title == "A" && old.sister?.code == "b" && old.berths.map(\.number) == [1, 2])
        let again = try context.synchronize([Harbour].self, from: list, as: .json)
        #expect("\(again)" == "0 added, 0 updated, 0 removed, 2 unchanged")
        #expect(!context.hasChanges)
        // Another context finds the same.
        let other = ModelContext(context.container)
        #expect(try other.synchronize([Harbour].self, from: list, as: .json).isEmpty)
        #expect(
            try other.synchronize([Harbour].self, from: Data("[]".utf8), as: .json).removed.count
                == 2
        )
        try other.save()
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Berth>()) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that is only inside of others stays`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.synchronize([Harbour].self, from: list, as: .json)
        try context.save()
        let berths = Data(#"[{"number":1,"depth":9,"harbour":"a"}]"#.utf8)
        let result = try context.synchronize([Berth].self, from: berths, as: .json)
        #expect("\(result)" == "0 added, 1 updated, 1 removed, 0 unchanged")
        try context.save()
        #expect(try harbour(context, "a").berths.map(\.depth) == [9])
    }

    @Test(arguments: StoreKind.allCases)
    func `the children of one parent become those of the document, in its order`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        try context.synchronize([Harbour].self, from: list, as: .json)
        try context.save()
        let b = try harbour(context, "b")
        let a = try harbour(context, "a")
        let first = Data(#"[{"number":7,"depth":1},{"number":2,"depth":5}]"#.utf8)
        let moved = try context.synchronize(
            [Berth].self,
            from: first,
            as: .json,
            within: \Harbour.berths,
            of: b
        )
        #expect(moved.added.map(\.number) == [7] && moved.removed.isEmpty)
        try context.save()
        #expect(b.berths.map(\.number) == [7, 2] && a.berths.map(\.number) == [1])
        let second = Data(#"[{"number":2,"depth":6},{"number":8,"depth":1}]"#.utf8)
        let result = try context.synchronize(
            [Berth].self,
            from: second,
            as: .json,
            within: \Harbour.berths,
            of: b
        )
        #expect("\(result)" == "1 added, 1 updated, 1 removed, 0 unchanged")
        try context.save()
        let fresh = ModelContext(context.container)
        #expect(try harbour(fresh, "b").berths.map(\.number) == [2, 8])
        #expect(try harbour(fresh, "a").berths.map(\.number) == [1])
        #expect(try fresh.fetchCount(FetchDescriptor<Berth>()) == 3)
        #expect(
            try context.synchronize(
                [Berth].self,
                from: second,
                as: .json,
                within: \Harbour.berths,
                of: b
            ).isEmpty
        )
        #expect(!context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `references that lead nowhere fail, are left out, or wait`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let lonely = Data(
            #"[{"code":"a","title":"A","sister_code":"z","berths":[{"number":1,"depth":1,"boats":["Ina","Ode"]}]}]"#
                .utf8
        )
        #expect(throws: ModelDecodingError.self) {
            try context.synchronize([Harbour].self, from: lonely, as: .json)
        }
        #expect(!context.hasChanges)
        try context.synchronize([Harbour].self, from: lonely, as: .json, unknownReferences: .keep)
        try context.save()
        let a = try harbour(context, "a")
        #expect(a.sister == nil && a.berths.first?.boats.isEmpty == true)
        #expect(try context.fetchCount(FetchDescriptor<MissingReference>()) == 3)
        let again = try context.synchronize(
            [Harbour].self,
            from: lonely,
            as: .json,
            unknownReferences: .keep
        )
        #expect(again.isEmpty && !context.hasChanges)
        // The boats come in a list of their own, in another context.
        let other = ModelContext(context.container)
        let boats = Data(#"[{"name":"Ode"},{"name":"Ina"}]"#.utf8)
        try other.synchronize([Boat].self, from: boats, as: .json)
        try other.save()
        context.processPendingChanges()
        #expect(Set(a.berths[0].boats.map(\.name)) == ["Ina", "Ode"])
        #expect(try context.fetchCount(FetchDescriptor<MissingReference>()) == 1)
        context.insert(Harbour(code: "z", title: "Z"))
        #expect(try context.resolveMissingReferences() == 1)
        try context.save()
        #expect(try harbour(ModelContext(context.container), "a").sister?.code == "z")
        #expect(try context.fetchCount(FetchDescriptor<MissingReference>()) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `too many deletions and classes without a name are refused`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.synchronize([Harbour].self, from: list, as: .json)
        try context.save()
        let one = Data(#"[{"code":"a","title":"new"}]"#.utf8)
        let error = #expect(throws: SynchronizeError.self) {
            try context.synchronize([Harbour].self, from: one, as: .json, deletionLimit: 0.4)
        }
        #expect(error?.reason == .tooManyDeletions)
        #expect(!context.hasChanges)
        #expect(try harbour(context, "a").title == "A")
        let unnamed = #expect(throws: StoreError.self) {
            try context.synchronize([Buoy].self, from: Data("[]".utf8), as: .json)
        }
        #expect(unnamed?.kind == .unsupported)
    }
}
