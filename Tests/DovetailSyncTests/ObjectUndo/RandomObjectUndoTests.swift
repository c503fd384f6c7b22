import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Random graphs, and plans that are undone.
@Suite struct RandomObjectUndoTests {
    private let crew = ["ann", "bob", "cid"]

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `everything is as it was`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let context = ModelContext(try kind.container(SeaPort.models))
        let other = ModelContext(context.container)
        for name in crew { context.insert(Seaman(name, rank: 0)) }
        try context.bringPorts(PortDocument.text(&random, in: context))
        var undone = 0
        for round in 0..<20 {
            let comment: Comment = "round \(round), seed \(seed)"
            let before = try PortState(context)
            let held = try context.portObjects().map { ($0, portText($0)) }
            let plan =
                random.isOne(in: 3)
                ? try carryOut(seamen(&random), of: [Seaman].self, context, &random)
                : try carryOut(
                    PortDocument.text(&random, in: context),
                    of: [SeaPort].self,
                    context,
                    &random
                )
            let after = try PortState(context)
            #expect(try after.differences(context, other) == [], comment)
            try undo(plan, in: random.isOne(in: 2) ? context : other, after, &random, comment)
            // Those that are held are seen before anything is fetched, where their own context has done it.
            context.processPendingChanges()
            for (object, text) in held where !object.isDeleted {
                #expect(portText(object) == text, comment)
            }
            #expect(try before.differences(context, other) == [], comment)
            if !plan.isEmpty {
                undone += 1
                let again = #expect(throws: StoreError.self) { try plan.undo(in: context) }
                #expect(again?.kind == .planOutdated, comment)
            }
            try context.bringPorts(PortDocument.text(&random, in: context))
            #expect(try PortState(context).differences(context, other) == [], comment)
        }
        #expect(SeededRandom.isMet(undone, seed: seed), "seed \(seed)")
    }

    /// Some seamen.
    private func seamen(_ random: inout SeededRandom) -> String {
        let given = crew.filter { _ in !random.isOne(in: 3) }
        let members = given.map { "{\"name\":\"\($0)\",\"rank\":\(random.below(3))}" }
        return "[" + members.joined(separator: ",") + "]"
    }

    /// Plans, applies and saves a document, now and then in a transaction.
    private func carryOut<Object: PersistentModel>(
        _ text: String,
        of type: [Object].Type,
        _ context: ModelContext,
        _ random: inout SeededRandom
    ) throws -> SynchronizePlan {
        let document = Data(text.utf8)
        let plan = try context.plan(type, from: document, as: .json)
        if random.isOne(in: 3) {
            let isSaved = random.isOne(in: 2)
            try context.transaction {
                try context.apply(plan, of: type, from: document, as: .json)
                if isSaved { try context.save() }
            }
        } else {
            try context.apply(plan, of: type, from: document, as: .json)
            try context.save()
        }
        return plan
    }

    /// Undoes a plan, after it was taken back in one of several ways.
    private func undo(
        _ plan: SynchronizePlan,
        in context: ModelContext,
        _ after: PortState,
        _ random: inout SeededRandom,
        _ comment: Comment
    ) throws {
        struct Stop: Error {}
        switch random.below(5) {
        case 0:
            try plan.undo(in: context)
            context.rollback()
        case 1:
            #expect(throws: Stop.self) {
                try context.transaction {
                    try plan.undo(in: context)
                    throw Stop()
                }
            }
        case 2:
            #expect(throws: Stop.self) {
                try context.transaction {
                    try plan.undo(in: context)
                    try context.save()
                    _ = try context.ports()
                    throw Stop()
                }
            }
        case 3:
            try context.transaction { try plan.undo(in: context) }
            return
        default:
            try plan.undo(in: context)
            try context.save()
            return
        }
        #expect(!context.hasChanges, comment)
        #expect(try after.differences(context) == [], comment)
        try plan.undo(in: context)
        try context.save()
    }
}
