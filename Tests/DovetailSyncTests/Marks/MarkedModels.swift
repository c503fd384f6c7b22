import Dovetail
import DovetailTesting
import StoreTestSupport

@ModelProtocol protocol Titled {
    var title: String { get }
}

@Model(deletion: .mark) struct Binder: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String = ""
    @Attribute(.references(Binder.self, deleteRule: .cascade)) var parent: Int?
}

@Model(deletion: .mark) struct Sheet: Titled, Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.unique) var title: String
    var size: Int = 0
    @Attribute(.references(Binder.self, deleteRule: .cascade)) var binder: Int?

    init(_ id: Int, _ title: String, size: Int = 0, binder: Int? = nil) {
        (self.id, self.title, self.size, self.binder) = (id, title, size, binder)
    }
}

/// Goes with its sheet.
@Model struct Stain: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Sheet.self, deleteRule: .cascade)) var sheet: Int
}

/// Stays without its sheet.
@Model struct Clip: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Sheet.self, deleteRule: .nullify)) var sheet: Int?
}

/// Keeps its sheet.
@Model struct Seal: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Sheet.self, deleteRule: .deny)) var sheet: Int
}

@Model(deletion: .mark) struct Slot: Identifiable, Equatable, Sendable {
    struct ID: Hashable, Sendable {
        let row: String
        let number: Int
    }

    @Attribute(.primaryKey) var row: String
    @Attribute(.primaryKey) var number: Int
    var guest: String?

    var id: ID { ID(row: row, number: number) }
}

@Model(deletion: .mark) struct Voucher: Identifiable, Equatable, Sendable {
    @Attribute(.primaryKey, .generated) var id: Int64?
    var text: String
}

/// A model of the same protocol whose rows are removed.
@Model struct Poster: Titled, Identifiable, Equatable, Sendable {
    let id: Int
    var title: String
}

enum Stationery {
    static let models: [any Model.Type] = [
        Binder.self, Sheet.self, Stain.self, Clip.self, Seal.self, Slot.self, Voucher.self,
        Poster.self, MergeConflict.self,
    ]
}

extension StoreKind {
    /// A container of these models that knows what was changed.
    func stationery() throws -> ModelContainer { try following(Stationery.models) }
}

extension ModelContext {
    func sheets(_ deleted: DeletedValues = .excluded) throws -> [Sheet] {
        var descriptor = FetchDescriptor<Sheet>(sortBy: [SortDescriptor(\.id)])
        descriptor.deletedValues = deleted
        return try fetch(descriptor)
    }

    func all<Value: Model & Identifiable>(
        _ model: Value.Type,
        _ deleted: DeletedValues = .excluded
    ) throws -> [Value] {
        var descriptor = FetchDescriptor<Value>()
        descriptor.deletedValues = deleted
        return try fetch(descriptor)
    }
}
