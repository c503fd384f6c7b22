import Dovetail
import NorthwindModels

@Model struct CustomerRevenue {
    var company: String
    var orders: Int
    var revenue: Double
}

private let independence = day(1996, 7, 8)

let northwindQuestions: [Question] = [
    Question(
        "the lines of an order, whose key has two columns and whose table has a space",
        sql: """
            SELECT OrderID, ProductID, UnitPrice, Quantity, Discount FROM "Order Details"
            WHERE OrderID = 10273 ORDER BY ProductID
            """
    ) { context in
        let lines = FetchDescriptor<OrderDetail>(
            predicate: #Predicate { $0.orderID == 10_273 },
            sortBy: [SortDescriptor(\.productID)]
        )
        return try context.fetch(lines).map {
            cells($0.orderID, $0.productID, $0.unitPrice, $0.quantity, $0.discount)
        }
    },
    Question(
        "large lines that were sold at a discount",
        sql: """
            SELECT OrderID, ProductID FROM "Order Details"
            WHERE Quantity >= 80 AND Discount > 0.1 ORDER BY Discount DESC, Quantity DESC,
                OrderID, ProductID LIMIT 15
            """
    ) { context in
        var lines = FetchDescriptor<OrderDetail>(
            predicate: #Predicate { $0.quantity >= 80 && $0.discount > 0.1 },
            sortBy: [
                SortDescriptor(\.discount, order: .reverse),
                SortDescriptor(\.quantity, order: .reverse),
            ]
        )
        lines.fetchLimit = 15
        return try context.fetch(lines).map { cells($0.orderID, $0.productID) }
    },
    Question(
        "how many lines there are of each discount",
        sql: """
            SELECT Discount, count(*), sum(Quantity), printf('%.2f', sum(UnitPrice)),
                min(UnitPrice), max(UnitPrice)
            FROM "Order Details" GROUP BY Discount ORDER BY Discount
            """
    ) { context in
        let discounts = try context.select(
            .value(\OrderDetail.discount),
            .count(),
            .sum(\.quantity),
            .sum(\.unitPrice),
            .min(\.unitPrice),
            .max(\.unitPrice)
        )
        return discounts.map { cells($0.0, $0.1, $0.2, money($0.3), $0.4, $0.5) }
    },
    Question(
        "orders that were sent too late",
        sql: """
            SELECT OrderID FROM Orders WHERE ShippedDate > RequiredDate ORDER BY OrderID
            """
    ) { context in
        let late = FetchDescriptor<Order>(
            predicate: #Predicate {
                if let shipped = $0.shippedDate, let required = $0.requiredDate {
                    shipped > required
                } else {
                    false
                }
            },
            sortBy: [SortDescriptor(\.id)]
        )
        return try context.fetch(late).map { cells($0.id) }
    },
    Question(
        "what has to be sent still, the most urgent first",
        sql: """
            SELECT OrderID, datetime(RequiredDate), ShipRegion FROM Orders
            WHERE ShippedDate IS NULL ORDER BY RequiredDate, ShipCountry DESC, OrderID
            """
    ) { context in
        let open = FetchDescriptor<Order>(
            predicate: #Predicate { $0.shippedDate == nil },
            sortBy: [
                SortDescriptor(\.requiredDate),
                SortDescriptor(\.shipCountry, comparator: .lexical, order: .reverse),
            ]
        )
        return try context.fetch(open).map { cells($0.id, $0.requiredDate, $0.shipRegion) }
    },
    Question(
        "the orders of one day",
        sql: "SELECT OrderID FROM Orders WHERE date(OrderDate) = '1996-07-08' ORDER BY OrderID"
    ) { context in
        let orders = FetchDescriptor<Order>(
            predicate: #Predicate { $0.orderDate == independence },
            sortBy: [SortDescriptor(\.id)]
        )
        return try context.fetch(orders).map { cells($0.id) }
    },
    Question(
        "the orders of each month, and what they cost to send",
        sql: """
            SELECT datetime(strftime('%Y-%m-01', OrderDate)), count(*), printf('%.2f', sum(Freight))
            FROM Orders GROUP BY 1 ORDER BY 1
            """
    ) { context in
        let months = try context.select(
            .start(of: .month, \Order.orderDate),
            .count(),
            .sum(\.freight)
        )
        return months.map { cells($0.0, $0.1, money($0.2)) }
    },
    Question(
        "the years in which orders were sent, and those that were not",
        sql: """
            SELECT datetime(strftime('%Y-01-01', ShippedDate)), count(*) FROM Orders
            GROUP BY 1 ORDER BY 1
            """
    ) { context in
        let years = try context.select(.start(of: .year, \Order.shippedDate), .count())
        return years.map { cells($0.0, $0.1) }
    },
    Question(
        "the countries to which sending is expensive",
        sql: """
            SELECT ShipCountry, printf('%.2f', sum(Freight)), printf('%.4f', avg(Freight)),
                max(Freight)
            FROM Orders GROUP BY ShipCountry HAVING sum(Freight) > 3000 ORDER BY ShipCountry
            """
    ) { context in
        let countries = try context.select(
            .value(\Order.shipCountry),
            .sum(\.freight),
            .average(\.freight),
            .max(\.freight),
            having: .sum(\Order.freight) > 3000
        )
        return countries.map { country, sum, average, most in
            cells(country, money(sum), decimals(average, 4), most)
        }
    },
    Question(
        "the orders that cost the most to send",
        sql: """
            SELECT OrderID, Freight FROM Orders ORDER BY Freight DESC, OrderID LIMIT 12 OFFSET 3
            """
    ) { context in
        var orders = FetchDescriptor<Order>(sortBy: [SortDescriptor(\.freight, order: .reverse)])
        (orders.fetchLimit, orders.fetchOffset) = (12, 3)
        return try context.fetch(orders).map { cells($0.id, $0.freight) }
    },
    Question(
        "products to be ordered again",
        sql: """
            SELECT ProductID, ProductName FROM Products
            WHERE UnitsInStock + UnitsOnOrder <= ReorderLevel AND Discontinued = '0'
            ORDER BY ProductName
            """
    ) { context in
        let products = FetchDescriptor<Product>(
            predicate: #Predicate {
                ($0.unitsInStock ?? 0) + ($0.unitsOnOrder ?? 0) <= ($0.reorderLevel ?? 0)
                    && $0.availability == .current
            },
            sortBy: [SortDescriptor(\.name, comparator: .lexical)]
        )
        return try context.fetch(products).map { cells($0.id, $0.name) }
    },
]
