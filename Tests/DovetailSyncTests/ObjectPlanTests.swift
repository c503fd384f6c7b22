import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Plans of documents of objects.
@Suite struct ObjectPlanTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(
            try kind.container(Harbour.self, Berth.self, Boat.self, Buoy.self)
        )
        let list = Data(
            """
            [{"code":"a","title":"A","sister_code":"b","berths":[{"number":1,"depth":4}]},
             {"code":"b","title":"B"}]
            """.utf8
        )
        try context.synchronize([Harbour].self, from: list, as: .json)
        try context.save()
        return context
    }

    private let next = Data(
        """
        [{"code":"a","title":"AA","berths":[{"number":1,"depth":9},{"number":2,"depth":5}]},
         {"code":"c","title":"C"}]
        """.utf8
    )

    @Test(arguments: StoreKind.allCases)
    func `a plan says what happens, and applying does it`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let plan = try context.plan([Harbour].self, from: next, as: .json)
        #expect(!context.hasChanges)
        #expect(
            "\(plan)" == """
                Harbour: 1 inserted, 1 updated, 1 deleted, 0 kept
                + c
                ~ a: title, berths, sister_code
                - b
                Berth: 1 inserted, 1 updated, 0 deleted, 0 kept
                + 2
                ~ 1: depth
                """,
            "\(plan)"
        )
        #expect(plan.deletedShare == 0.5 && !plan.isEmpty)
        let coded = try JSONDecoder().decode(
            SynchronizePlan.self,
            from: JSONEncoder().encode(plan)
        )
        #expect(coded == plan)
        let result = try context.apply(coded, of: [Harbour].self, from: next, as: .json)
        try context.save()
        #expect("\(result)" == "1 added, 1 updated, 1 removed, 0 unchanged")
        let again = try context.plan([Harbour].self, from: next, as: .json)
        #expect(again.isEmpty && again.kept == 2, "\(again)")
        #expect(!context.hasChanges)
        // What was applied is the one that was read.
        let refused = #expect(throws: StoreError.self) { try plan.undo(in: context) }
        #expect(refused?.kind == .unsupported)
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan is refused when something has changed since`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let plan = try context.plan([Harbour].self, from: next, as: .json)
        let other = ModelContext(context.container)
        try other.fetch(FetchDescriptor<Berth>())[0].depth = 77
        try other.save()
        let outdated = #expect(throws: StoreError.self) {
            try context.apply(plan, of: [Harbour].self, from: next, as: .json)
        }
        #expect(outdated?.kind == .planOutdated && outdated?.keys == [[.integer(1)]])
        #expect(!context.hasChanges)
        // Of another document.
        let document = Data(#"[{"code":"a","title":"other"}]"#.utf8)
        let fresh = try context.plan([Harbour].self, from: next, as: .json)
        #expect(throws: StoreError.self) {
            try context.apply(fresh, of: [Harbour].self, from: document, as: .json)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a limit and bad documents change nothing`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let empty = Data("[]".utf8)
        let error = #expect(throws: SynchronizeError.self) {
            try context.plan([Harbour].self, from: empty, as: .json, deletionLimit: 0.5)
        }
        #expect(error?.plan?.deleted.count == 2)
        #expect(try context.plan([Harbour].self, from: empty, as: .json).deletedShare == 1)
        #expect(throws: ModelDecodingError.self) {
            try context.plan([Harbour].self, from: Data(#"[{"code":1}]"#.utf8), as: .json)
        }
        #expect(throws: StoreError.self) {
            try context.plan([Buoy].self, from: empty, as: .json)
        }
        #expect(!context.hasChanges)
        let none = ModelContext(try kind.container(Harbour.self, Berth.self, Boat.self))
        #expect(try none.plan([Harbour].self, from: empty, as: .json).isEmpty)
    }
}
