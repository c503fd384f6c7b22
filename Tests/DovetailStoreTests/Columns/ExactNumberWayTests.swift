import Dovetail
import StoreTestSupport
import Testing

@Model struct ExactFee: Identifiable, Equatable, Sendable {
    let id: Int
    var amount: ExactNumber
    var count = 0
}

/// Numbers that keep their text, on all ways that a row takes.
@Suite struct ExactNumberWayTests {
    private func fee(_ text: String, _ count: Int = 0) throws -> ExactFee {
        ExactFee(id: 1, amount: try #require(ExactNumber(text)), count: count)
    }

    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.following([ExactFee.self, MergeConflict.self]))
        try context.synchronize([fee("1.50")])
        try context.save()
        return context
    }

    private func now(_ context: ModelContext) throws -> String? {
        try context.fetch(ExactFee.self, id: 1).map { "\($0.amount) \($0.count)" }
    }

    @Test(arguments: StoreKind.allCases)
    func `plans, patches and conflicts have its text`(_ kind: StoreKind) throws {
        var context = try context(kind)
        var plan = try context.plan([ExactFee]())
        try context.apply(plan, of: [ExactFee]())
        try context.save()
        try plan.undo(in: context)
        try context.save()
        #expect(try now(context) == "1.50 0")
        let list = [try fee("1.50", 5)]
        plan = try context.plan(list)
        try context.apply(plan, of: list)
        try context.save()
        #expect(try context.plan(list).isEmpty)
        try plan.undo(in: context)
        let patch = try Patch<ExactFee>(decoding: Data(#"{"count":9}"#.utf8), as: .json)
        try context.apply(patch, to: 1)
        try context.save()
        #expect(try now(context) == "1.50 9")

        context = try self.context(kind)
        context.update(try fee("9.90"))
        try context.save()
        try context.synchronize([fee("8.80")], localChanges: .merge(conflicts: .keep))
        try context.save()
        for conflict in try context.fetch(FetchDescriptor<MergeConflict>()) {
            try context.resolve(conflict, taking: .remote)
        }
        try context.save()
        #expect(try now(context) == "8.80 0")
        #expect(try context.localChanges(of: ExactFee.self).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a changed text is a change, and no other is`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.update(try fee("1.50", 1))
        try context.save()
        guard case .updated(_, let patch)? = try context.localChanges(of: ExactFee.self).first
        else {
            Issue.record("nothing is told")
            return
        }
        #expect(try patch.encoded(as: .json) == Data(#"{"count":1}"#.utf8))
        context.update(try fee("1.5"))
        try context.save()
        #expect(try context.localChanges(of: ExactFee.self).count == 1)
        context.update(try fee("1.50"))
        try context.save()
        #expect(try context.localChanges(of: ExactFee.self).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `copies and histories have its text`(_ kind: StoreKind) async throws {
        let context = ModelContext(try kind.following([ExactFee.self]))
        context.insert(try fee("1.50"))
        try context.save()
        let other = try kind.container(ExactFee.self)
        _ = try await context.container.copy(to: other)
        #expect(try now(ModelContext(other)) == "1.50 0")
        if kind == .memory { return }
        let changes = try context.history(since: 0).flatMap(\.changes)
        #expect(try changes.first?.value(as: ExactFee.self).amount.text == "1.50")
    }

    @Test(arguments: StoreKind.allCases)
    func `a number that Decimal does not hold is kept, too`(_ kind: StoreKind) async throws {
        let digits = "1234567890123456789012345678901234567890.5"
        // PostgreSQL keeps no exponents.
        for text in kind == .postgres ? [digits] : [digits, "1e400"] {
            let context = ModelContext(try kind.following([ExactFee.self]))
            try context.synchronize([fee(text)])
            try context.save()
            #expect(try now(context) == "\(text) 0")
            #expect(try context.plan([fee(text)]).isEmpty)
            let plan = try context.plan([ExactFee]())
            try context.apply(plan, of: [ExactFee]())
            try context.save()
            try plan.undo(in: context)
            try context.save()
            #expect(try now(context) == "\(text) 0")
            let other = try kind.container(ExactFee.self)
            _ = try await context.container.copy(to: other)
            #expect(try now(ModelContext(other)) == "\(text) 0")
        }
    }
}
