import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Documents of objects beside what was changed here.
@Suite struct ObjectMergeTests {
    private let first = """
        [{"code":"a","title":"A","discs":[{"number":1,"title":"x"},{"number":2,"title":"y"}]},
         {"code":"b","title":"B","partner_code":"a","discs":[{"number":3,"title":"z"}]}]
        """

    private func context(_ kind: StoreKind) throws -> ModelContext { try kind.studios(first) }

    @Test(arguments: StoreKind.allCases)
    func `attributes that one side has changed have its value`(_ kind: StoreKind) throws {
        let context = try context(kind)
        #expect(try context.told() == [])
        try context.studio("a").title = "mine"
        try context.disc(1).title = "mine"
        try context.save()
        #expect(try context.told() == [#"~a {"title":"mine"}"#, #"~1 {"title":"mine"}"#])
        let result = try context.bring(
            """
            [{"code":"a","title":"A","city":"Rome","discs":[{"number":1,"title":"x"},{"number":2,"title":"theirs"}]},
             {"code":"b","title":"B","partner_code":"a","discs":[{"number":3,"title":"z"}]}]
            """
        )
        #expect("\(result)" == "0 added, 1 updated, 0 removed, 1 unchanged")
        #expect(try context.studioLines() == ["a mine Rome [1mine 2theirs]", "b B ->a [3z]"])
        #expect(try context.told() == [#"~a {"title":"mine"}"#, #"~1 {"title":"mine"}"#])
        #expect(try ModelContext(context.container).studioLines() == context.studioLines())
    }

