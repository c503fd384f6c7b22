import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Random work of several contexts at once: after each save its context has what is stored.
struct SeveralContextsTests {
    /// What a context sees, and which of its objects do not agree with each other.
    private struct View: Equatable {
        var boxes: [PersistentIdentifier: Box] = [:]
        var problems: [String] = []
    }

    private struct Box: Equatable {
        var title: String
        var weight: Double?
        var items: Set<String>
        var owner: Int?
    }

    private func view(_ context: ModelContext) throws -> View {
        var view = View()
        for box in try context.fetch(FetchDescriptor<StoredBox>()) {
            view.boxes[box.persistentModelID] = Box(
                title: box.title,
                weight: box.weight,
                items: Set(box.items.map(\.name)),
                owner: box.owner?.id
            )
            if box.isDeleted { view.problems.append("\(box.title) is deleted") }
            if box.owner?.boxes.contains(box) == false {
                view.problems.append("\(box.title) is not among those of its owner")
            }
            for item in box.items where item.box !== box || item.isDeleted {
                view.problems.append("\(item.name) is not in \(box.title)")
            }
        }
        for item in try context.fetch(FetchDescriptor<StoredItem>()) {
            if let box = item.box, !box.items.contains(item) || box.modelContext == nil {
                view.problems.append("\(item.name) is not in its box \(box.title)")
            }
            if item.isDeleted { view.problems.append("\(item.name) is deleted") }
        }
        return view
    }

    private struct Work {
        var random: SeededRandom
        var number = 0

        /// Does something in a context.
        mutating func step(_ context: ModelContext) throws -> String {
            let boxes = try context.fetch(FetchDescriptor<StoredBox>())
                .sorted { $0.title < $1.title }
            let items = try context.fetch(FetchDescriptor<StoredItem>())
                .sorted { $0.name < $1.name }
            let (box, item) = (
                boxes.randomElement(using: &random), items.randomElement(using: &random)
            )
            number += 1
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1, 2:
                let new = StoredBox(title: "t\(Int.random(in: 0..<5, using: &random))")
                if Bool.random(using: &random) { new.items = [StoredItem(name: "i\(number)")] }
                if Bool.random(using: &random) {
                    new.owner = try context.fetch(FetchDescriptor<BoxOwner>()).first
                }
                context.insert(new)
                return "insert \(new.title)"
            case 3, 4:
                context.insert(StoredItem(name: "i\(number)", box: box))
                return "insert i\(number) into \(box?.title ?? "none")"
            case 5, 6:
                item?.box = box
                return "move \(item?.name ?? "none") to \(box?.title ?? "none")"
            case 7:
                item?.box = nil
                return "free \(item?.name ?? "none")"
            case 8:
                box?.title = "r\(number)"
                return "rename to r\(number)"
            case 9, 10:
                box?.weight = Double(number)
                return "weigh \(box?.title ?? "none")"
            case 11:
                if let item { context.delete(item) }
                return "delete \(item?.name ?? "none")"
            case 12:
                if let box { context.delete(box) }
                return "delete \(box?.title ?? "none")"
            case 13:
                let owner = try context.fetch(FetchDescriptor<BoxOwner>()).first
                box?.owner = box?.owner == nil ? owner : nil
                return "owner of \(box?.title ?? "none")"
            case 14:
                context.rollback()
                return "rollback"
            default:
                context.processPendingChanges()
                return "process"
            }
        }
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `contexts have what is stored after each save`(_ kind: StoreKind, _ seed: UInt64) throws {
        let container = try kind.boxes()
        let contexts = (0..<3).map { _ in ModelContext(container) }
        contexts[1].conflictPolicy = .storeWins
        contexts[0].conflictPolicy = .contextWins
        contexts[2].conflictPolicy = .custom { conflict in
            conflict.attributes.contains("title") ? .storeWins : .contextWinsOnly(in: ["weight"])
        }
        contexts[0].insert(BoxOwner(id: 1, name: "Ann"))
        try contexts[0].save()
        var work = Work(random: SeededRandom(seed: seed))
        var steps: [String] = []
        for _ in 0..<400 {
            let index = Int.random(in: 0..<3, using: &work.random)
            guard Int.random(in: 0..<5, using: &work.random) == 0 else {
                steps.append("\(index): \(try work.step(contexts[index]))")
                continue
            }
            steps.append("\(index): save")
            do {
                try contexts[index].save()
            } catch {
                Issue.record("seed \(seed): \(error) after \(steps.suffix(20))")
                return
            }
            let reader = ModelContext(container)
            let (mine, stored) = (try view(contexts[index]), try view(reader))
            guard mine == stored, mine.problems.isEmpty, !contexts[index].hasChanges else {
                Issue.record(
                    "seed \(seed): \(mine.problems) after \(steps.suffix(20)): \(mine), \(stored)"
                )
                return
            }
        }
        for context in contexts {
            context.rollback()
            context.processPendingChanges()
            #expect(try view(context) == view(ModelContext(container)))
        }
    }
}
