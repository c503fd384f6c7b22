import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Documents with lists that lead back to each other beside what was changed here.
@Suite struct PairMergeTests {
    private let first = """
        [{"code":"a","title":"A","marks":["x","y"],"players":[{"$type":"Pianist","name":"ada"}],"friends":["b"]},
         {"code":"b","title":"B","marks":["y"],"players":[],"friends":["a"]},
         {"code":"c","title":"C","marks":[],"players":[],"friends":[]}]
        """
    private let before = ["a A [x y] [ada] [b]", "b B [y] [] [a]", "c C [] [] []"]

    private func context(_ kind: StoreKind) throws -> ModelContext { try kind.gigs(first) }

    @Test(arguments: StoreKind.allCases)
    func `a document that was there changes nothing`(_ kind: StoreKind) throws {
        let context = try context(kind)
        for policy in [LocalChangePolicy<Gig>.merge(), .replace, .merge()] {
            #expect(try context.gigLines() == before)
            #expect(try context.told(Gig.self) == [])
            #expect(try context.told(GigMark.self) == [])
            let result = try context.bring(gigs: first, policy)
            #expect("\(result)" == "0 added, 0 updated, 0 removed, 3 unchanged")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `pairs of both sides are there, and those that one has removed are gone`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        let (a, b) = (try context.gig("a"), try context.gig("b"))
        a.marks = [try context.mark("x"), try context.mark("z")]
        b.players = [try context.player("ben"), try context.player("ada")]
        try context.gig("c").friends = [a]
        try context.save()
        #expect(
            try context.toldOfPairs() == [
                #"a.friends +["c"] -[]"#, #"a.marks +["z"] -["y"]"#,
                #"b.players +["ben", "ada"] -[]"#, #"c.friends +["a"] -[]"#,
            ]
        )
        #expect(
            try context.told(Gig.self) == [
                #"~a {"friends":["b","c"],"marks":["x","z"]}"#,
                #"~b {"players":[{"$type":"Drummer","name":"ben"},{"$type":"Pianist","name":"ada"}]}"#,
                #"~c {"friends":["a"]}"#,
            ]
        )
        #expect(
            try context.told(GigMark.self) == [#"~y {"gigs":["b"]}"#, #"~z {"gigs":["a"]}"#]
        )
        // There x is gone from a, z is in b, and a and b are no friends.
        let theirs = """
            [{"code":"a","title":"A","marks":["y"],"players":[{"$type":"Pianist","name":"ada"}],"friends":[]},
             {"code":"b","title":"B","marks":["z","y"],"players":[],"friends":[]},
             {"code":"c","title":"C","marks":["x"],"players":[{"$type":"Pianist","name":"ada"}],"friends":[]}]
            """
        let told = [
            #"a.friends +["c"] -[]"#, #"a.marks +["z"] -["y"]"#,
            #"b.players +["ben", "ada"] -[]"#, #"c.friends +["a"] -[]"#,
        ]
        for _ in 0..<2 {
            try context.bring(gigs: theirs)
            let lines = try context.gigLines()
            #expect(
                lines == ["a A [z] [ada] [c]", "b B [z y] [ben ada] []", "c C [x] [ada] [a]"],
                "\(lines)"
            )
            #expect(try ModelContext(context.container).gigLines() == lines)
            let found = try context.toldOfPairs()
            #expect(found == told, "\(found)")
        }
        // The other side is told by one of them.
        try context.confirm(context.localChanges(of: GigMark.self))
        try context.save()
        #expect(try context.toldOfPairs() == [told[0], told[2], told[3]])
        try context.confirm(context.localChanges(of: Gig.self))
        try context.save()
        #expect(try context.told(Gig.self) == [])
        // No document has brought players.
        #expect(try context.told(Pianist.self) == ["+ada"])
        #expect(try context.told(GigMark.self) == [])
        try context.bring(gigs: theirs)
        #expect(try context.gigLines()[0] == "a A [y] [ada] []")
    }

    @Test(arguments: StoreKind.allCases)
    func `what both sides have done is no change any more`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let a = try context.gig("a")
        a.marks = [try context.mark("z")]
        a.friends = []
        try context.save()
        try context.bring(
            gigs: first.replacing(#"["x","y"]"#, with: #"["z"]"#)
                .replacing(#"["b"]"#, with: "[]").replacing(#"["a"]"#, with: "[]")
        )
        #expect(try context.gigLines()[0] == "a A [z] [ada] []")
        #expect(try context.told(Gig.self) == [])
        #expect(try context.told(GigMark.self) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `an order made here stays`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let a = try context.gig("a")
        a.marks.reverse()
        try context.save()
        #expect(try context.told(Gig.self) == [])
        for _ in 0..<2 {
            try context.bring(gigs: first.replacing(#"["x","y"]"#, with: #"["x","z","y"]"#))
            #expect(try context.gigLines()[0] == "a A [y x z] [ada] [b]")
            #expect(try context.told(Gig.self) == [])
        }
        try context.bring(gigs: first, .replace)
        #expect(try context.gigLines() == before)
        try context.bring(gigs: first.replacing(#"["x","y"]"#, with: #"["y","x"]"#))
        #expect(try context.gigLines()[0] == "a A [y x] [ada] [b]")
    }

    @Test(arguments: StoreKind.allCases)
    func `a document replaces what was changed here`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.gig("a").marks = []
        try context.gig("c").friends = [try context.gig("b")]
        try context.gig("c").players = [try context.player("ben")]
        try context.save()
        try context.bring(gigs: first, .replace)
        #expect(try context.gigLines() == before)
        #expect(try context.told(Gig.self) == [])
        // What waits is replaced, too.
        try context.gig("a").marks = [try context.mark("z")]
        try context.bring(gigs: first, .replace)
        #expect(try context.gigLines() == before)
        #expect(try context.told(Gig.self) == [])
        // A list that it leaves out stays as it is.
        try context.gig("a").marks = [try context.mark("z")]
        try context.save()
        try context.bring(gigs: first.replacing(#""marks":["x","y"],"#, with: ""), .replace)
        #expect(try context.gigLines()[0] == "a A [z] [ada] [b]")
        #expect(try context.toldOfPairs() == [#"a.marks +["z"] -["x", "y"]"#])
    }

    @Test(arguments: StoreKind.allCases)
    func `objects that were deleted here, and that come back`(_ kind: StoreKind) throws {
        func deleted() throws -> ModelContext {
            let context = try kind.gigs(first)
            context.delete(try context.gig("a"))
            try context.save()
            #expect(try context.told(Gig.self) == ["-a", #"~b {"friends":[]}"#])
            #expect(try context.toldOfPairs() == [#"b.friends +[] -["a"]"#])
            return context
        }
        let context = try deleted()
        try context.bring(gigs: first.replacing("\"B\"", with: "\"B2\""))
        #expect(try context.gigLines() == ["b B2 [y] [] []", "c C [] [] []"])
        #expect(try context.told(Gig.self) == ["-a", #"~b {"friends":[]}"#])
        // The deletion says it of both.
        try context.confirm(context.localChanges(of: Gig.self).filter { $0.name == .text("a") })
        try context.save()
        #expect(try context.told(Gig.self) == [])
        #expect(try context.told(GigMark.self) == [])

        let changed = first.replacing("\"A\"", with: "\"A2\"").replacing(
            #"["x","y"]"#,
            with: #"["x","y","z"]"#
        )
        let after = ["a A2 [x y z] [ada] [b]", "b B [y] [] [a]", "c C [] [] []"]
        let there = try deleted()
        try there.bring(gigs: changed, .merge(conflicts: .listWins))
        #expect(try there.gigLines() == after)
        #expect(try there.told(Gig.self) == [])
        let kept = try deleted()
        try kept.bring(gigs: changed, .merge(conflicts: .keep))
        #expect(try kept.gigLines() == ["b B [y] [] []", "c C [] [] []"])
        try kept.resolveAll(taking: .remote)
        #expect(try Set(kept.gig("a").marks.map(\.name)) == ["x", "y", "z"])
        #expect(try kept.gigLines().dropFirst() == after.dropFirst())
        #expect(try kept.told(Gig.self) == [])
        // Gone on both sides.
        let gone = try deleted()
        try gone.bring(
            gigs: #"[{"code":"b","title":"B","marks":["y"],"friends":[]},{"code":"c","title":"C"}]"#
        )
        #expect(try gone.told(Gig.self) == [])
        #expect(try gone.told(GigMark.self) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that the document names was deleted here`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.delete(try context.mark("y"))
        try context.save()
        let told = [#"a.marks +[] -["y"]"#, #"b.marks +[] -["y"]"#]
        #expect(try context.toldOfPairs() == told)
        try context.bring(gigs: first.replacing(#"["x","y"]"#, with: #"["z","y","x"]"#))
        #expect(
            try context.gigLines() == ["a A [z x] [ada] [b]", "b B [] [] [a]", "c C [] [] []"]
        )
        #expect(try context.toldOfPairs() == told)
        #expect(try context.told(GigMark.self) == ["-y"])
        // Another name is another thing.
        #expect(throws: ModelDecodingError.self) {
            try context.bring(gigs: first.replacing(#""y""#, with: #""q""#))
        }
        try context.mark("x").name = "x2"
        try context.save()
        try context.bring(gigs: first)
        #expect(try context.gigLines()[0] == "a A [x2] [ada] [b]")
    }

    /// What was known of a pair is nothing that the other side has, when that has the object again.
    @Test(arguments: StoreKind.allCases)
    func `a pair that an orphan has lost here is new when it is put back`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        let a = try context.gig("a")
        a.title = "mine"
        a.marks.removeAll { $0.name == "x" }
        a.players = []
        a.friends = []
        try context.save()
        let others = #"{"code":"b","title":"B","marks":["y"]},{"code":"c","title":"C"}"#
        try context.bring(gigs: "[\(others)]", .merge(conflicts: .storeWins))
        a.marks.append(try context.mark("x"))
        a.players = [try context.player("ada")]
        a.friends = [try context.gig("b")]
        try context.save()
        let back = #"[\#(others),{"code":"a","title":"A","marks":[],"friends":[]}]"#
        for _ in 0..<2 {
            try context.bring(gigs: back, .merge(conflicts: .storeWins))
            #expect(try context.gigLines()[0] == "a mine [y x] [ada] [b]")
            #expect(
                try context.toldOfPairs() == [
                    #"a.friends +["b"] -[]"#, #"a.marks +["y", "x"] -[]"#,
                    #"a.players +["ada"] -[]"#, #"b.friends +["a"] -[]"#,
                ]
            )
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that is gone there and stays here keeps its pairs`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.gig("a").title = "mine"
        try context.gig("a").marks.append(context.mark("z"))
        try context.save()
        let theirs = """
            [{"code":"b","title":"B","marks":["y"],"players":[],"friends":[]},
             {"code":"c","title":"C","marks":[],"players":[],"friends":[]}]
            """
        #expect(throws: SynchronizeError.self) { try context.bring(gigs: theirs) }
        for _ in 0..<2 {
            try context.bring(gigs: theirs, .merge(conflicts: .storeWins))
            #expect(try context.gigLines()[0] == "a mine [x y z] [ada] [b]")
            #expect(try context.told(Gig.self) == ["+a", #"~b {"friends":["a"]}"#])
        }
        try context.bring(gigs: theirs, .replace)
        #expect(try context.gigLines() == ["b B [y] [] []", "c C [] [] []"])
        #expect(try context.told(Gig.self) == [])
        #expect(try context.told(GigMark.self) == [])
        // One whose pairs alone have changed goes.
        let other = try self.context(kind)
        try other.gig("a").marks = []
        try other.save()
        try other.bring(gigs: theirs)
        #expect(try other.gigLines() == ["b B [y] [] []", "c C [] [] []"])
        #expect(try other.told(Gig.self) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `the other side's document, and that of one list`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.gig("a").marks.append(context.mark("z"))
        try context.gig("b").marks = []
        try context.save()
        func marks(_ text: String, of gig: Gig?) throws {
            let data = Data(text.utf8)
            if let gig {
                try context.synchronize(
                    [GigMark].self,
                    from: data,
                    as: .json,
                    within: \Gig.marks,
                    of: gig,
                    localChanges: .merge()
                )
            } else {
                try context.synchronize(
                    [GigMark].self,
                    from: data,
                    as: .json,
                    localChanges: .merge()
                )
            }
            try context.save()
        }
        try marks(
            #"[{"name":"x","gigs":["a","c"]},{"name":"y","gigs":["a","b"]},{"name":"z","gigs":[]}]"#,
            of: nil
        )
        #expect(
            try context.gigLines() == ["a A [x y z] [ada] [b]", "b B [] [] [a]", "c C [x] [] []"]
        )
        let told = [#"a.marks +["z"] -[]"#, #"b.marks +[] -["y"]"#]
        #expect(try context.toldOfPairs() == told)
        // z was put into it here. w is new there, and y is gone.
        try marks(#"[{"name":"w"},{"name":"x"}]"#, of: try context.gig("a"))
        #expect(try context.gigLines()[0] == "a A [w x z] [ada] [b]")
        #expect(try context.fetch(FetchDescriptor<GigMark>()).count == 3)
        #expect(try context.toldOfPairs() == [told[0]])
    }

    @Test(arguments: StoreKind.allCases)
    func `what others change after the merge, and what the program does`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let other = ModelContext(context.container)
        func merge(_ text: String) throws {
            let data = Data(text.utf8)
            try context.synchronize([Gig].self, from: data, as: .json, localChanges: .merge())
        }
        let theirs = first.replacing(#"["x","y"]"#, with: #"["y"]"#)
        try merge(theirs)
        try other.gig("a").marks.removeFirst()
        try other.gig("b").marks.append(other.mark("z"))
        try other.save()
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .planOutdated)
        context.rollback()
        try context.bring(gigs: theirs)
        #expect(try context.gigLines().prefix(2) == ["a A [y] [ada] [b]", "b B [y z] [] [a]"])
        #expect(try context.toldOfPairs() == [#"b.marks +["z"] -[]"#])
        // Another pair is no part of it.
        try merge(first)
        try other.gig("c").marks = [try other.mark("x")]
        try other.save()
        try context.gig("c").players = [try context.player("ben")]
        try context.save()
        #expect(
            try context.gigLines() == [
                "a A [x y] [ada] [b]", "b B [y z] [] [a]", "c C [x] [ben] []",
            ]
        )
        #expect(
            try context.toldOfPairs() == [
                #"b.marks +["z"] -[]"#, #"c.marks +["x"] -[]"#, #"c.players +["ben"] -[]"#,
            ]
        )
        // A failure leaves what was before.
        let lines = try context.gigLines()
        #expect(throws: CancellationError.self) {
            try context.transaction {
                try merge(theirs)
                try context.save()
                throw CancellationError()
            }
        }
        #expect(try context.gigLines() == lines)
        #expect(try context.toldOfPairs().count == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `lists of which no document has spoken are not told`(_ kind: StoreKind) throws {
        let context = try kind.gigs(#"[{"code":"a","title":"A"}]"#)
        try context.gig("a").marks = [try context.mark("x")]
        try context.save()
        #expect(try context.told(Gig.self) == [])
        // Those that were there before the first document that does count as added here.
        try context.bring(gigs: #"[{"code":"a","title":"A","marks":["y"]}]"#)
        #expect(try context.gigLines() == ["a A [x y] [] []"])
        #expect(try context.toldOfPairs() == [#"a.marks +["x"] -[]"#])
    }
}
