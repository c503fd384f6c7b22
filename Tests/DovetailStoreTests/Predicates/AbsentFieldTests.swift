import Dovetail
import StoreTestSupport
import Testing

@Model struct PostLabel: Equatable {
    @Attribute(.omittedWhenEmpty) var tags: [String]
    @Attribute(.omittedWhenEmpty) var memo: String
    @Attribute(.omittedWhenEmpty) var counts: [String: Int]
    var weight: Int
}

@Model struct PostBox: Identifiable, Equatable {
    let id: Int
    var envelope: PostLabel
    var spare: PostLabel?
    var others: [PostLabel] = []
}

private enum Before {
    @Model(typeName: "Venue") struct Venue { var town: String }
    @Model(typeName: "Club") struct Club: Identifiable {
        let id: Int
        var venue: Venue
        var next: Venue?
    }
}

private enum After {
    @Model(typeName: "Seats") struct Seats: Equatable { var count = 40 }
    @Model(typeName: "Venue") struct Venue: Equatable {
        var town: String
        var zip = "none"
        var rating = 3
        var seats = Seats()
        var names: [String] = ["main"]
        var nick: String?
    }
    @Model(typeName: "Club") struct Club: Identifiable, Equatable {
        let id: Int
        var venue: Venue
        var next: Venue?
    }
}

/// Fields that documents in columns do not have: a query sees what a fetch reads.
@Suite struct AbsentFieldTests {
    @Test(arguments: StoreKind.allCases)
    func `what is left out because it is empty is empty`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(PostBox.self))
        let empty = PostLabel(tags: [], memo: "", counts: [:], weight: 1)
        let full = PostLabel(tags: ["a"], memo: "x", counts: ["k": 2], weight: 2)
        let all = [
            PostBox(id: 1, envelope: empty), PostBox(id: 2, envelope: full, spare: empty),
            PostBox(id: 3, envelope: empty, spare: full, others: [empty, full]),
        ]
        context.insert(contentsOf: all)
        func check() throws {
            func same(_ predicate: Predicate<PostBox>) throws {
                let found = try context.fetch(FetchDescriptor(predicate: predicate))
                #expect(Set(found.map(\.id)) == Set(try all.filter(predicate.evaluate).map(\.id)))
            }
            try same(#Predicate { $0.envelope.tags.isEmpty })
            try same(#Predicate { !$0.envelope.tags.isEmpty })
            try same(#Predicate { $0.envelope.tags.count == 0 })
            try same(#Predicate { $0.envelope.tags.allSatisfy { $0 == "b" } })
            try same(#Predicate { $0.envelope.tags.contains("a") })
            try same(#Predicate { $0.envelope.memo == "" })
            try same(#Predicate { $0.envelope.memo != "x" })
            try same(#Predicate { $0.envelope.memo.isEmpty })
            try same(#Predicate { $0.envelope.memo < "b" })
            try same(#Predicate { $0.envelope.counts.isEmpty })
            try same(#Predicate { $0.spare?.memo == "" })
            try same(#Predicate { $0.spare?.tags.isEmpty == true })
            try same(#Predicate { $0.spare?.memo == nil })
            try same(#Predicate { $0.others.contains { $0.memo == "" } })
            try same(#Predicate { $0.others.contains { $0.tags.isEmpty && $0.weight == 1 } })
            let sorted = try context.fetch(
                FetchDescriptor<PostBox>(
                    sortBy: [
                        SortDescriptor(\.envelope.memo, comparator: .lexical), SortDescriptor(\.id),
                    ]
                )
            )
            #expect(sorted.map(\.id) == [1, 3, 2])
        }
        try check()
        try context.save()
        try check()
        #expect(try context.min(\PostBox.envelope.memo) == "")
        let groups = try context.select(.value(\PostBox.envelope.memo), .count())
        #expect(Set(groups.map { "\($0.0) \($0.1)" }) == [" 2", "x 1"])
    }

    @Test func `a property that is new in an embedded model has its default in queries`() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file())
        let old = ModelContext(
            try ModelContainer(for: Before.Club.self, configurations: configuration)
        )
        old.insert(Before.Club(id: 1, venue: .init(town: "Rome"), next: .init(town: "Oslo")))
        old.insert(Before.Club(id: 2, venue: .init(town: "Bonn")))
        try old.save()
        let context = ModelContext(
            try ModelContainer(for: After.Club.self, configurations: configuration)
        )
        let own = After.Venue(town: "Kiel", zip: "24", rating: 5, names: [], nick: "k")
        context.insert(After.Club(id: 3, venue: own, next: own))
        try context.save()
        let all = try context.fetch(FetchDescriptor<After.Club>())
        #expect(all.filter { $0.venue.zip == "none" }.count == 2)
        func same(_ predicate: Predicate<After.Club>) throws {
            let found = try context.fetch(FetchDescriptor(predicate: predicate))
            #expect(Set(found.map(\.id)) == Set(try all.filter(predicate.evaluate).map(\.id)))
        }
        try same(#Predicate { $0.venue.zip == "none" })
        try same(#Predicate { $0.venue.zip != "none" })
        try same(#Predicate { $0.venue.zip == "24" })
        try same(#Predicate { $0.venue.rating < 4 })
        try same(#Predicate { !($0.venue.rating < 4) })
        try same(#Predicate { $0.venue.seats.count == 40 })
        try same(#Predicate { $0.venue.names.contains("main") })
        try same(#Predicate { $0.venue.names.count == 1 })
        try same(#Predicate { $0.venue.nick == nil })
        try same(#Predicate { $0.next?.zip == "none" })
        try same(#Predicate { $0.next?.zip == nil })
        try same(#Predicate { ($0.next?.rating ?? 0) == 3 })
        try same(#Predicate { $0.next?.names.contains("main") == true })
        let sums = try context.select(.value(\After.Club.venue.rating), .count())
        #expect(Set(sums.map { "\($0.0) \($0.1)" }) == ["3 2", "5 1"])
        try context.delete(model: After.Club.self, where: #Predicate { $0.venue.zip != "none" })
        try context.save()
        #expect(try Set(context.fetch(FetchDescriptor<After.Club>()).map(\.id)) == [1, 2])
    }
}