    @Test(arguments: StoreKind.allCases)
    func `the same document again changes nothing`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.studio("a").title = "mine"
        context.insert(Disc(9, "new", in: try context.studio("b")))
        try context.save()
        let before = try context.studioLines()
        let told = try context.told()
        for _ in 0..<2 {
            let result = try context.bring(first)
            #expect(result.updated.isEmpty && result.added.isEmpty && result.removals.isEmpty)
            #expect(try context.studioLines() == before)
            #expect(try context.told() == told)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a relationship to one is merged like an attribute`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.studio("b").partner = nil
        try context.studio("a").partner = try context.studio("b")
        try context.save()
        #expect(
            try context.told() == [
                #"~a {"partner_code":"b"}"#, #"~b {"partner_code":null}"#,
            ]
        )
        try context.bring(first.replacing("\"A\"", with: "\"A2\""))
        #expect(try context.studioLines() == ["a A2 ->b [1x 2y]", "b B - [3z]"])
        let error = #expect(throws: SynchronizeError.self) {
            try context.bring(
                """
                [{"code":"a","title":"A2","discs":[{"number":1,"title":"x"},{"number":2,"title":"y"}]},
                 {"code":"b","title":"B","partner_code":"b","discs":[{"number":3,"title":"z"}]}]
                """
            )
        }
        #expect(error?.reason == .conflict)
        #expect(error?.conflicts.map(\.attributes) == [["partner_code"]])
        #expect(error?.conflicts.first?.table == "Studio")
        #expect(!context.hasChanges)
        #expect(try context.studioLines() == ["a A2 ->b [1x 2y]", "b B - [3z]"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what was put into a list here stays in its place`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let a = try context.studio("a")
        a.discs.insert(Disc(9, "new", in: a), at: 1)
        try context.save()
        #expect(try context.told() == ["+9"])
        try context.bring(
            """
            [{"code":"a","title":"A","discs":[{"number":4,"title":"w"},{"number":2,"title":"y"},{"number":1,"title":"x"}]},
             {"code":"b","title":"B","partner_code":"a","discs":[{"number":3,"title":"z"}]}]
            """
        )
        #expect(try context.studioLines()[0] == "a A - [4w 2y 1x 9new]")
        #expect(try context.told() == ["+9"])
    }

    @Test(arguments: StoreKind.allCases)
    func `an order made here stays`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let a = try context.studio("a")
        a.discs = a.discs.reversed()
        try context.save()
        for _ in 0..<2 {
            try context.bring(
                """
                [{"code":"a","title":"A","discs":[{"number":1,"title":"x"},{"number":4,"title":"w"},{"number":2,"title":"y"}]},
                 {"code":"b","title":"B","partner_code":"a","discs":[{"number":3,"title":"z"}]}]
                """
            )
            #expect(try context.studioLines()[0] == "a A - [2y 1x 4w]")
            #expect(try context.told() == [])
        }
        try context.bring(first, .replace)
        #expect(try context.studioLines()[0] == "a A - [1x 2y]")
        try context.bring(
            """
            [{"code":"a","title":"A","discs":[{"number":2,"title":"y"},{"number":1,"title":"x"}]},
             {"code":"b","title":"B","partner_code":"a","discs":[{"number":3,"title":"z"}]}]
            """
        )
        #expect(try context.studioLines()[0] == "a A - [2y 1x]")
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `the order of a list that both sides have moved an object into is that of documents`(
        _ kind: StoreKind,
        _ isConfirmed: Bool
    ) throws {
        let context = try context(kind)
        try context.disc(2).studio = try context.studio("b")
        try context.save()
        let documents = [[3, 2], [2, 3], [3, 2]].map { discs in
            let list = discs.map { #"{"number":\#($0),"title":"\#($0 == 2 ? "y" : "z")"}"# }
            return """
                [{"code":"a","title":"A","discs":[{"number":1,"title":"x"}]},
                 {"code":"b","title":"B","partner_code":"a","discs":[\(list.joined(separator: ","))]}]
                """
        }
        if isConfirmed {
            try context.confirm(context.localChanges(of: Disc.self))
            try context.save()
        } else {
            try context.bring(documents[0])
        }
        #expect(try context.told() == [])
        #expect(try context.studioLines()[1] == "b B ->a [3z 2y]")
        for (document, line) in zip(documents[1...], ["b B ->a [2y 3z]", "b B ->a [3z 2y]"]) {
            try context.bring(document)
            #expect(try context.studioLines()[1] == line)
            #expect(try context.told() == [])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what was moved on one side is where that side has it`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.disc(1).studio = try context.studio("b")
        try context.save()
        #expect(try context.told() == [#"~1 {"studio":"b"}"#])
        try context.bring(
            """
            [{"code":"a","title":"A","discs":[{"number":1,"title":"x2"},{"number":3,"title":"z"}]},
             {"code":"b","title":"B","partner_code":"a","discs":[{"number":2,"title":"y"}]}]
            """
        )
        #expect(try context.studioLines() == ["a A - [3z]", "b B ->a [2y 1x2]"])
        #expect(try context.told() == [#"~1 {"studio":"b"}"#])
    }

    @Test(arguments: StoreKind.allCases)
    func `what was inserted here stays until a document has it`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let c = Studio("c", "C")
        context.insert(c)
        c.discs = [Disc(8, "q", in: c)]
        try context.save()
        #expect(try context.told() == ["+c", "+8"])
        try context.bring(first)
        #expect(try context.studioLines()[2] == "c C - [8q]")
        try context.bring(
            String(first.dropLast())
                + #",{"code":"c","title":"C","discs":[{"number":8,"title":"q"}]}]"#
        )
        #expect(try context.told() == [])
        #expect(try context.studio("c") === c)
        try context.bring(first)
        #expect(try context.studioLines().count == 2)
        #expect(try context.fetchCount(FetchDescriptor<Disc>()) == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `what was deleted here stays deleted`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.delete(try context.studio("a"))
        context.delete(try context.disc(3))
        try context.save()
        let told = [#"~b {"partner_code":null}"#, "-a", "-1", "-2", "-3"]
        #expect(Set(try context.told()) == Set(told))
        try context.bring(first.replacing("\"B\"", with: "\"B2\""))
        #expect(try context.studioLines() == ["b B2 - []"])
        #expect(Set(try context.told()) == Set(told))
        // Gone on both sides.
        try context.bring(#"[{"code":"b","title":"B2"}]"#)
        #expect(try context.told() == ["-3"])
        try context.bring(#"[{"code":"b","title":"B2","discs":[]}]"#)
        #expect(try context.told() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `what the document does not have goes unless it was changed here`(_ kind: StoreKind) throws
    {
        let context = try context(kind)
        try context.bring(#"[{"code":"a","title":"A","discs":[{"number":2,"title":"y"}]}]"#)
        #expect(try context.studioLines() == ["a A - [2y]"])
        #expect(try context.fetchCount(FetchDescriptor<Disc>()) == 1)
        #expect(try context.told() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `what a document replaces counts as changed no more`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.studio("a").title = "mine"
        context.delete(try context.disc(1))
        context.delete(try context.studio("b"))
        context.insert(Studio("c", "C"))
        try context.save()
        #expect(try context.told().count == 5)
        try context.bring(first, .replace)
        #expect(try context.told() == [])
        #expect(try context.studioLines() == ["a A - [1x 2y]", "b B ->a [3z]"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what is outside of what a document replaces stays a change`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let singer = Singer("ann")
        context.insert(singer)
        try context.studio("b").title = "mine"
        try context.save()
        try context.bring(
            #"[{"code":"a","title":"A","singers":["ann"]},{"code":"b","title":"B"}]"#,
            .merge(conflicts: .listWins)
        )
        #expect(try context.told() == [#"~b {"title":"mine"}"#])
        #expect(try context.localChanges(of: Singer.self).isEmpty)
        singer.rank = 7
        singer.studio = nil
        try context.save()
        try context.bring(
            #"[{"code":"a","title":"A","singers":[]},{"code":"b","title":"B"}]"#,
            .replace
        )
        #expect(try context.told() == [])
        let changes = try context.localChanges(of: Singer.self)
        #expect(changes.count == 1 && singer.rank == 7)
        if case .updated(_, let patch)? = changes.first?.kind {
            #expect(String(decoding: try patch.encoded(as: .json), as: UTF8.self) == #"{"rank":7}"#)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `changes that a backend was told are none any more`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.studio("a").title = "mine"
        context.delete(try context.disc(1))
        context.insert(Studio("c", "C"))
        try context.save()
        let studios = try context.localChanges(of: Studio.self)
        let discs = try context.localChanges(of: Disc.self)
        try context.studio("a").city = "Rome"
        try context.save()
        try context.confirm(studios)
        try context.confirm(discs)
        try context.save()
        #expect(try context.told() == [#"~a {"city":"Rome"}"#])
    }

    @Test(arguments: StoreKind.allCases)
    func `what is changed between the document and its save counts`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.synchronize(
            [Studio].self,
            from: Data(first.replacing("\"B\"", with: "\"B2\"").utf8),
            as: .json,
            localChanges: .merge()
        )
        try context.studio("a").city = "Rome"
        try context.studio("b").city = "Oslo"
        context.delete(try context.disc(1))
        context.insert(Studio("c", "C"))
        try context.save()
        #expect(
            try context.told() == [
                "+c", #"~a {"city":"Rome"}"#, #"~b {"city":"Oslo"}"#, "-1",
            ]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `another name here does not make it another object`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let a = try context.studio("a")
        a.code = "z"
        try context.save()
        #expect(try context.told() == [#"~a {"code":"z"}"#])
        try context.bring(first.replacing("\"A\"", with: "\"A2\""))
        #expect(a.code == "z" && a.title == "A2" && a.discs.count == 2)
        #expect(try context.studio("b").partner === a)
        #expect(try context.fetchCount(FetchDescriptor<Studio>()) == 2)
        // The name is another object's there.
        let error = #expect(throws: SynchronizeError.self) {
            try context.bring(
                String(first.dropLast()) + #",{"code":"z","title":"Z"}]"#,
                .merge(conflicts: .listWins)
            )
        }
        #expect(error?.conflicts.map(\.attributes) == [["code"]])
    }

    @Test(arguments: StoreKind.allCases)
    func `lists by name are what the rows of their objects say`(_ kind: StoreKind) throws {
        let context = try context(kind)
        for name in ["ann", "bob", "cid"] { context.insert(Singer(name)) }
        try context.save()
        func document(_ a: String, _ b: String) -> String {
            #"[{"code":"a","title":"A","singers":[\#(a)]},{"code":"b","title":"B","singers":[\#(b)]}]"#
        }
        func names(_ code: String) throws -> [String] {
            try context.studio(code).singers.map(\.name)
        }
        try context.bring(document(#""ann","bob""#, ""), .merge(conflicts: .listWins))
        #expect(try names("a") == ["ann", "bob"])
        let cid = try context.fetch(FetchDescriptor<Singer>(sortBy: [SortDescriptor(\.name)]))[2]
        try context.studio("b").singers = [cid] + context.studio("a").singers.prefix(1)
        try context.save()
        try context.bring(document(#""ann""#, #""bob""#))
        #expect(try names("a") == [])
        #expect(Set(try names("b")) == ["ann", "bob", "cid"])
        let changes = try context.localChanges(of: Singer.self)
        #expect(Set(changes.map(\.name)) == [.text("ann"), .text("cid")])
    }

    @Test(arguments: StoreKind.allCases)
    func `a place for one has one object`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.studio("a").plaque = Plaque(1, "mine")
        try context.save()
        let theirs =
            #"[{"code":"a","title":"A","plaque":{"serial":2,"text":"theirs"}},{"code":"b","title":"B","partner_code":"a"}]"#
        try context.bring(theirs.replacing(#","plaque":{"serial":2,"text":"theirs"}"#, with: ""))
        #expect(try context.studio("a").plaque?.serial == 1)
        #expect(throws: SynchronizeError.self) {
            try context.bring(theirs, .merge(conflicts: .keep))
        }
        #expect(try context.studio("a").plaque?.serial == 1)
        try context.bring(theirs, .merge(conflicts: .listWins))
        #expect(try context.studio("a").plaque?.serial == 2)
        #expect(try context.fetchCount(FetchDescriptor<Plaque>()) == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `what cannot be merged is refused`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.studio("a").title = "waits"
        #expect(throws: StoreError.self) { try context.bring(first) }
        context.rollback()
    }

    @Test(arguments: StoreKind.allCases)
    func `two contexts, and a class that is synchronized by itself`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let other = ModelContext(context.container)
        try other.disc(1).title = "other"
        try other.save()
        // What another context has saved is a change made here.
        #expect(try context.told() == [#"~1 {"title":"other"}"#])
        try context.bring(first.replacing("\"y\"", with: "\"y2\""))
        #expect(try other.studioLines()[0] == "a A - [1other 2y2]")
        let discs =
            #"[{"number":1,"title":"x"},{"number":2,"title":"y2"},{"number":3,"title":"z3"}]"#
        try context.synchronize(
            [Disc].self,
            from: Data(discs.utf8),
            as: .json,
            localChanges: .merge()
        )
        try context.save()
        #expect(try context.studioLines() == ["a A - [1other 2y2]", "b B ->a [3z3]"])
        #expect(try context.told() == [#"~1 {"title":"other"}"#])
    }

    @Test func `a store that knows no changes throws`() throws {
        let context = ModelContext(
            try StoreKind.sqlite.container(Studio.self, Disc.self, Singer.self, Plaque.self)
        )
        let error = #expect(throws: StoreError.self) { try context.bring(first) }
        #expect(error?.kind == .historyDisabled)
        let second = #expect(throws: StoreError.self) {
            try context.localChanges(of: Studio.self)
        }
        #expect(second?.kind == .historyDisabled)
        try context.bring(first, .replace)
        #expect(try context.studioLines().count == 2)
    }
}
