import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model final class Cattery {
    @Attribute(.unique) var code: String
    @Relationship(deleteRule: .cascade, inverse: \Kitten.cattery) var kittens: [Kitten] = []
    init(code: String) { self.code = code }
}

/// Some have a name, and some have none yet.
@Model final class Kitten {
    @Attribute(.unique) var tag: String?
    var color: String?
    var cattery: Cattery?
    init(tag: String?) { self.tag = tag }
}

/// Documents with objects of a class that has names, some of which have none.
@Suite struct NamelessDocumentTests {
    private func document(_ kittens: String) -> String {
        #"[{"code":"h","kittens":[\#(kittens)]}]"#
    }

    /// All kittens, and whether all of them are in the list.
    private func lines(_ context: ModelContext) throws -> [String] {
        let catteries = try context.fetch(FetchDescriptor<Cattery>())
        let kittens = catteries.flatMap(\.kittens)
        #expect(try context.fetchCount(FetchDescriptor<Kitten>()) == kittens.count)
        return kittens.map { "\($0.tag ?? "-") \($0.color ?? "-")" }
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `they stay those that they are`(_ kind: StoreKind, merges: Bool) throws {
        let models: [any Model.Type] = [Cattery.self, Kitten.self, MergeConflict.self]
        let context = ModelContext(try merges ? kind.following(models) : kind.container(models))
        func bring(_ kittens: String) throws -> String {
            let result = try context.synchronize(
                [Cattery].self,
                from: Data(document(kittens).utf8),
                as: .json,
                localChanges: merges ? .merge() : .replace
            )
            try context.save()
            return "\(result)"
        }
        let first = #"{"tag":"x"},{"color":"red"},{"color":"black"}"#
        _ = try context.synchronize([Cattery].self, from: Data(document(first).utf8), as: .json)
        try context.save()
        let all = try #require(context.fetch(FetchDescriptor<Cattery>()).first).kittens
        for _ in 0..<3 {
            #expect(try bring(first) == "0 added, 0 updated, 0 removed, 1 unchanged")
            #expect(try lines(context) == ["x -", "- red", "- black"])
        }
        // One of them has changed, and a new one has come.
        _ = try bring(#"{"tag":"x"},{"color":"red"},{"color":"white"},{"color":"grey"}"#)
        #expect(try lines(context) == ["x -", "- red", "- white", "- grey"])
        let now = try #require(context.fetch(FetchDescriptor<Cattery>()).first).kittens
        #expect(zip(all, now).allSatisfy { $0 === $1 })
        if merges { #expect(try context.told(Kitten.self) == []) }
    }

    @Test(arguments: StoreKind.allCases)
    func `a name that was given here stays, and what was deleted here is told once`(
        _ kind: StoreKind
    ) throws {
        let models: [any Model.Type] = [Cattery.self, Kitten.self, MergeConflict.self]
        let context = ModelContext(try kind.following(models))
        func bring(_ policy: LocalChangePolicy<Cattery>) throws {
            let data = Data(document(#"{"tag":"x"},{"color":"red"}"#).utf8)
            try context.synchronize([Cattery].self, from: data, as: .json, localChanges: policy)
            try context.save()
        }
        try bring(.replace)
        let cattery = try #require(context.fetch(FetchDescriptor<Cattery>()).first)
        let kitten = cattery.kittens[1]
        kitten.tag = "y"
        cattery.kittens[0].tag = nil
        try context.save()
        for _ in 0..<2 {
            try bring(.merge())
            #expect(try lines(context) == ["- -", "y red"])
            #expect(cattery.kittens[1] === kitten)
            #expect(
                try context.told(Kitten.self) == [#"~null {"tag":"y"}"#, #"~x {"tag":null}"#]
            )
        }
        try context.confirm(context.localChanges(of: Kitten.self))
        context.delete(cattery)
        try context.save()
        for policy in [ListConflictPolicy.storeWins, .keep, .keep] {
            try bring(.merge(conflicts: policy))
            // What has no name and is not here is nowhere.
            #expect(try context.told(Kitten.self).allSatisfy { $0 != "-null" })
            #expect(try context.told(Kitten.self).count <= 2)
            #expect(try context.told(Cattery.self) == ["-h"])
        }
    }
}
