import Dovetail
import StoreTestSupport
import Testing

@Model struct ExactPrice: Identifiable, Equatable {
    let id: Int
    var amount: ExactNumber
}

@Model final class ExactOffer {
    var amount: ExactNumber?
    init(_ amount: ExactNumber?) { self.amount = amount }
}

/// Numbers that keep their text, in columns.
@Suite struct ExactNumberColumnTests {
    @Test(arguments: StoreKind.allCases)
    func `each text comes back as it was`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(ExactPrice.self, ExactOffer.self))
        let texts = [
            "0", "1", "-7", "1.5", "1.50", "0.00", "-0.010", "123456789012.3400", "10000", "0.0001",
        ]
        for (id, text) in texts.enumerated() {
            let number = try #require(ExactNumber(text))
            context.insert(ExactPrice(id: id, amount: number))
            context.insert(ExactOffer(number))
        }
        try context.save()
        let prices = try context.fetch(FetchDescriptor<ExactPrice>(sortBy: [SortDescriptor(\.id)]))
        #expect(prices.map(\.amount.text) == texts)
        let other = ModelContext(context.container)
        let offers = try other.fetch(FetchDescriptor<ExactOffer>())
        #expect(Set(offers.compactMap(\.amount?.text)) == Set(texts))
        for offer in offers {
            offer.amount = offer.amount.flatMap {
                ExactNumber($0.text + ($0.text.contains(".") ? "0" : ".0"))
            }
        }
        try other.save()
        for offer in offers { other.delete(offer) }
        try other.save()
        #expect(try context.synchronize(prices).isEmpty)
    }
}
