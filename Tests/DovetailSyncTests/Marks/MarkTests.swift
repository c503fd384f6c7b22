import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Models with `@Model(deletion: .mark)`.
@Suite struct MarkTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.stationery())
        context.insert(contentsOf: [Binder(id: 1), Binder(id: 2, parent: 1)])
        context.insert(contentsOf: [
            Sheet(1, "a", size: 1, binder: 1), Sheet(2, "b", size: 2), Sheet(3, "c", size: 4),
        ])
        try context.save()
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `a deleted row is seen by those who ask for it`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let before = Date.now
        context.delete(Sheet(2, "b"))
        #expect(try context.deletionDate(of: Sheet.self, id: 2) == nil)
        #expect(try context.sheets().map(\.id) == [1, 3])
        #expect(try context.sheets(.included).map(\.id) == [1, 2, 3])
        try context.save()
        let other = ModelContext(context.container)
        for context in [context, other] {
            #expect(try context.sheets().map(\.id) == [1, 3])
            #expect(try context.sheets(.included).map(\.id) == [1, 2, 3])
            #expect(try context.sheets(.only) == [Sheet(2, "b", size: 2)])
            #expect(try context.fetch(Sheet.self, id: 2) == nil)
            #expect(try context.fetch(Sheet.self, id: 3) != nil)
            let isTwo = FetchDescriptor<Sheet>(predicate: #Predicate { $0.id == 2 })
            #expect(try context.fetch(isTwo).isEmpty)
            var deletedTwo = isTwo
            deletedTwo.deletedValues = .included
            #expect(try context.fetch(deletedTwo).count == 1)
            #expect(try context.fetchCount(FetchDescriptor<Sheet>()) == 2)
            #expect(try context.fetchCount(deletedTwo) == 1)
            #expect(try context.sum(\Sheet.size) == 5)
            #expect(try context.max(\Sheet.size) == 4)
            let named = FetchDescriptor<Sheet>(predicate: #Predicate { $0.title == "b" })
            #expect(try context.fetch(named).isEmpty)
            let date = try #require(try context.deletionDate(of: Sheet.self, id: 2))
            #expect(abs(date.timeIntervalSince(before)) < 60)
            #expect(try context.deletionDate(of: Sheet.self, id: 1) == nil)
            #expect(try context.deletionDate(of: Sheet.self, id: 9) == nil)
            var page = FetchDescriptor<Sheet>(sortBy: [SortDescriptor(\.size, order: .reverse)])
            (page.fetchLimit, page.fetchOffset) = (1, 1)
            #expect(try context.fetch(page).map(\.id) == [1])
        }
        // Again: nothing.
        context.delete(Sheet(2, "b"))
        let date = try context.deletionDate(of: Sheet.self, id: 2)
        try context.save()
        #expect(try context.deletionDate(of: Sheet.self, id: 2) == date)
    }

    @Test(arguments: StoreKind.allCases)
    func `fetches of a protocol and joins leave deleted rows out`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.insert(Poster(id: 7, title: "p"))
        context.insert(contentsOf: [Clip(id: 1, sheet: 2), Clip(id: 2, sheet: 3)])
        try context.save()
        context.delete(Sheet(3, "c"))
        let order = [SortDescriptor(\(any Titled).title, comparator: .lexical)]
        for _ in 0..<2 {
            var titles = FetchDescriptor<any Titled>(sortBy: order)
            #expect(try context.fetch(titles).map(\.title) == ["a", "b", "p"])
            #expect(try context.fetchCount(titles) == 3)
            titles.deletedValues = .included
            #expect(try context.fetch(titles).map(\.title) == ["a", "b", "c", "p"])
            #expect(try context.fetchCount(titles) == 4)
            titles.deletedValues = .only
            #expect(try context.fetch(titles).map(\.title) == ["c"])
            titles.predicate = #Predicate { $0.title > "a" }
            #expect(try context.fetch(titles).map(\.title) == ["c"])
            try context.save()
        }
        #expect(
            try context.all(Clip.self).sorted { $0.id < $1.id } == [
                Clip(id: 1, sheet: 2), Clip(id: 2, sheet: nil),
            ]
        )
        let pairs = try context.fetch(
            FetchDescriptor<Clip>(sortBy: [SortDescriptor(\.id)]),
            joining: \.sheet,
            to: Sheet.self
        )
        #expect(pairs.map(\.1?.id) == [2, nil])
    }

    @Test(arguments: StoreKind.allCases)
    func `inserting a deleted key brings the row back`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.delete([Sheet(1, "a"), Sheet(2, "b")])
        try context.save()
        context.update(Sheet(1, "x"))
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        #expect(try context.sheets(.only).map(\.title) == ["a", "b"])
        context.insert(Sheet(1, "new"))
        context.upsert(Sheet(2, "newer"))
        try context.save()
        #expect(
            try context.sheets() == [Sheet(1, "new"), Sheet(2, "newer"), Sheet(3, "c", size: 4)]
        )
        #expect(try context.sheets(.only).isEmpty)
        context.insert(Sheet(1, "again"))
        do {
            try context.save()
            Issue.record("two rows with one key")
        } catch let error as StoreError {
            #expect(error.kind == .uniqueViolation && error.column == "id")
        }
        context.rollback()
        // In one save, in both orders.
        context.delete(Sheet(1, "new"))
        context.insert(Sheet(1, "back"))
        context.insert(Sheet(8, "h"))
        context.delete(Sheet(8, "h"))
        try context.save()
        #expect(try context.sheets().map(\.title) == ["back", "newer", "c"])
        #expect(try context.sheets(.only).map(\.id) == [8])
        // What was deleted is brought back as it was.
        for sheet in try context.sheets(.only) { context.insert(sheet) }
        try context.save()
        #expect(try context.fetch(Sheet.self, id: 8) == Sheet(8, "h"))
    }

    @Test(arguments: StoreKind.allCases)
    func `a unique value of a deleted row is free`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.delete(Sheet(1, "a"))
        try context.save()
        context.insert(Sheet(9, "a"))
        try context.save()
        context.delete(Sheet(9, "a"))
        context.insert(Sheet(10, "a"))
        try context.save()
        #expect(try context.sheets(.only).map(\.title) == ["a", "a"])
        context.insert(Sheet(1, "a"))
        do {
            try context.save()
            Issue.record("two rows with one title")
        } catch let error as StoreError {
            #expect(error.kind == .uniqueViolation && error.column == "title")
            #expect(error.keys.contains([.integer(10)]))
        }
        context.rollback()
        // Two that swap, beside a deleted one.
        context.update([Sheet(2, "c"), Sheet(3, "b")])
        try context.save()
        #expect(try context.sheets().map(\.title) == ["c", "b", "a"])
    }

    @Test(arguments: StoreKind.allCases)
    func `rows that refer to a deleted one are treated as their rules say`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        context.insert(contentsOf: [Sheet(5, "e", binder: 2), Sheet(6, "f", binder: 2)])
        context.insert(contentsOf: [Stain(id: 1, sheet: 5), Stain(id: 2, sheet: 3)])
        context.insert(contentsOf: [Clip(id: 1, sheet: 6), Clip(id: 2, sheet: 3)])
        try context.save()
        context.delete(Binder(id: 1))
        #expect(try context.sheets().map(\.id) == [2, 3])
        try context.save()
        #expect(try context.all(Binder.self).isEmpty)
        #expect(try context.all(Binder.self, .only).map(\.id) == [1, 2])
        #expect(try context.sheets().map(\.id) == [2, 3])
        #expect(try context.sheets(.only).map(\.binder) == [1, 2, 2])
        #expect(try context.all(Stain.self) == [Stain(id: 2, sheet: 3)])
        #expect(
            try context.all(Clip.self).sorted { $0.id < $1.id } == [
                Clip(id: 1, sheet: nil), Clip(id: 2, sheet: 3),
            ]
        )

        context.insert(Seal(id: 1, sheet: 3))
        try context.save()
        context.delete(Sheet(3, "c"))
        do {
            try context.save()
            Issue.record("a row refers to a deleted one")
        } catch let error as StoreError {
            #expect(error.kind == .foreignKeyViolation)
            #expect(error.table == "Seal" && error.column == "sheet")
            #expect(error.keys == [[.integer(1)]])
        }
        // The order does not matter.
        context.delete(Seal(id: 1, sheet: 3))
        try context.save()
        #expect(try context.sheets().map(\.id) == [2])
    }

    @Test(arguments: StoreKind.allCases)
    func `a reference to a deleted row is one to no row`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.delete(Sheet(2, "b"))
        try context.save()
        func expectRefusal(_ table: String, _ body: () throws -> Void) throws {
            do {
                try body()
                try context.save()
                Issue.record("a row refers to a deleted one")
            } catch let error as StoreError {
                #expect(error.kind == .foreignKeyViolation && error.table == table)
            }
            context.rollback()
        }
        try expectRefusal("Clip") { context.insert(Clip(id: 1, sheet: 2)) }
        try expectRefusal("Seal") { context.insert(Seal(id: 1, sheet: 2)) }
        try expectRefusal("Stain") { context.upsert(Stain(id: 1, sheet: 2)) }
        context.insert(Clip(id: 1, sheet: 3))
        try context.save()
        try expectRefusal("Clip") { context.update(Clip(id: 1, sheet: 2)) }
        try expectRefusal("Clip") {
            try context.update(Clip.self) { try $0.set(\.sheet, 2) }
        }
        try expectRefusal("Clip") { try context.apply(Patch<Clip>(["sheet": 2]), to: 1) }
        // It is asked at the end of the outermost transaction.
        try context.transaction {
            try context.transaction { context.insert(Stain(id: 4, sheet: 2)) }
            context.insert(Sheet(2, "b"))
        }
        #expect(try context.all(Stain.self) == [Stain(id: 4, sheet: 2)])
        try expectRefusal("Seal") {
            try context.transaction {
                try context.transaction { context.insert(Seal(id: 4, sheet: 3)) }
                context.delete(Sheet(3, "c"))
            }
        }
        #expect(try context.sheets().map(\.id) == [1, 2, 3])
    }

    @Test(arguments: StoreKind.allCases)
    func `deletions by a predicate mark, and purging removes`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.insert(contentsOf: [Stain(id: 1, sheet: 1), Stain(id: 2, sheet: 3)])
        try context.save()
        try context.delete(model: Sheet.self, where: #Predicate { $0.size < 3 })
        #expect(try context.sheets().map(\.id) == [3])
        try context.save()
        #expect(try context.sheets(.only).map(\.id) == [1, 2])
        #expect(try context.all(Stain.self).map(\.id) == [2])
        try context.update(Sheet.self) { try $0.set(\.size, 9) }
        try context.save()
        #expect(try context.sheets(.included).map(\.size) == [1, 2, 9])
        try context.purge(Sheet.self, olderThan: .now - 3600)
        try context.save()
        #expect(try context.sheets(.included).count == 3)
        try context.purge(Sheet.self, olderThan: .now + 3600)
        #expect(try context.sheets(.included).map(\.id) == [3])
        context.rollback()
        #expect(try context.sheets(.included).count == 3)
        context.delete(Sheet(3, "c"))
        try context.purge(Sheet.self)
        try context.save()
        #expect(try context.sheets(.included).isEmpty)
        #expect(throws: QueryError.self) { try context.purge(Poster.self) }
        #expect(try context.deletionDate(of: Slot.self, id: Slot.ID(row: "", number: 1)) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `a throw in the middle leaves nothing marked`(_ kind: StoreKind) throws {
        let context = try context(kind)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try context.transaction {
                context.delete(Binder(id: 1))
                try context.save()
                #expect(try context.sheets().map(\.id) == [2, 3])
                throw Stop()
            }
        }
        #expect(try context.sheets().map(\.id) == [1, 2, 3])
        #expect(try context.all(Binder.self, .only).isEmpty)
        context.delete(Sheet(1, "a"))
        context.insert(Sheet(2, "twice"))
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        #expect(try context.sheets(.only).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `keys of several columns and generated ones are marked`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.stationery())
        context.insert(contentsOf: [
            Slot(row: "a", number: 1), Slot(row: "a", number: 2), Slot(row: "b", number: 1),
        ])
        context.insert(contentsOf: [Voucher(text: "x"), Voucher(text: "y")])
        try context.save()
        context.delete(Slot(row: "a", number: 2))
        context.delete(Voucher(id: 1, text: ""))
        try context.save()
        #expect(try context.all(Slot.self).count == 2)
        #expect(try context.all(Slot.self, .only) == [Slot(row: "a", number: 2)])
        context.insert(Slot(row: "a", number: 2, guest: "ann"))
        context.insert(contentsOf: [Voucher(text: "z"), Voucher(id: 1, text: "back")])
        try context.save()
        #expect(context.lastCommit.keys(of: Voucher.self) == [3, 1])
        #expect(try context.all(Slot.self).compactMap(\.guest) == ["ann"])
        let vouchers = try context.all(Voucher.self)
        #expect(Set(vouchers.map(\.text)) == ["back", "y", "z"])
    }

    @Test(arguments: StoreKind.allCases)
    func `tens of thousands of rows are marked with what refers to them`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.stationery())
        let count = 40_000
        context.insert(Binder(id: 1))
        context.insert(contentsOf: (0..<count).lazy.map { Sheet($0, "\($0)", binder: 1) })
        context.insert(contentsOf: (0..<1000).lazy.map { Clip(id: $0, sheet: $0 * 40) })
        try context.save()
        context.delete(Binder(id: 1))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Sheet>()) == 0)
        #expect(try context.all(Clip.self).allSatisfy { $0.sheet == nil })
        context.insert(Binder(id: 1))
        context.insert(contentsOf: (0..<count).lazy.map { Sheet($0, "\($0)", binder: 1) })
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Sheet>()) == count)
        try context.delete(model: Sheet.self)
        try context.save()
        try context.purge(Sheet.self)
        try context.save()
        #expect(try context.sheets(.included).isEmpty)
    }

    /// A chain of references, and a circle.
    @Test(arguments: StoreKind.allCases)
    func `a chain of any length is marked, and so is a circle`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.stationery())
        context.insert(
            contentsOf: (0..<2000).map { Binder(id: $0, parent: $0 == 0 ? nil : $0 - 1) }
        )
        context.insert(contentsOf: [Binder(id: 9001, parent: 9002), Binder(id: 9002, parent: 9001)])
        try context.save()
        context.delete(Binder(id: 0))
        try context.save()
        #expect(try context.all(Binder.self).count == 2)
        context.delete(Binder(id: 9002))
        try context.save()
        #expect(try context.all(Binder.self).isEmpty)
        #expect(try context.all(Binder.self, .only).count == 2002)
    }
}
