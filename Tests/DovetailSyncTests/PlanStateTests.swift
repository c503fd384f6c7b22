import Dovetail
import StoreTestSupport
import Testing

@Model struct Ticket: Identifiable, Equatable {
    let id: Int
    @Attribute(.unique) var seat: Int
}

@Model struct Shifted: Identifiable, Equatable {
    @Attribute(.primaryKey) var number: Int
    var size: Int
    var id: Int { number + 1000 }
}

@Model struct Dated: Identifiable, Equatable {
    let id: Int
    var date: Date
}

/// What a plan knows of what has become of it, and plans from files.
@Suite struct PlanStateTests {
    @Test(arguments: StoreKind.allCases)
    func `a plan whose save has failed is not undone`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Ticket.self))
        try context.store([Ticket(id: 1, seat: 1), Ticket(id: 2, seat: 2)])
        let list = [Ticket(id: 1, seat: 5), Ticket(id: 2, seat: 2)]
        let plan = try context.plan(list)
        func refuse() {
            let error = #expect(throws: StoreError.self) { try plan.undo(in: context) }
            #expect(error?.kind == .unsupported)
        }
        try context.apply(plan, of: list)
        context.insert(Ticket(id: 9, seat: 2))
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        refuse()
        // A transaction that is taken back, and a fetch for which all that waits is written.
        #expect(throws: CocoaError.self) {
            try context.transaction {
                try context.apply(plan, of: list)
                try context.save()
                throw CocoaError(.userCancelled)
            }
        }
        refuse()
        try context.apply(plan, of: list)
        try context.delete(model: Ticket.self, where: #Predicate { $0.id == 7 })
        _ = try context.fetch(FetchDescriptor<Ticket>())
        refuse()
        try context.save()
        try plan.undo(in: context)
        try context.save()
        #expect(try context.fetch(Ticket.self, id: 1)?.seat == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `identifiers are those of the values, also where these compute them`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(Shifted.self))
        let all = [Shifted(number: 1, size: 0), Shifted(number: 2, size: 0)]
        #expect(try context.synchronize(all).inserted == [1001, 1002])
        try context.save()
        let changes = try context.synchronize([Shifted(number: 1, size: 1)])
        #expect(changes.deleted == [1002] && changes.updated == [1001])
    }

    @Test func `a plan from a file may say anything`() throws {
        let context = ModelContext(try .inMemory(User.self))
        try context.store([User(1, "a")])
        let plan = try context.plan([User]())
        let text = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
        func decoded(_ text: String) throws -> SynchronizePlan {
            try JSONDecoder().decode(SynchronizePlan.self, from: Data(text.utf8))
        }
        #expect(try decoded(text) == plan)
        let large = try decoded(
            text.replacing(#""kept":0"#, with: #""kept":\#(Int.max)"#)
                .replacing(#""stored":1"#, with: #""stored":\#(Int.min)"#)
        )
        #expect(large.deletedShare == 1 && !large.description.isEmpty)
        let wrong = [
            #"{"date":9221120237041090560}"#, #"{"date":9218868437227405312}"#, #"{"foo":1}"#,
            #"{"integer":1,"text":"x"}"#, #"{"decimal":"12abc"}"#, #"{"data":"+1"}"#,
            #"{"data":"1"}"#,
        ]
        for value in wrong {
            let changed = text.replacing(#"{"integer":1}"#, with: value)
            #expect(changed != text)
            #expect(throws: DecodingError.self, "\(value)") { try decoded(changed) }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a date of minus zero is the one that is stored`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Dated.self))
        let list = [Dated(id: 1, date: Date(timeIntervalSinceReferenceDate: -0.0))]
        try context.synchronize([Dated(id: 1, date: .distantPast)])
        try context.save()
        let plan = try context.plan(list)
        try context.apply(plan, of: list)
        try context.save()
        #expect(try context.synchronize(list).isEmpty)
        try plan.undo(in: context)
        try context.save()
        #expect(try context.fetch(Dated.self, id: 1)?.date == .distantPast)
    }

    @Test func `what waits can be given to another store`() throws {
        let context = ModelContext(try .inMemory(User.self))
        try context.store([User(1, "a")])
        let other = ModelContext(try .inMemory(User.self))
        try other.store([User(1, "b")])
        try context.synchronize(
            [User(1, "c"), User(2, "d")],
            scope: .changesSince(nil, next: "1")
        )
        #expect(context.changes.batches.allSatisfy { $0.count != 0 })
        let (changes, schema) = (context.changes, other.container.schema)
        _ = try other.container.store.withConnection { try $0.apply(changes, of: schema) }
        #expect(try other.users() == [User(1, "c"), User(2, "d")])
    }

    @Test(arguments: StoreKind.allCases)
    func `keys of several columns are planned beside a deletion that waits`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(Membership.self, User.self))
        let members = (0..<60).map { Membership(team: "t\($0 % 7)", since: 0, user: $0) }
        try context.store(members)
        try context.delete(model: Membership.self, where: #Predicate { $0.user >= 50 })
        let later = members.map { Membership(team: $0.team, since: 1, user: $0.user) }
        let plan = try context.plan(later)
        #expect(plan.updated.count == 50 && plan.inserted.count == 10)
        try context.apply(plan, of: later)
        try context.save()
        #expect(try context.synchronize(later).isEmpty)
    }
}
