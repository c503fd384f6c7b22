package import Dovetail

@Model(naming: .pascalCase, table: "Order Subtotals")
package struct OrderSubtotal: Equatable, Sendable {
    @Attribute(.primaryKey) package let orderID: Order.ID
    package var subtotal: Decimal
}

@Model(naming: .pascalCase, table: "Current Product List")
package struct CurrentProduct: Equatable, Sendable {
    @Attribute(.primaryKey) package let productID: Product.ID
    package var productName: String
}

@Model(naming: .pascalCase, table: "Customer and Suppliers by City")
package struct Partner: Equatable, Sendable {
    @Attribute(.primaryKey) package let companyName: String
    @Attribute(.primaryKey) package let relationship: String
    package var city: String?
    package var contactName: String?
}

@Model(naming: .pascalCase, table: "Product Sales for 1997")
package struct ProductSales: Equatable, Sendable {
    @Attribute(.primaryKey) package let categoryName: String
    @Attribute(.primaryKey) package let productName: String
    @Attribute(name: "ProductSales") package var amount: Double
}

@Model(naming: .pascalCase, table: "Invoices")
package struct InvoiceLine: Equatable, Sendable {
    @Attribute(.primaryKey) package let orderID: Order.ID
    @Attribute(.primaryKey) package let productID: Product.ID
    package var customerName: String?
    package var country: String?
    package var orderDate: Date?
    package var shippedDate: Date?
    package var productName: String
    package var unitPrice: Decimal
    package var quantity: Int
    package var discount: Double
    package var extendedPrice: Double
    package var freight: Decimal?
}

/// All tables of Northwind.
package let northwindTables: [any Model.Type] = [
    Category.self, Supplier.self, Product.self, Order.self, OrderDetail.self, Shipper.self,
    Customer.self, CustomerType.self, CustomerDemographic.self, Employee.self,
    EmployeeTerritory.self, Territory.self, Region.self,
]

/// Some of its views.
package let northwindViews: [any Model.Type] = [
    OrderSubtotal.self, CurrentProduct.self, Partner.self, ProductSales.self, InvoiceLine.self,
]
