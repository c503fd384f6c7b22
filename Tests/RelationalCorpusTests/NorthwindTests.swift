import Dovetail
import NorthwindModels
import StoreTestSupport
import Testing

/// Northwind, opened as others have made it.
@Suite(.needsCorpora) struct NorthwindTests {
    @Test func `all rows of all tables are read`() throws {
        let context = try Corpus.northwind.context()
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
