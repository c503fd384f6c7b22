import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Documents with relationships to protocols beside what was changed here.
@Suite struct UnionMergeTests {
    private let first = """
        [{"code":"a","title":"A","keeper":{"$type":"Watchman","name":"ann"},
          "haulers":[{"$type":"Truck","name":"t1","load":1},{"$type":"Mule","name":"m1","load":2}],
          "guests":[{"$type":"Mule","name":"m2"}],"gate":{"$type":"IronGate","number":1}},
         {"code":"b","title":"B","haulers":[{"$type":"Mule","name":"m2","load":3}],
          "guests":[{"$type":"Truck","name":"t1"},{"$type":"Mule","name":"m1"}]}]
        """
    private let before = [
        "a A ann [t11 m12] (m2) IronGate1", "b B - [m23] (t1 m1) -",
    ]

    private func context(_ kind: StoreKind) throws -> ModelContext { try kind.yards(first) }

    @Test(arguments: StoreKind.allCases)
    func `a document that was there changes nothing`(_ kind: StoreKind) throws {
        let context = try context(kind)
        #expect(try context.yardLines() == before)
        #expect(try context.toldOfYards() == [])
        let result = try context.bring(yards: first)
        #expect("\(result)" == "0 added, 0 updated, 0 removed, 2 unchanged")
        #expect(try context.yardLines() == before)
        #expect(try context.toldOfYards() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `an object of another class on one side is that of both`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.yard("a").keeper = try context.keeper("acme")
        try context.yard("b").keeper = try context.keeper("bob")
        try context.save()
        let told = [
            #"~a {"keeper":{"$type":"Firm","name":"acme"}}"#,
            #"~b {"keeper":{"$type":"Watchman","name":"bob"}}"#,
        ]
        #expect(try context.toldOfYards() == told)
        for _ in 0..<2 {
            try context.bring(yards: first.replacing("\"A\"", with: "\"A2\""))
            #expect(
                try context.yardLines() == [
                    "a A2 acme [t11 m12] (m2) IronGate1", "b B bob [m23] (t1 m1) -",
                ]
            )
            #expect(try context.toldOfYards() == told)
        }
        #expect(try ModelContext(context.container).yardLines() == context.yardLines())
        try context.confirm(context.localChanges(of: Yard.self))
        try context.save()
        #expect(try context.toldOfYards() == [])
        // Changed there, and to nothing.
        let second = first.replacing(
            #""keeper":{"$type":"Watchman","name":"ann"},"#,
            with: #""keeper":{"$type":"Firm","name":"bolt"},"#
        )
        try context.bring(yards: second)
        #expect(try context.yardLines()[0].prefix(8) == "a A bolt")
        #expect(try context.yardLines()[1].prefix(5) == "b B -")
        #expect(try context.toldOfYards() == [])
    }

    /// With another keeper, of another class.
    private let second = """
        [{"code":"a","title":"A","keeper":{"$type":"Firm","name":"bolt"},
          "haulers":[{"$type":"Truck","name":"t1","load":1},{"$type":"Mule","name":"m1","load":2}],
          "guests":[{"$type":"Mule","name":"m2"}],"gate":{"$type":"IronGate","number":1}},
         {"code":"b","title":"B","haulers":[{"$type":"Mule","name":"m2","load":3}],
          "guests":[{"$type":"Truck","name":"t1"},{"$type":"Mule","name":"m1"}]}]
        """

    @Test(arguments: StoreKind.allCases, ["bob", "acme"])
    func `both sides have another one`(_ kind: StoreKind, _ mine: String) throws {
        func conflicting() throws -> ModelContext {
            let context = try context(kind)
            try context.yard("a").keeper = try context.keeper(mine)
            try context.save()
            return context
        }
        let refused = try conflicting()
        let error = #expect(throws: SynchronizeError.self) { try refused.bring(yards: second) }
        #expect(error?.conflicts.map(\.attributes) == [["keeper"]])
        #expect(try refused.yard("a").keeper?.name == mine)
        try refused.bring(yards: second, .merge().conflicts(in: \.keeper, .listWins))
        #expect(try refused.yard("a").keeper?.name == "bolt")
        #expect(try refused.toldOfYards() == [])

        let here = try conflicting()
        try here.bring(yards: second, .merge(conflicts: .storeWins))
        #expect(try here.yard("a").keeper?.name == mine)
        #expect(try here.toldOfYards().count == 1)

        let kept = try conflicting()
        try kept.bring(yards: second, .merge(conflicts: .keep))
        #expect(try kept.disputes() == ["Yard.keeper"])
        try kept.bring(yards: second, .merge(conflicts: .keep))
        #expect(try kept.disputes() == ["Yard.keeper"])
        #expect(try kept.yard("a").keeper?.name == mine)
        try kept.resolveAll(taking: .remote)
        #expect(try kept.yard("a").keeper?.name == "bolt")
        #expect(try ModelContext(kept.container).yard("a").keeper?.name == "bolt")
        #expect(try kept.toldOfYards() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `nothing is a value like others`(_ kind: StoreKind) throws {
        let none = first.replacing(#""keeper":{"$type":"Watchman","name":"ann"},"#, with: "")
        let context = try context(kind)
        try context.yard("a").keeper = try context.keeper("acme")
        try context.save()
        try context.bring(yards: none, .merge(conflicts: .keep))
        #expect(try context.disputes() == ["Yard.keeper"])
        try context.resolveAll(taking: .remote)
        #expect(try context.yard("a").keeper == nil)
        try context.yard("a").keeper = try context.keeper("ann")
        try context.save()
        // Both sides are equal again.
        try context.bring(yards: first)
        #expect(try context.yardLines() == before)
        #expect(try context.toldOfYards() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `lists are what the rows of their objects say`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let (a, b) = (try context.yard("a"), try context.yard("b"))
        // m1 goes to b, t3 is new, and t1 is no guest any more.
        b.haulers.append(try context.hauler("m1"))
        a.haulers.append(Truck(name: "t3"))
        b.guests.removeFirst()
        try context.save()
        let told = [
            "+t3", #"~t1 {"Yard$guests":null}"#, #"~m1 {"yard":"b"}"#,
        ]
        #expect(try context.toldOfYards() == told)
        // There t1 has more, t4 is new, and m2 is guest of nobody.
        let theirs = """
            [{"code":"a","title":"A","keeper":{"$type":"Watchman","name":"ann"},
              "haulers":[{"$type":"Truck","name":"t4"},{"$type":"Truck","name":"t1","load":7},
                {"$type":"Mule","name":"m1","load":2}],
              "guests":[],"gate":{"$type":"IronGate","number":1}},
             {"code":"b","title":"B","haulers":[{"$type":"Mule","name":"m2","load":3}],
              "guests":[{"$type":"Truck","name":"t1"},{"$type":"Mule","name":"m1"}]}]
            """
        for _ in 0..<2 {
            try context.bring(yards: theirs)
            #expect(
                try context.yardLines() == [
                    "a A ann [t40 t17 t30] () IronGate1", "b B - [m23 m12] (m1) -",
                ]
            )
            #expect(try context.toldOfYards() == told)
            #expect(try ModelContext(context.container).yardLines() == context.yardLines())
        }
        try context.bring(yards: theirs, .replace)
        #expect(
            try context.yardLines() == [
                "a A ann [t40 t17 m12] () IronGate1", "b B - [m23] (t1 m1) -",
            ]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `both sides have put one into different lists`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.hauler("m1").yard = try context.yard("b")
        try context.save()
        let theirs = """
            [{"code":"a","title":"A","haulers":[]},{"code":"b","title":"B","haulers":[]},
             {"code":"c","title":"C","haulers":[{"$type":"Mule","name":"m1","load":2}]}]
            """
        let error = #expect(throws: SynchronizeError.self) { try context.bring(yards: theirs) }
        #expect(error?.conflicts.map(\.table) == ["Mule"])
        #expect(error?.conflicts.map(\.attributes) == [["yard"]])
        try context.bring(yards: theirs, .merge(conflicts: .keep))
        #expect(
            try context.yardLines().map { $0.prefix(9) } == ["a A - [] ", "b B - [m1", "c C - [] "]
        )
        try context.resolveAll(taking: .remote)
        #expect(try context.yardLines()[2] == "c C - [m12] () -")
    }

    @Test(arguments: StoreKind.allCases)
    func `a place for one of several classes`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.yard("b").gate = WoodGate(number: 9)
        try context.save()
        #expect(try context.toldOfYards() == ["+9"])
        try context.bring(yards: first)
        #expect(try context.yardLines()[1].suffix(9) == "WoodGate9")
        let theirs = first.replacing(
            #""title":"B","#,
            with: #""title":"B","gate":{"$type":"IronGate","number":2},"#
        )
        #expect(throws: SynchronizeError.self) {
            try context.bring(yards: theirs, .merge(conflicts: .keep))
        }
        #expect(try context.yardLines()[1].suffix(9) == "WoodGate9")
        try context.bring(yards: theirs, .merge(conflicts: .listWins))
        #expect(try context.yardLines()[1].suffix(9) == "IronGate2")
        #expect(try ModelContext(context.container).yardLines() == context.yardLines())
    }

    /// The list that leads back is the other side of a relationship to a protocol.
    @Test(arguments: StoreKind.allCases)
    func `a list of the other side`(_ kind: StoreKind) throws {
        let context = try context(kind)
        func bring(_ text: String, _ policy: LocalChangePolicy<Firm>) throws {
            let data = Data(text.utf8)
            try context.synchronize([Firm].self, from: data, as: .json, localChanges: policy)
            try context.save()
        }
        let none = #"[{"name":"acme","yards":[]},{"name":"bolt","yards":[]}]"#
        try bring(none, .merge(conflicts: .listWins))
        // Ann has it, until the firm has.
        let theirs = #"[{"name":"acme","yards":["a"]},{"name":"bolt","yards":[]}]"#
        try bring(theirs, .merge())
        #expect(try context.yard("a").keeper?.name == "acme")
        #expect(try ModelContext(context.container).yard("a").keeper?.name == "acme")
        #expect(try context.fetch(FetchDescriptor<Watchman>()).allSatisfy { $0.yards.isEmpty })
        #expect(try context.toldOfYards() == [])
        try context.yard("a").keeper = try context.keeper("bob")
        try context.save()
        try bring(theirs, .merge())
        #expect(try context.yard("a").keeper?.name == "bob")
        #expect(throws: SynchronizeError.self) { try bring(none, .merge()) }
        try bring(none, .merge(conflicts: .listWins))
        #expect(try context.yard("a").keeper == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `what was deleted on one side`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.delete(try context.yard("a"))
        try context.save()
        #expect(try ModelContext(context.container).yardLines() == ["b B - [m23] () -"])
        let left = try context.yardLines()
        #expect(left == ["b B - [m23] () -"], "\(left)")
        let told = try context.toldOfYards()
        #expect(told == ["-a", "-t1", "-m1", #"~m2 {"Yard$guests":null}"#, "-1"], "\(told)")
        try context.bring(yards: first.replacing("\"B\"", with: "\"B2\""))
        let lines = try context.yardLines()
        #expect(lines == ["b B2 - [m23] () -"], "\(lines)")
        // A hauler that was changed there brings a back, with all that was inside of it.
        try context.bring(
            yards: first.replacing("\"load\":1", with: "\"load\":5"),
            .merge(conflicts: .listWins)
        )
        // That m2 is no guest by the deletion is a change made here.
        let back = try context.yardLines()
        #expect(
            back == ["a A ann [t15 m12] () IronGate1", "b B - [m23] (t1 m1) -"],
            "\(back)"
        )
        #expect(try context.toldOfYards() == [#"~m2 {"Yard$guests":null}"#])
        // Gone there.
        try context.yard("b").title = "mine"
        try context.save()
        let gone = #"[{"code":"b","title":"B"}]"#
        try context.bring(yards: gone)
        #expect(try context.yardLines() == ["b mine - [m23] () -"])
        #expect(try context.toldOfYards() == [#"~b {"title":"mine"}"#])
    }
}
