import Dovetail
import NorthwindModels
import StoreTestSupport
import Testing

/// Northwind, opened as others have made it.
@Suite(.needsCorpora) struct NorthwindTests {
    private static let questions = northwindQuestions + moreNorthwindQuestions

    private func corpus() throws -> Corpus {
        try Corpus("northwind.db", northwindTables, views: northwindViews)
    }

    @Test func `questions are answered as SQL answers them`() throws {
        let corpus = try corpus()
        try check(Self.questions, of: corpus, with: [ModelContext(corpus.opened)], rows: 258)
    }

    @Test func `the same rows in stores of ours answer alike`() throws {
        let corpus = try corpus()
        let stores = try StoreKind.allCases.map { try corpus.copy(to: $0) }
        try check(
            Self.questions.filter { !$0.isOfFile },
            of: corpus,
            with: stores,
            rows: 229
        )
    }

    @Test func `all rows of all tables are read`() throws {
        let context = ModelContext(try corpus().opened)
        #expect(try context.fetch(FetchDescriptor<OrderDetail>()).count == 2155)
        #expect(try context.fetch(FetchDescriptor<Order>()).count == 830)
        #expect(try context.fetch(FetchDescriptor<Customer>()).count == 93)
        #expect(try context.fetch(FetchDescriptor<Territory>()).count == 53)
        #expect(try context.fetch(FetchDescriptor<CustomerDemographic>()).isEmpty)
        #expect(try context.fetch(FetchDescriptor<CustomerType>()).isEmpty)
        #expect(try context.fetch(FetchDescriptor<ProductSales>()).count == 77)
        #expect(try context.fetch(FetchDescriptor<CurrentProduct>()).count == 69)
        #expect(try context.fetch(Region.self, id: 1)?.name == "Eastern")
        #expect(try context.fetch(Shipper.self, id: 3)?.companyName == "Federal Shipping")
        #expect(try context.fetch(Supplier.self, id: 29)?.country == "Canada")
        let photo = try context.fetch(Employee.self, id: 1)?.photo
        #expect(photo?.prefix(2) == Data([0xFF, 0xD8]))
    }
}
