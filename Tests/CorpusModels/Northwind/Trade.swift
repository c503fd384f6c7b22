package import Dovetail

// Northwind, the database of a wholesaler, as a user would declare it
// (https://github.com/jpwhite3/northwind-SQLite3).

@Model(naming: .pascalCase, table: "Categories")
package struct Category: Identifiable, Equatable, Sendable {
    @Attribute(name: "CategoryID") package let id: Int
    @Attribute(name: "CategoryName") package var name: String?
    package var description: String?
    package var picture: Data?
}

@Model(naming: .pascalCase, table: "Suppliers")
package struct Supplier: Identifiable, Equatable, Sendable {
    @Attribute(name: "SupplierID") package let id: Int
    package var companyName: String
    package var contactName: String?
    package var contactTitle: String?
    package var address: String?
    package var city: String?
    package var region: String?
    package var postalCode: String?
    package var country: String?
    package var phone: String?
    package var fax: String?
    package var homePage: String?
}

/// A column of text that says 0 or 1.
@Model
package enum Availability: String {
    case current = "0"
    case discontinued = "1"
}

@Model(naming: .pascalCase, table: "Products")
package struct Product: Identifiable, Equatable, Sendable {
    @Attribute(name: "ProductID") package let id: Int
    @Attribute(name: "ProductName") package var name: String
    package var supplierID: Supplier.ID?
    package var categoryID: Category.ID?
    package var quantityPerUnit: String?
    package var unitPrice: Decimal?
    package var unitsInStock: Int?
    package var unitsOnOrder: Int?
    package var reorderLevel: Int?
    @Attribute(name: "Discontinued") package var availability: Availability
}

@Model(naming: .pascalCase, table: "Orders")
package struct Order: Identifiable, Equatable, Sendable {
    @Attribute(name: "OrderID") package let id: Int
    package var customerID: Customer.ID?
    package var employeeID: Employee.ID?
    package var orderDate: Date?
    package var requiredDate: Date?
    package var shippedDate: Date?
    package var shipVia: Shipper.ID?
    package var freight: Decimal?
    package var shipName: String?
    package var shipAddress: String?
    package var shipCity: String?
    package var shipRegion: String?
    package var shipPostalCode: String?
    package var shipCountry: String?
}

@Model(naming: .pascalCase, table: "Order Details")
package struct OrderDetail: Equatable, Sendable {
    @Attribute(.primaryKey) package let orderID: Order.ID
    @Attribute(.primaryKey) package let productID: Product.ID
    package var unitPrice: Decimal
    package var quantity: Int
    package var discount: Double
}

@Model(naming: .pascalCase, table: "Shippers")
package struct Shipper: Identifiable, Equatable, Sendable {
    @Attribute(name: "ShipperID") package let id: Int
    package var companyName: String
    package var phone: String?
}
