import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Merged documents of classes of other shapes: with subclasses, in trees, with keys of their own, and with marks.
@Suite struct ObjectMergeShapeTests {
    private let first = """
        [{"code":"a","title":"A","silos":[{"code":"b","title":"B","silos":[{"code":"c","title":"C"}]}],
          "gadgets":[{"name":"saw"},{"$type":"Borer","name":"hilti","speed":1}],"sacks":[1,2]},
         {"code":"d","title":"D"}]
        """

    private func context(_ kind: StoreKind) throws -> ModelContext {
        let models: [any Model.Type] = [
            Silo.self, Gadget.self, Borer.self, Sack.self, MergeConflict.self,
        ]
        let context = ModelContext(try kind.following(models))
        for id in 1...3 { context.insert(Sack(id: id)) }
        try context.save()
        try bring(first, context, .replace)
        try bring(first, context, .merge(conflicts: .listWins))
        return context
    }

    private func bring(
        _ document: String,
        _ context: ModelContext,
        _ policy: LocalChangePolicy<Silo> = .merge()
    ) throws {
        try context.synchronize(
            [Silo].self,
            from: Data(document.utf8),
            as: .json,
            localChanges: policy
        )
        try context.save()
    }

    private func silo(_ code: String, _ context: ModelContext) throws -> Silo {
        try #require(
            context.fetch(FetchDescriptor<Silo>(predicate: #Predicate { $0.code == code })).first
        )
    }

    private func lines(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<Silo>(sortBy: [SortDescriptor(\.code)])).map { silo in
            let gadgets = silo.gadgets.map { gadget in
                "\(gadget.name)\(gadget.price)" + ((gadget as? Borer).map { "/\($0.speed)" } ?? "")
            }
            let sacks = silo.sacks.map { "\($0.id)" }
            let parent = silo.parent?.code ?? "-"
            return "\(silo.code)<\(parent) \(silo.title) \(gadgets) \(sacks)"
        }
    }

    private func told(_ context: ModelContext) throws -> [String] {
        func lines<Object: PersistentModel>(_ type: Object.Type) throws -> [String] {
            try context.localChanges(of: type).map { change in
                switch change.kind {
                case .inserted: "+\(change.name)"
                case .updated(_, let patch):
                    "~\(change.name) \(String(decoding: try patch.encoded(as: .json), as: UTF8.self))"
                case .deleted: "-\(change.name)"
                }
            }
            .sorted()
        }
        return try lines(Silo.self) + lines(Gadget.self) + lines(Sack.self)
    }

    private let before = [
        #"a<- A ["saw0", "hilti0/1"] ["1", "2"]"#, "b<a B [] []", "c<b C [] []", "d<- D [] []",
    ]

    @Test(arguments: StoreKind.allCases)
    func `nothing was changed`(_ kind: StoreKind) throws {
        let context = try context(kind)
        #expect(try lines(context) == before)
        #expect(try told(context) == ["+integer(3)"])
        try bring(first, context)
        #expect(try lines(context) == before)
        #expect(try told(context) == ["+integer(3)"])
    }

    @Test(arguments: StoreKind.allCases)
    func `attributes of subclasses`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let borer = try #require(context.fetch(FetchDescriptor<Borer>()).first)
        borer.price = 7
        try context.save()
        #expect(try told(context).first == #"~text("hilti") {"price":7}"#)
        #expect(try context.localChanges(of: Borer.self).count == 1)
        try bring(first.replacing("\"speed\":1", with: "\"speed\":2"), context)
        #expect(try lines(context)[0] == #"a<- A ["saw0", "hilti7/2"] ["1", "2"]"#)
        context.delete(borer)
        try context.save()
        #expect(try told(context).first == #"-text("hilti")"#)
        try bring(first.replacing("\"speed\":1", with: "\"speed\":2"), context)
        #expect(try lines(context)[0] == #"a<- A ["saw0"] ["1", "2"]"#)
    }

    @Test(arguments: StoreKind.allCases)
    func `a branch of a tree`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try silo("c", context).title = "mine"
        try context.save()
        let cut = #"[{"code":"a","title":"A","silos":[]},{"code":"d","title":"D"}]"#
        #expect(throws: SynchronizeError.self) { try bring(cut, context) }
        try bring(cut, context, .merge(conflicts: .storeWins))
        #expect(try lines(context).map { $0.prefix(4) } == ["a<- ", "b<a ", "c<b ", "d<- "])
        #expect(
            try told(context) == [#"+text("b")"#, #"+text("c")"#, "+integer(3)"]
        )
        try bring(cut, context, .replace)
        #expect(try lines(context).map { $0.prefix(4) } == ["a<- ", "d<- "])
        #expect(try told(context) == ["+integer(3)"])
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that was marked`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.delete(try silo("b", context))
        try context.save()
        #expect(
            try told(context) == [#"-text("b")"#, #"-text("c")"#, "+integer(3)"]
        )
        try bring(first, context)
        #expect(try lines(context).map { $0.prefix(4) } == ["a<- ", "d<- "])
        let changed = first.replacing("\"C\"", with: "\"C2\"")
        #expect(throws: SynchronizeError.self) { try bring(changed, context) }
        try bring(changed, context, .merge(conflicts: .keep))
        #expect(try lines(context).map { $0.prefix(4) } == ["a<- ", "d<- "])
        try context.resolveAll(taking: .remote)
        #expect(
            try lines(context).map { $0.prefix(6) } == ["a<- A ", "b<a B ", "c<b C2", "d<- D "]
        )
        #expect(try told(context) == ["+integer(3)"])
        #expect(try lines(ModelContext(context.container)) == lines(context))
        context.delete(try silo("c", context))
        try context.save()
        try bring(
            first.replacing("\"C\"", with: "\"C3\""),
            context,
            .merge(conflicts: .listWins)
        )
        #expect(try lines(context)[2].prefix(6) == "c<b C3")
        #expect(try told(context) == ["+integer(3)"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a list that nothing leads back from`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let sacks = try context.fetch(FetchDescriptor<Sack>(sortBy: [SortDescriptor(\.id)]))
        try silo("d", context).sacks = [sacks[0], sacks[2]]
        try context.save()
        #expect(
            try told(context) == [
                "+integer(3)", #"~integer(1) {"Silo$sacks":"d"}"#,
            ]
        )
        try bring(first, context)
        #expect(try lines(context)[0] == #"a<- A ["saw0", "hilti0/1"] ["2"]"#)
        #expect(try lines(context)[3] == #"d<- D [] ["1", "3"]"#)
        #expect(throws: SynchronizeError.self) {
            try bring(
                first.replacing("[1,2]", with: "[2]").replacing(
                    "\"D\"",
                    with: "\"D\",\"sacks\":[]"
                ),
                context
            )
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `deletions are limited, and missing references kept`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try silo("d", context).title = "mine"
        try context.save()
        let error = #expect(throws: SynchronizeError.self) {
            try context.synchronize(
                [Silo].self,
                from: Data("[]".utf8),
                as: .json,
                deletionLimit: 0.5,
                localChanges: .merge(conflicts: .storeWins)
            )
        }
        #expect(error?.reason == .tooManyDeletions)
        #expect(!context.hasChanges)
        try context.synchronize(
            [Silo].self,
            from: Data("[]".utf8),
            as: .json,
            deletionLimit: 0.8,
            localChanges: .merge(conflicts: .storeWins)
        )
        try context.save()
        #expect(try lines(context).map { $0.prefix(4) } == ["d<- "])
    }
}
