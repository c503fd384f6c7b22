import Dovetail
import TestAssets
import Testing

@ModelProtocol(typeKey: "kind", conformers: Coin.self, Wrapped<Int>.self, Purse.Note.self)
private protocol Money {
    var amount: Int { get }
}

@Model private struct Coin: Money, Equatable { var amount: Int }

/// Generic, so that only a list makes it a conformer.
@Model private struct Wrapped<Value: ModelValue & Equatable>: Money, Equatable {
    var value: Value
    var amount: Int { 0 }
}

private enum Purse {
    @Model(aliases: ["Bill"]) struct Note: Money { var amount: Int }
    /// Conforms, but is not listed.
    @Model struct Token: Money { var amount: Int { 1 } }
}

/// `@ModelProtocol(conformers:)`.
struct ClosedListTests {
    private func read(_ json: String) throws -> any Money {
        try MoneyModel.decode(Data(json.utf8), as: .json)
    }

    @Test
    func `the listed types are read`() throws {
        #expect(try read(#"{"kind":"Coin","amount":2}"#) as? Coin == Coin(amount: 2))
        #expect(try read(#"{"amount":2,"kind":"Bill"}"#) is Purse.Note)
        #expect(try read(#"{"kind":"Wrapped","value":2}"#) as? Wrapped<Int> == Wrapped(value: 2))
        #expect(MoneyModel.conformers.knownNames == ["Coin", "Note", "Wrapped"])
    }

    @Test
    func `the listed types are written`() throws {
        let all: [any Money] = [Coin(amount: 1), Wrapped(value: 2), Purse.Note(amount: 3)]
        let data = try all.encoded(as: .json)
        #expect(
            String(decoding: data, as: UTF8.self) == """
                [{"kind":"Coin","amount":1},{"kind":"Wrapped","value":2},{"kind":"Note","amount":3}]
                """
        )
        #expect(try [any Money](decoding: data, as: .json).map(\.amount) == [1, 0, 3])
    }

    @Test
    func `others are unknown`() throws {
        let error = try #require(throws: ModelDecodingError.self) { try read(#"{"kind":"Token"}"#) }
        #expect(error.kind == .unknownType)
        #expect(error.expected == "a conformer of Money (Coin, Note, Wrapped)")
        for money in [Purse.Token(), Wrapped(value: "")] as [any Money] {
            let written = try #require(throws: ModelEncodingError.self) {
                try money.encoded(as: .json)
            }
            #expect(written.kind == .unknownType)
        }
    }
}
