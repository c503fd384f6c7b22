import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// What a purchase has beside its lines.
@ModelProtocol protocol PurchaseExtra: AnyObject {
    var text: String { get set }
    var purchase: Purchase? { get set }
}

/// With objects inside of objects that documents have no name for: in lists, in places for one, of a protocol, and
/// named ones.
@Model final class Purchase {
    @Attribute(.unique) var number: Int
    var title = "-"
    @Relationship(deleteRule: .cascade, inverse: \PurchaseLine.purchase) var lines: [PurchaseLine] =
        []
    /// Whose key the row holds.
    @Relationship(deleteRule: .cascade) var note: PurchaseNote?
    @Relationship(deleteRule: .cascade, inverse: \(any PurchaseExtra).purchase) var extras:
        [any PurchaseExtra] = []
    /// Named ones, outside of what has no name.
    @Relationship(deleteRule: .cascade) var crates: [PurchaseParcel] = []
    init(number: Int) { self.number = number }
}

@Model final class PurchaseLine {
    var text: String
    var count = 0
    var purchase: Purchase?
    var good: BillGood?
    @Relationship(deleteRule: .cascade, inverse: \PurchaseOption.line) var options:
        [PurchaseOption] = []
    @Relationship(deleteRule: .cascade, inverse: \PurchaseMark.line) var mark: PurchaseMark?
    /// Which nothing leads back from.
    @Relationship(deleteRule: .cascade) var parcels: [PurchaseParcel] = []

    init(_ text: String, _ count: Int = 0) {
        self.text = text
        self.count = count
    }
}

/// A tree.
@Model final class PurchaseOption {
    var text: String
    var line: PurchaseLine?
    var parent: PurchaseOption?
    @Relationship(deleteRule: .cascade, inverse: \PurchaseOption.parent) var options:
        [PurchaseOption] = []
    init(_ text: String) { self.text = text }
}

/// In a place for one, whose key its own row holds.
@Model final class PurchaseMark {
    var text: String
    var line: PurchaseLine?
    @Relationship(deleteRule: .cascade) var note: PurchaseNote?
    init(_ text: String) { self.text = text }
}

@Model final class PurchaseNote {
    var text: String
    init(_ text: String) { self.text = text }
}

/// With a name, inside of what has none.
@Model final class PurchaseParcel {
    @Attribute(.unique) var code: String
    var weight = 0
    @Relationship(deleteRule: .cascade) var notes: [PurchaseNote] = []
    init(_ code: String, _ weight: Int = 0) {
        self.code = code
        self.weight = weight
    }
}

@Model final class PurchaseGift: PurchaseExtra {
    var text: String
    var purchase: Purchase?
    @Relationship(deleteRule: .cascade) var notes: [PurchaseNote] = []
    init(_ text: String) { self.text = text }
}

@Model final class PurchaseCard: PurchaseExtra {
    var text: String
    var purchase: Purchase?
    var good: BillGood?
    init(_ text: String) { self.text = text }
}

extension StoreKind {
    /// A context over a new store with purchases, which a document has brought, and with goods: ink and nib.
    func purchases(_ document: String) throws -> ModelContext {
        let models: [any Model.Type] = [
            Purchase.self, PurchaseLine.self, PurchaseOption.self, PurchaseMark.self,
            PurchaseNote.self, PurchaseParcel.self, PurchaseGift.self, PurchaseCard.self,
            Bill.self, BillLine.self, BillGood.self, MergeConflict.self,
        ]
        let context = ModelContext(try following(models))
        for name in ["ink", "nib"] { context.insert(BillGood(name: name)) }
        try context.save()
        try context.bring(purchases: document, .replace)
        return context
    }
}

extension ModelContext {
    /// Brings a document of purchases, and saves.
    @discardableResult
    func bring(
        purchases document: String,
        _ policy: LocalChangePolicy<Purchase> = .merge()
    ) throws -> SynchronizeResult<Purchase> {
        let data = Data(document.utf8)
        let result = try synchronize([Purchase].self, from: data, as: .json, localChanges: policy)
        try save()
        return result
    }

    func purchase(_ number: Int) throws -> Purchase {
        let query = FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == number })
        return try #require(fetch(query).first)
    }

    func parcel(_ code: String) throws -> PurchaseParcel {
        let query = FetchDescriptor<PurchaseParcel>(predicate: #Predicate { $0.code == code })
        return try #require(fetch(query).first)
    }

    /// All purchases with what is inside of them, on one line each.
    func purchaseLines() throws -> [String] {
        try fetch(FetchDescriptor<Purchase>(sortBy: [SortDescriptor(\.number)])).map { purchase in
            let extras = purchase.extras.map { extra in
                switch extra {
                case let gift as PurchaseGift:
                    "gift \(gift.text)\(listed(gift.notes.map(\.text)))"
                case let card as PurchaseCard: "card \(card.text)/\(card.good?.name ?? "-")"
                default: "?"
                }
            }
            return "\(purchase.number) \(purchase.title) "
                + "[\(purchase.lines.map(\.description).joined(separator: " "))] "
                + "\(purchase.note?.text ?? "-") [\(extras.joined(separator: " "))]"
        }
    }

    /// How many rows are inside of purchases, by class.
    func countOfParts() throws -> [Int] {
        try [
            fetchCount(FetchDescriptor<PurchaseLine>()),
            fetchCount(FetchDescriptor<PurchaseOption>()),
            fetchCount(FetchDescriptor<PurchaseMark>()),
            fetchCount(FetchDescriptor<PurchaseNote>()),
            fetchCount(FetchDescriptor<PurchaseParcel>()),
            fetchCount(FetchDescriptor<PurchaseGift>()),
            fetchCount(FetchDescriptor<PurchaseCard>()),
        ]
    }

    /// What the backend has to be told of what is inside of purchases.
    func toldOfParts() throws -> [String] {
        try told(PurchaseLine.self) + told(PurchaseOption.self) + told(PurchaseMark.self)
            + told(PurchaseNote.self) + told(PurchaseParcel.self) + told(PurchaseGift.self)
            + told(PurchaseCard.self)
    }
}

extension PurchaseLine: CustomStringConvertible {
    var description: String {
        let mark = mark.map { "^\($0.text)\($0.note.map { "+" + $0.text } ?? "")" } ?? ""
        let parcels = parcels.map { "{\($0.code)=\($0.weight)\(listed($0.notes.map(\.text)))}" }
        return "\(text)\(count)" + (good.map { "/" + $0.name } ?? "")
            + listed(options.map(\.description)) + mark + parcels.joined()
    }
}

extension PurchaseOption: CustomStringConvertible {
    var description: String { text + listed(options.map(\.description)) }
}

private func listed(_ texts: [String]) -> String {
    texts.isEmpty ? "" : "(" + texts.joined(separator: " ") + ")"
}
