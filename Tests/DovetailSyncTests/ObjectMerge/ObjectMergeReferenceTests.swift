import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// What documents of objects refer to, and the children of one object, beside what was changed here.
@Suite struct ObjectMergeReferenceTests {
    @Test(arguments: StoreKind.allCases)
    func `a new object of a document that refers to what was deleted here is told without it`(
        _ kind: StoreKind
    ) throws {
        let a = #"{"code":"a","title":"A","discs":[]}"#
        let context = try kind.studios("[\(a)]")
        context.delete(try context.studio("a"))
        try context.save()
        let b = #"{"code":"b","title":"B","partner_code":"a","discs":[]}"#
        for _ in 0..<2 {
            try context.bring("[\(a),\(b)]")
            #expect(try context.studioLines() == ["b B - []"])
            #expect(try context.told() == ["-a", #"~b {"partner_code":null}"#])
        }
        // Where that has it without, there is nothing to tell.
        try context.bring("[\(a),\(b.replacing(#""partner_code":"a","#, with: ""))]")
        #expect(try context.told() == ["-a"])
    }

    /// As of lists of values.
    @Test(arguments: StoreKind.allCases)
    func `a document that refers to what it deletes is refused`(_ kind: StoreKind) throws {
        let context = try kind.studios(#"[{"code":"a","title":"A"},{"code":"b","title":"B"}]"#)
        let document = #"[{"code":"c","title":"C"},{"code":"b","title":"B","partner_code":"a"}]"#
        for policy in [LocalChangePolicy<Studio>.replace, .merge()] {
            let error = #expect(throws: SynchronizeError.self) {
                try context.bring(document, policy)
            }
            #expect(error?.reason == .deletedReference && error?.positions == [1])
            #expect(!context.hasChanges)
        }
        // What stays here can be referred to.
        try context.studio("a").title = "mine"
        try context.save()
        try context.bring(document, .merge(conflicts: .storeWins))
        #expect(try context.studioLines() == ["a mine - []", "b B ->a []", "c C - []"])
        try context.synchronize(
            [Studio].self,
            from: Data(document.utf8),
            as: .json,
            unknownReferences: .ignore
        )
        try context.save()
        #expect(try context.studioLines() == ["b B - []", "c C - []"])

        // Kept until it comes again.
        let other = try kind.studios(#"[{"code":"a","title":"A"}]"#)
        func bring(_ document: String) throws {
            try other.synchronize(
                [Studio].self,
                from: Data(document.utf8),
                as: .json,
                unknownReferences: .keep
            )
            try other.save()
        }
        try bring(document)
        #expect(try other.studioLines() == ["b B - []", "c C - []"])
        #expect(try other.fetchCount(FetchDescriptor<MissingReference>()) == 1)
        try bring(#"[{"code":"a","title":"A"},\#(document.dropFirst())"#)
        #expect(try other.studioLines() == ["a A - []", "b B ->a []", "c C - []"])
        #expect(try other.fetchCount(FetchDescriptor<MissingReference>()) == 0)
    }

    /// The last document of the list did not have it: that it is missing is no news.
    @Test(arguments: StoreKind.allCases)
    func `what was moved here into the children of one object stays there`(
        _ kind: StoreKind
    ) throws {
        let first = """
            [{"code":"a","title":"A","discs":[{"number":1,"title":"x"}]},
             {"code":"b","title":"B","discs":[{"number":2,"title":"y"}]}]
            """
        for policy in [ListConflictPolicy.error, .storeWins, .listWins, .keep] {
            let context = try kind.studios(first)
            let a = try context.studio("a")
            try context.disc(2).studio = a
            try context.save()
            for _ in 0..<2 {
                try context.synchronize(
                    [Disc].self,
                    from: Data(#"[{"number":1,"title":"x"}]"#.utf8),
                    as: .json,
                    within: \Studio.discs,
                    of: a,
                    localChanges: .merge(conflicts: policy)
                )
                try context.save()
                #expect(try context.studioLines() == ["a A - [1x 2y]", "b B - []"])
                #expect(try context.told() == [#"~2 {"studio":"a"}"#])
                #expect(try context.disputes() == [])
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the children of one object are merged`(_ kind: StoreKind) throws {
        let context = try kind.studios(
            """
            [{"code":"a","title":"A","discs":[{"number":1,"title":"x"},{"number":2,"title":"y"}]},
             {"code":"b","title":"B","partner_code":"a","discs":[{"number":3,"title":"z"}]}]
            """
        )
        let a = try context.studio("a")
        a.discs[0].title = "mine"
        a.discs.append(Disc(9, "new", in: a))
        try context.save()
        func bring(_ text: String, _ policy: LocalChangePolicy<Disc>) throws {
            try context.synchronize(
                [Disc].self,
                from: Data(text.utf8),
                as: .json,
                within: \Studio.discs,
                of: a,
                localChanges: policy
            )
            try context.save()
        }
        try bring(
            #"[{"number":5,"title":"v"},{"number":1,"title":"x"}]"#,
            .merge().conflicts(in: \.title, .listWins)
        )
        #expect(try context.studioLines() == ["a A - [5v 1mine 9new]", "b B ->a [3z]"])
        #expect(try context.told() == ["+9", #"~1 {"title":"mine"}"#])
        try bring(#"[{"number":1,"title":"theirs"}]"#, .merge().conflicts(in: \.title, .listWins))
        #expect(try context.studioLines()[0] == "a A - [1theirs 9new]")
        #expect(throws: SynchronizeError.self) {
            try context.disc(1).title = "again"
            try context.save()
            try bring("[]", .merge())
        }
        try bring("[]", .replace)
        #expect(try context.studioLines()[0] == "a A - []")
        #expect(try context.told() == [])
    }
}
