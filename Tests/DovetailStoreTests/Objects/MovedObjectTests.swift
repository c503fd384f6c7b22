import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model final class ShiftTeam {
    @Attribute(.unique) var name: String
    var jobs: [ShiftJob] = []
    var tags: [ShiftTag] = []

    init(_ name: String) { self.name = name }
}

@Model final class ShiftJob {
    @Attribute(.unique) var code: String
    var team: ShiftTeam?

    init(_ code: String) { self.code = code }
}

@Model final class ShiftTag {
    var title: String
    var teams: [ShiftTeam] = []

    init(_ title: String) { self.title = title }
}

/// What is taken back concerns the objects that it was done to: the lists of others are not read again.
@Suite struct MovedObjectTests {
    private func loaded(
        _ log: StatementLog
    ) throws -> (context: ModelContext, teams: [ShiftTeam]) {
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(for: ShiftTeam.self, configurations: configuration)
        let first = ModelContext(container)
        for number in 0..<4 {
            let team = ShiftTeam("t\(number)")
            team.jobs = (0..<3).map { ShiftJob("\(number)-\($0)") }
            team.tags = [ShiftTag("g\(number)")]
            first.insert(team)
        }
        try first.save()
        let context = ModelContext(container)
        let teams = try context.fetch(FetchDescriptor<ShiftTeam>(sortBy: [SortDescriptor(\.name)]))
        #expect(teams.allSatisfy { $0.jobs.count == 3 && $0.tags.count == 1 })
        #expect(teams.allSatisfy { $0.tags[0].teams.count == 1 })
        _ = log.take()
        return (context, teams)
    }

    private func codes(_ team: ShiftTeam) -> [String] { team.jobs.map(\.code) }

    @Test func `a rollback reads again what was moved`() throws {
        let log = StatementLog()
        let (context, teams) = try loaded(log)
        teams[0].jobs[0].team = teams[1]
        teams[0].tags.append(teams[1].tags[0])
        context.insert(ShiftJob("new"))
        context.rollback()
        #expect(log.takeReads().isEmpty)
        #expect(teams[2].jobs.count == 3 && teams[3].tags[0].teams.count == 1)
        #expect(log.takeReads().isEmpty)
        #expect(
            codes(teams[0]) == ["0-0", "0-1", "0-2"] && codes(teams[1]) == ["1-0", "1-1", "1-2"]
        )
        #expect(teams[0].tags.map(\.title) == ["g0"] && teams[1].tags[0].teams.count == 1)
        #expect(!log.takeReads().isEmpty)
    }

    /// What a deletion concerns, and what is read after it.
    @Test(arguments: [false, true])
    func `a deletion that is taken back concerns what was read without it`(
        _ isSaved: Bool
    ) throws {
        let log = StatementLog()
        let (context, teams) = try loaded(log)
        for round in 0..<2 {
            func change(_ body: () throws -> Void) throws {
                if !isSaved {
                    try body()
                    return context.rollback()
                }
                #expect(throws: CancellationError.self) {
                    try context.transaction {
                        try body()
                        try context.save()
                        #expect(codes(teams[1]) == ["1-0", "1-1", "1-2"])
                        throw CancellationError()
                    }
                }
            }
            try change {
                context.delete(teams[0].jobs[1])
                context.delete(teams[0].tags[0])
                #expect(codes(teams[0]) == ["0-0", "0-2"] && teams[0].tags.isEmpty)
            }
            _ = log.take()
            #expect(teams[2].jobs.count == 3 && teams[3].tags[0].teams.count == 1, "\(round)")
            // Of rows that were deleted and are there again, others may have changed what they say.
            #expect(isSaved || log.takeReads().isEmpty, "\(round)")
            #expect(codes(teams[0]) == ["0-0", "0-1", "0-2"])
            #expect(teams[0].tags.map(\.title) == ["g0"])
        }
        // In a context that has read no list before the deletion.
        let other = ModelContext(context.container)
        let unread = try other.fetch(FetchDescriptor<ShiftTeam>(sortBy: [SortDescriptor(\.name)]))
        let deleted = ["0-1", "2-2"]
        let jobs = try other.fetch(
            FetchDescriptor<ShiftJob>(predicate: #Predicate { deleted.contains($0.code) })
        )
        let tag = try #require(
            try other.fetch(FetchDescriptor<ShiftTag>(sortBy: [SortDescriptor(\.title)])).first
        )
        func delete() throws {
            jobs.forEach(other.delete)
            other.delete(tag)
            if isSaved { try other.save() }
            #expect(unread.map(\.jobs.count) == [2, 3, 2, 3])
            #expect(unread.map(\.tags.count) == [0, 1, 1, 1])
        }
        if isSaved {
            #expect(throws: CancellationError.self) {
                try other.transaction {
                    try delete()
                    throw CancellationError()
                }
            }
        } else {
            try delete()
            other.rollback()
        }
        #expect(unread.map(\.jobs.count) == [3, 3, 3, 3])
        #expect(unread.map(\.tags.count) == [1, 1, 1, 1])
        #expect(unread[0].tags.first === tag && jobs.allSatisfy { $0.team != nil })
    }

    @Test func `a transaction that throws leaves other lists as they are`() throws {
        let log = StatementLog()
        let (context, teams) = try loaded(log)
        for saves in [false, true] {
            #expect(throws: CancellationError.self) {
                try context.transaction {
                    let job = ShiftJob("new")
                    job.team = teams[0]
                    teams[1].tags.append(ShiftTag("new"))
                    teams[1].jobs[0].team = teams[0]
                    if saves { try context.save() }
                    throw CancellationError()
                }
            }
            _ = log.take()
            #expect(teams[2].jobs.count == 3 && teams[3].tags[0].teams.count == 1)
            #expect(log.takeReads().isEmpty)
            #expect(teams[0].jobs.count == 3 && teams[1].jobs.count == 3)
            #expect(teams[1].tags.map(\.title) == ["g1"])
        }
    }

    @Test func `a row that a new object stands for is asked for by those that have it`() throws {
        let log = StatementLog()
        let (context, teams) = try loaded(log)
        let old = teams[0].jobs[0]
        let new = ShiftJob("0-0")
        new.team = teams[1]
        context.insert(new)
        try context.save()
        _ = log.take()
        #expect(teams[2].jobs.count == 3 && teams[3].tags[0].teams.count == 1)
        #expect(log.takeReads().isEmpty)
        #expect(codes(teams[0]) == ["0-1", "0-2"])
        #expect(codes(teams[1]).sorted() == ["0-0", "1-0", "1-1", "1-2"])
        #expect(teams[1].jobs.contains { $0 === new } && !teams[1].jobs.contains { $0 === old })
    }

    @Test(arguments: StoreKind.allCases)
    func `values that are taken back concern no object`(_ kind: StoreKind) throws {
        let container = try kind.container(ShiftTeam.self, ShiftValue.self)
        let context = ModelContext(container)
        let team = ShiftTeam("t")
        team.jobs = [ShiftJob("a"), ShiftJob("b")]
        context.insert(team)
        try context.save()
        team.jobs.removeLast()
        context.insert(ShiftValue(id: 1))
        context.rollback()
        #expect(codes(team) == ["a", "b"])
        try context.delete(model: ShiftJob.self)
        #expect(try context.fetchCount(FetchDescriptor<ShiftJob>()) == 0)
        context.rollback()
        #expect(codes(team) == ["a", "b"])
    }
}

@Model struct ShiftValue: Identifiable { let id: Int }
