import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// With objects inside that documents have no name for.
@Model final class Bill {
    @Attribute(.unique) var number: Int
    var title = "-"
    @Relationship(deleteRule: .cascade, inverse: \BillLine.bill) var lines: [BillLine] = []
    init(number: Int) { self.number = number }
}

@Model final class BillLine {
    var text: String
    var count: Int
    var bill: Bill?
    var good: BillGood?

    init(_ text: String, _ count: Int) {
        self.text = text
        self.count = count
    }
}

@Model final class BillGood {
    @Attribute(.unique) var name: String
    init(name: String) { self.name = name }
}

/// With objects inside that documents have no name for and that cannot be merged: others refer to them, or they are
/// inside of two.
@Model final class Rack {
    @Attribute(.unique) var number: Int
    @Relationship(deleteRule: .cascade, inverse: \RackBox.rack) var boxes: [RackBox] = []
    @Relationship(deleteRule: .cascade, inverse: \RackLabel.rack) var labels: [RackLabel] = []
    init(number: Int) { self.number = number }
}

@Model final class RackBox {
    var text: String
    var rack: Rack?
    var tools: [RackTool] = []
    init(text: String) { self.text = text }
}

@Model final class RackTool {
    @Attribute(.unique) var name: String
    var box: RackBox?
    init(name: String) { self.name = name }
}

@Model final class RackLabel {
    var text: String
    var rack: Rack?
    var pile: RackPile?
    init(text: String) { self.text = text }
}

@Model final class RackPile {
    @Attribute(.unique) var number: Int
    @Relationship(deleteRule: .cascade, inverse: \RackLabel.pile) var labels: [RackLabel] = []
    init(number: Int) { self.number = number }
}

extension StoreKind {
    /// A context over a new store with bills, which a document has brought, and with goods: ink and nib.
    func bills(_ document: String) throws -> ModelContext {
        let models: [any Model.Type] = [
            Bill.self, BillLine.self, BillGood.self, MergeConflict.self,
        ]
        let context = ModelContext(try following(models))
        for name in ["ink", "nib"] { context.insert(BillGood(name: name)) }
        try context.save()
        try context.bring(bills: document, .replace)
        return context
    }
}

extension ModelContext {
    /// Brings a document of bills, and saves.
    @discardableResult
    func bring(
        bills document: String,
        _ policy: LocalChangePolicy<Bill> = .merge()
    ) throws -> SynchronizeResult<Bill> {
        let data = Data(document.utf8)
        let result = try synchronize([Bill].self, from: data, as: .json, localChanges: policy)
        try save()
        return result
    }

    func bill(_ number: Int) throws -> Bill {
        let query = FetchDescriptor<Bill>(predicate: #Predicate { $0.number == number })
        return try #require(fetch(query).first)
    }

    func good(_ name: String) throws -> BillGood {
        let query = FetchDescriptor<BillGood>(predicate: #Predicate { $0.name == name })
        return try #require(fetch(query).first)
    }

    /// All bills with their lines, on one line each.
    func billLines() throws -> [String] {
        try fetch(FetchDescriptor<Bill>(sortBy: [SortDescriptor(\.number)])).map { bill in
            let lines = bill.lines.map { line in
                "\(line.text)\(line.count)" + (line.good.map { "/" + $0.name } ?? "")
            }
            return "\(bill.number) \(bill.title) \(lines)"
        }
    }
}
