import Dovetail
import StoreTestSupport
import Testing

@Model(version: 2)
private struct ReservedSeat: ModelLifecycle, Equatable {
    var row: Int
    var place: Int

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["row"] = document.remove("line")
    }

    mutating func willEncode() throws {
        if place == 13 { throw RowRefusal() }
    }

    mutating func didDecode() throws {
        if place > 99 { throw RowRefusal() }
    }
}

private struct RowRefusal: Error {}

@Model(version: 3)
private struct Reservation: Identifiable, ModelLifecycle, Equatable {
    var id: Int
    var guest: String
    var seats: [ReservedSeat] = []

    mutating func willEncode() throws { guest = guest.uppercased() }

    mutating func didDecode() throws {
        if guest == "NOBODY" { throw RowRefusal() }
    }
}

@Model(version: 2)
private struct Card: ModelLifecycle, Equatable {
    var number: Int
    var extra: SpareCard?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        if document["stolen"] != nil { throw CardRefusal(text: "\(document)") }
        document["extra"] = document.remove("more").map { ["no": $0] }
        document["number"] = document.remove("no")
    }

    mutating func didDecode() throws {
        if number == 777 { throw CardRefusal(text: "\(number)") }
    }
}

@Model(version: 2)
private struct SpareCard: Equatable {
    var number: Int

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["number"] = document.remove("no")
    }
}

private struct CardRefusal: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}

@Model
private struct CardBox: Equatable {
    var card: Card
}

@Model(version: 2)
private struct Wallet: Equatable {
    var box: CardBox?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        if let card = document.remove("card") { document["box"] = ["card": card] }
    }
}

@Model
private struct WalletOwner: Identifiable, Equatable {
    var id: Int
    var wallet: Wallet?
}

@Suite struct VersionColumnTests {
    private func bookings(_ container: ModelContainer) throws -> [Reservation] {
        try ModelContext(container).fetch(FetchDescriptor<Reservation>())
    }

    @Test func `a row has no version and its documents are migrated`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.sqlite")
        let container = try ModelContainer.file(file, Reservation.self)
        let context = ModelContext(container)
        context.insert(Reservation(id: 1, guest: "ada", seats: [ReservedSeat(row: 1, place: 2)]))
        try context.save()
        let raw = try RawDatabase(file)
        #expect(
            try raw.rows("select * from Reservation")
                == [["1", "ADA", #"[{"$version":2,"row":1,"place":2}]"#]]
        )
        try raw.execute(#"update Reservation set seats = '[{"line":7,"place":3}]'"#)
        #expect(
            try bookings(container)
                == [Reservation(id: 1, guest: "ADA", seats: [ReservedSeat(row: 7, place: 3)])]
        )
    }

    @Test func `what a hook refuses names the column and no stored value`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.sqlite")
        let container = try ModelContainer.file(file, Reservation.self)
        let context = ModelContext(container)
        context.insert(Reservation(id: 1, guest: "a", seats: [ReservedSeat(row: 1, place: 13)]))
        let written = #expect(throws: ModelEncodingError.self) { try context.save() }
        #expect(written?.path == "seats[0]")
        let raw = try RawDatabase(file)
        try raw.execute("insert into Reservation values (1, 'nobody', '[]')")
        try raw.execute("update Reservation set guest = 'NOBODY'")
        let row = #expect(throws: ModelDecodingError.self) { try bookings(container) }
        #expect(
            row?.description == "expected Reservation that didDecode() accepts, found RowRefusal"
        )
        try raw.execute(
            #"update Reservation set guest = 'x', seats = '[{"$version":2,"row":1,"place":100}]'"#
        )
        let column = #expect(throws: ModelDecodingError.self) { try bookings(container) }
        #expect(column?.path == "seats[0]")
        #expect(column?.description.contains("100") == false)
        try raw.execute(#"update Reservation set seats = '[{"line":"secret","place":1}]'"#)
        let migrated = #expect(throws: ModelDecodingError.self) { try bookings(container) }
        #expect(migrated?.path == "seats[0].row")
        #expect(migrated?.description.contains("secret") == false)
        try raw.execute(#"update Reservation set seats = '[{"$version":9,"row":1,"place":1}]'"#)
        let newer = #expect(throws: ModelDecodingError.self) { try bookings(container) }
        #expect(newer?.kind == .futureVersion)
    }

    /// However deep migrations are nested.
    @Test(
        arguments: [
            (#"{"card":{"no":"secret"}}"#, "wallet.box.card.number"),
            (#"{"card":{"no":1,"more":"secret"}}"#, "wallet.box.card.extra.number"),
            (#"{"card":{"stolen":"secret"}}"#, "wallet.box.card"),
            (#"{"card":{"no":777}}"#, "wallet.box.card"),
            (#"{"card":{"no":1,"more":[777]}}"#, "wallet.box.card.extra.number"),
            (#"{"card":[777]}"#, "wallet.box.card"),
        ]
    )
    func `errors in migrated columns name no stored value`(json: String, path: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.sqlite")
        let context = ModelContext(try .file(file, WalletOwner.self))
        context.insert(WalletOwner(id: 1, wallet: Wallet(box: CardBox(card: Card(number: 5)))))
        try context.save()
        try RawDatabase(file).execute("update WalletOwner set wallet = '\(json)'")
        let error = #expect(throws: ModelDecodingError.self) {
            try context.fetch(FetchDescriptor<WalletOwner>())
        }
        #expect(error?.path == path)
        let text = error?.description ?? ""
        #expect(!text.contains("secret") && !text.contains("777"), "\(text)")
    }
}
