import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Objects that both sides have changed.
@Suite struct ObjectConflictTests {
    private let first = """
        [{"code":"a","title":"A","discs":[{"number":1,"title":"x"},{"number":2,"title":"y"}]},
         {"code":"b","title":"B","partner_code":"a","discs":[{"number":3,"title":"z"}]}]
        """
    /// Other titles of a and 1, and another partner of b.
    private let second = """
        [{"code":"a","title":"A2","discs":[{"number":1,"title":"x2"},{"number":2,"title":"y"}]},
         {"code":"b","title":"B","partner_code":"b","discs":[{"number":3,"title":"z"}]}]
        """

    /// With changes of the same attributes.
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = try kind.studios(first)
        try context.studio("a").title = "mine"
        try context.disc(1).title = "mine"
        try context.studio("b").partner = nil
        try context.save()
        return context
    }

    private let mine = ["a mine - [1mine 2y]", "b B - [3z]"]
    private let theirs = ["a A2 - [1x2 2y]", "b B ->b [3z]"]

    @Test(arguments: StoreKind.allCases)
    func `an error names all of them`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let error = #expect(throws: SynchronizeError.self) { try context.bring(second) }
        let found = Set(error?.conflicts.map { "\($0.table) \($0.attributes)" } ?? [])
        #expect(
            found == [
                #"Studio ["title"]"#, #"Studio ["partner_code"]"#, #"Disc ["title"]"#,
            ]
        )
        #expect(!context.hasChanges)
        #expect(try context.studioLines() == mine)
        #expect(try ModelContext(context.container).studioLines() == mine)
    }

    @Test(arguments: StoreKind.allCases)
    func `a policy decides`(_ kind: StoreKind) throws {
        let here = try context(kind)
        try here.bring(second, .merge(conflicts: .storeWins))
        #expect(try here.studioLines() == mine)
        #expect(try here.told().count == 3)
        try here.bring(second, .merge(conflicts: .storeWins))
        #expect(try here.studioLines() == mine)
        let there = try context(kind)
        try there.bring(second, .merge(conflicts: .listWins))
        #expect(try there.studioLines() == theirs)
        #expect(try there.told() == [])
        let both = try context(kind)
        try both.bring(
            second,
            .merge(conflicts: .listWins).conflicts(in: \.title, .storeWins)
        )
        #expect(try both.studioLines() == ["a mine - [1x2 2y]", "b B ->b [3z]"])
        let partner = try context(kind)
        try partner.bring(
            second,
            .merge(conflicts: .listWins).conflicts(in: \.partner, .storeWins)
        )
        #expect(try partner.studioLines() == ["a A2 - [1x2 2y]", "b B - [3z]"])
    }

    @Test(arguments: StoreKind.allCases)
    func `conflicts are kept until somebody decides`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.bring(second, .merge(conflicts: .keep))
        #expect(try context.studioLines() == mine)
        let disputes = ["Disc.title", "Studio.partner_code", "Studio.title"]
        #expect(try context.disputes() == disputes)
        try context.bring(second, .merge(conflicts: .keep))
        #expect(try context.disputes() == disputes)
        try context.resolveAll(taking: .remote)
        #expect(try context.studioLines() == theirs)
        #expect(try context.disputes() == [])
        #expect(try context.told() == [])
        #expect(try ModelContext(context.container).studioLines() == theirs)

        let local = try self.context(kind)
        try local.bring(second, .merge(conflicts: .keep))
        try local.resolveAll(taking: .local)
        #expect(try local.studioLines() == mine)
        #expect(try local.disputes() == [])
        #expect(try local.told().count == 3)
        try local.bring(second, .merge(conflicts: .keep))
        #expect(try local.disputes() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `a conflict ends where both sides are equal, and where a document replaces`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        try context.bring(second, .merge(conflicts: .keep))
        try context.studio("a").title = "A2"
        try context.save()
        try context.bring(second, .merge(conflicts: .keep))
        #expect(try context.disputes() == ["Disc.title", "Studio.partner_code"])
        // Also one of which the backend was told in between.
        try context.confirm(context.localChanges(of: Studio.self))
        try context.save()
        try context.bring(second, .replace)
        #expect(try context.disputes() == [])
        #expect(try context.studioLines() == theirs)
    }

    @Test(arguments: StoreKind.allCases)
    func `in a transaction that throws nothing has happened`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let told = try context.told()
        #expect(throws: CancellationError.self) {
            try context.transaction {
                try context.bring(second, .merge(conflicts: .keep))
                #expect(try context.disputes().count == 3)
                throw CancellationError()
            }
        }
        #expect(try context.studioLines() == mine)
        #expect(try context.disputes() == [])
        #expect(try context.told() == told)
        try context.transaction {
            try context.bring(second, .merge(conflicts: .listWins))
            try context.studio("a").city = "Rome"
        }
        #expect(try context.told() == [#"~a {"city":"Rome"}"#])
        try context.synchronize(
            [Studio].self,
            from: Data(first.utf8),
            as: .json,
            localChanges: .merge()
        )
        context.rollback()
        #expect(!context.hasChanges)
        #expect(try context.told() == [#"~a {"city":"Rome"}"#])
        try context.bring(first)
        #expect(try context.studioLines() == ["a A Rome [1x 2y]", "b B ->a [3z]"])
    }

    @Test(arguments: StoreKind.allCases)
    func `one that was deleted here and changed there`(_ kind: StoreKind) throws {
        func context() throws -> ModelContext {
            let context = try kind.studios(first)
            context.delete(try context.studio("a"))
            try context.save()
            return context
        }
        // Another title of an object inside counts as a change of the object around it.
        let changed = first.replacing("\"x\"", with: "\"x2\"")
        #expect(throws: SynchronizeError.self) { try context().bring(changed) }
        let here = try context()
        try here.bring(changed, .merge(conflicts: .storeWins))
        #expect(try here.studioLines() == ["b B - [3z]"])
        #expect(try here.fetchCount(FetchDescriptor<Disc>()) == 1)
        let there = try context()
        try there.bring(changed, .merge(conflicts: .listWins))
        #expect(try there.studioLines() == ["a A - [1x2 2y]", "b B - [3z]"])
        #expect(try there.told() == [#"~b {"partner_code":null}"#])
        let kept = try context()
        try kept.bring(changed, .merge(conflicts: .keep))
        #expect(try kept.studioLines() == ["b B - [3z]"])
        #expect(try kept.disputes() == ["Disc", "Disc", "Studio"])
        try kept.resolveAll(taking: .remote)
        #expect(try kept.studioLines().map { $0.prefix(5) } == ["a A -", "b B -"])
        #expect(Set(try kept.studio("a").discs.map(\.title)) == ["x2", "y"])
        #expect(try kept.told() == [#"~b {"partner_code":null}"#])
        #expect(try kept.disputes() == [])
        try kept.bring(changed, .merge())
        #expect(try kept.told() == [#"~b {"partner_code":null}"#])
    }

    @Test(arguments: StoreKind.allCases)
    func `one that was deleted here and has other things inside there is asked for once`(
        _ kind: StoreKind
    ) throws {
        let context = try kind.studios(#"[{"code":"a","title":"A"},{"code":"b","title":"B"}]"#)
        context.delete(try context.studio("a"))
        try context.save()
        let document = """
            [{"code":"a","title":"A","discs":[{"number":1,"title":"x"}]},{"code":"b","title":"B"}]
            """
        for count in [2, 0, 0] {
            try context.bring(document, .merge(conflicts: .keep))
            #expect(try context.disputes().count == count)
            try context.resolveAll(taking: .local)
            #expect(try context.studioLines() == ["b B - []"])
            #expect(try context.told() == ["-a", "-1"])
        }
        try context.bring(document, .merge())
        // Changed once more.
        let third = document.replacing(#""title":"x""#, with: #""title":"x2""#)
        try context.bring(third, .merge(conflicts: .keep))
        try context.resolveAll(taking: .remote)
        #expect(try context.studioLines() == ["a A - [1x2]", "b B - []"])
        #expect(try context.told() == [])

        let other = try kind.studios(#"[{"code":"a","title":"A"},{"code":"b","title":"B"}]"#)
        other.delete(try other.studio("a"))
        try other.save()
        for _ in 0..<2 { try other.bring(document, .merge(conflicts: .keep)) }
        #expect(try other.disputes().count == 2)
        try other.resolveAll(taking: .remote)
        for _ in 0..<2 {
            #expect(try other.studioLines() == ["a A - [1x]", "b B - []"])
            #expect(try other.told() == [])
            try other.bring(document, .merge())
        }
    }

    /// The one that has its name takes what the other side has.
    @Test(arguments: StoreKind.allCases)
    func `one that was deleted here, and another one has its name`(_ kind: StoreKind) throws {
        let context = try kind.studios(first)
        context.delete(try context.disc(2))
        try context.save()
        let changed = first.replacing(#""title":"y""#, with: #""title":"y2""#)
        try context.bring(changed, .merge(conflicts: .keep))
        #expect(try context.disputes().count == 1)
        let new = Disc(2, "new", in: try context.studio("b"))
        context.insert(new)
        try context.save()
        try context.resolveAll(taking: .remote)
        #expect(try context.studioLines() == ["a A - [1x 2y2]", "b B ->a [3z]"])
        #expect(try ModelContext(context.container).studioLines() == context.studioLines())
        #expect(try context.disc(2) === new)
    }

    @Test(arguments: StoreKind.allCases)
    func `a conflict of one that is gone on both sides is none`(_ kind: StoreKind) throws {
        let context = try kind.studios(first)
        context.delete(try context.studio("a"))
        try context.save()
        try context.bring(
            first.replacing("\"x\"", with: "\"x2\""),
            .merge(conflicts: .keep)
        )
        #expect(try context.disputes() == ["Disc", "Disc", "Studio"])
        let gone = #"[{"code":"b","title":"B","discs":[{"number":3,"title":"z"}]}]"#
        try context.bring(gone, .merge(conflicts: .keep))
        #expect(try context.disputes() == [])
        #expect(try context.told() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `one that was changed here and deleted there`(_ kind: StoreKind) throws {
        func context() throws -> ModelContext {
            let context = try kind.studios(first)
            try context.disc(1).title = "mine"
            try context.save()
            return context
        }
        let gone = #"[{"code":"b","title":"B","discs":[{"number":3,"title":"z"}]}]"#
        #expect(throws: SynchronizeError.self) { try context().bring(gone) }
        let there = try context()
        try there.bring(gone, .merge(conflicts: .listWins))
        #expect(try there.studioLines() == ["b B - [3z]"])
        #expect(try there.told() == [])
        let here = try context()
        let result = try here.bring(gone, .merge(conflicts: .storeWins))
        #expect(result.removals.isEmpty)
        #expect(try here.studioLines() == ["a A - [1mine 2y]", "b B - [3z]"])
        // The other side does not have them any more.
        #expect(try here.told() == ["+a", "+1", "+2"])
        let kept = try context()
        try kept.bring(gone, .merge(conflicts: .keep))
        #expect(try kept.disputes() == ["Disc", "Studio"])
        #expect(try kept.studioLines()[0] == "a A - [1mine 2y]")
        try kept.resolveAll(taking: .remote)
        #expect(try kept.studioLines() == ["b B - [3z]"])
        #expect(try kept.told() == [])
        #expect(try kept.fetchCount(FetchDescriptor<Disc>()) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `one that was put into an object which the document does not have`(
        _ kind: StoreKind
    ) throws {
        let gone = """
            [{"code":"b","title":"B","discs":[{"number":3,"title":"z"}]}]
            """
        let here = try kind.studios(first)
        try here.disc(3).studio = try here.studio("a")
        try here.save()
        try here.bring(gone, .merge(conflicts: .storeWins))
        #expect(try here.studioLines() == ["a A - [1x 2y 3z]", "b B - []"])
        let there = try kind.studios(first)
        try there.disc(3).studio = try there.studio("a")
        try there.save()
        try there.bring(gone, .merge(conflicts: .listWins))
        #expect(try there.studioLines() == ["b B - [3z]"])
        #expect(try there.told() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `one that was moved there into an object which was deleted here`(
        _ kind: StoreKind
    ) throws {
        let moved = """
            [{"code":"a","title":"A","discs":[{"number":1,"title":"x"},{"number":2,"title":"y"},
              {"number":3,"title":"z"}]},
             {"code":"b","title":"B","partner_code":"a","discs":[]}]
            """
        let here = try kind.studios(first)
        here.delete(try here.studio("a"))
        try here.save()
        try here.bring(moved, .merge(conflicts: .storeWins))
        #expect(try here.studioLines() == ["b B - [3z]"])
        let there = try kind.studios(first)
        there.delete(try there.studio("a"))
        try there.save()
        try there.bring(moved, .merge(conflicts: .listWins))
        #expect(try there.studioLines() == ["a A - [1x 2y 3z]", "b B - []"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what others change after the merge`(_ kind: StoreKind) throws {
        let context = try kind.studios(first)
        try context.synchronize(
            [Studio].self,
            from: Data(second.utf8),
            as: .json,
            localChanges: .merge()
        )
        let other = ModelContext(context.container)
        try other.studio("a").city = "Rome"
        try other.save()
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .planOutdated)
        context.rollback()
        try context.bring(second)
        #expect(try context.studioLines() == ["a A2 Rome [1x2 2y]", "b B ->b [3z]"])
        #expect(try context.told() == [#"~a {"city":"Rome"}"#])
    }
}
