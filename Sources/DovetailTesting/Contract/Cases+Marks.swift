import Dovetail

extension ContractTrial {
    func rows<Value: Model>(
        _ model: Value.Type,
        _ deleted: DeletedValues,
        _ context: ModelContext
    ) throws -> [Value] {
        var descriptor = FetchDescriptor<Value>()
        descriptor.deletedValues = deleted
        descriptor.fetchLimit = 100
        return try context.fetch(descriptor)
    }
}

extension StoreContract {
    static let markCases: [Case] = [
        Case("a marked row stays, and is seen by those who ask for it") { trial in
            let context = try trial.context(Page.self)
            context.insert(contentsOf: [Page(id: 1, text: "a"), Page(id: 2, text: "b")])
            try context.save()
            trial.step("delete page 1")
            context.delete(Page(id: 1, text: ""))
            try context.save()
            try trial.expect(
                rows: trial.rows(Page.self, .excluded, context),
                [Page(id: 2, text: "b")]
            )
            try trial.expect(rows: trial.rows(Page.self, .only, context), [Page(id: 1, text: "a")])
            try trial.expect("pages", context.fetchCount(FetchDescriptor<Page>()), 1)
            try trial.expect("page 1 is not found", context.fetch(Page.self, id: 1) == nil)
            try trial.expect("a date", context.deletionDate(of: Page.self, id: 1) != nil)
            trial.step("update page 1")
            context.update(Page(id: 1, text: "c"))
            try trial.expectSave(context, .notFound, "Page")
            trial.step("insert page 1, and page 2 again")
            context.insert(Page(id: 1, text: "c"))
            try context.save()
            try trial.expect(
                rows: trial.rows(Page.self, .excluded, context),
                [Page(id: 1, text: "c"), Page(id: 2, text: "b")]
            )
            context.insert(Page(id: 2, text: "c"))
            try trial.expectSave(context, .uniqueViolation, "Page")
            trial.step("delete both by a predicate, and remove them for good")
            try context.delete(model: Page.self)
            try context.save()
            try trial.expect("marked", trial.rows(Page.self, .only, context).count, 2)
            try context.purge(Page.self)
            try context.save()
            try trial.expect(rows: trial.rows(Page.self, .included, context), [])
        },
        Case("of a unique column and of references a marked row is none") { trial in
            let context = try trial.context(Draft.self)
            context.insert(contentsOf: [Draft(1, "a"), Draft(2, "b", parent: 1), Draft(3, "c")])
            try context.save()
            trial.step("delete draft 1, to which draft 2 belongs")
            context.delete(Draft(1, ""))
            try context.save()
            try trial.expect(rows: trial.rows(Draft.self, .excluded, context), [Draft(3, "c")])
            trial.step("insert drafts with the titles of both")
            context.insert(contentsOf: [Draft(4, "a"), Draft(5, "b", parent: 4)])
            try context.save()
            trial.step("insert draft 1 with its title, which another one has")
            context.insert(Draft(1, "a"))
            try trial.expectSave(context, .uniqueViolation, "Draft", "title")
            trial.step("insert a draft that belongs to draft 1")
            context.insert(Draft(6, "f", parent: 1))
            try trial.expectSave(context, .foreignKeyViolation, "Draft", "parent")
            trial.step("the same with draft 1 after it")
            context.insert(contentsOf: [Draft(6, "f", parent: 1), Draft(1, "x")])
            try context.save()
            try trial.expect(
                "drafts",
                trial.rows(Draft.self, .excluded, context).map(\.id),
                [1, 3, 4, 5, 6]
            )
        },
    ]
}
