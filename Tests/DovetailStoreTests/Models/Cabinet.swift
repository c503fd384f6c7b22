import Dovetail
import DovetailStore
import StoreTestSupport
import TestAssets
import Testing

@Model
struct Address: Equatable, Sendable {
    var street: String
    var number: Int?
}

/// A plain type that is no model.
struct Stamp: Codable, Equatable, Sendable {
    var zeta = "z"
    var alpha = 1
    var issued: Date?
}

/// One attribute of every kind that a column can hold.
@Model
struct Cabinet: Identifiable {
    let id: Int
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var double: Double = 0
    var float: Float = 0
    var flag: Bool = false
    var text: String = ""
    var optText: String?
    var date: Date = Date(timeIntervalSinceReferenceDate: 0)
    var decimal: Decimal = 0
    var data: Data = Data()
    var optData: Data?
    var url: URL?
    var uuid: UUID?
    var species: Species = .cat
    var size: Size = .small
    var owner: OwnerID?
    var address: Address?
    var addresses: [Address] = []
    var counts: [String: Int] = [:]
    var labels: Set<String> = []
    var asset: (any Asset)?
    var assets: [any Asset] = []
    var stamp: Stamp = Stamp()
    var optStamp: Stamp?

    init(_ id: Int) {
        self.id = id
    }
}

extension Cabinet {
    /// What `sqlite3` shows of one column of the only row.
    static func stored(
        _ expression: String,
        of change: (inout Cabinet) -> Void
    ) throws -> String? {
        let folder = try TemporaryFolder()
        let context = ModelContext(try .file(folder.file(), Cabinet.self))
        var cabinet = Cabinet(1)
        change(&cabinet)
        context.insert(cabinet)
        try context.save()
        return try RawDatabase(folder.file()).value("SELECT \(expression) FROM Cabinet")
    }

    /// The value that comes back from SQLite. From the memory store the same row has to come.
    static func roundTrip(_ change: (inout Cabinet) -> Void) throws -> Cabinet {
        var cabinet = Cabinet(1)
        change(&cabinet)
        // On a server dates are rounded and text has no NUL: the contract of stores has these.
        let rows = try StoreKind.embedded.map { kind in
            let context = ModelContext(try kind.container(Cabinet.self))
            context.insert(cabinet)
            try context.save()
            let values = try context.withRows(of: FetchDescriptor<Cabinet>()) { cursor, entity in
                #expect(try cursor.next())
                return try entity.attributes.enumerated().map {
                    try QueryValue(cursor, $0.offset, $0.element)
                }
            }
            return (try context.fetch(FetchDescriptor<Cabinet>())[0], values)
        }
        #expect(rows[0].1 == rows[1].1)
        return rows[0].0
    }
}
