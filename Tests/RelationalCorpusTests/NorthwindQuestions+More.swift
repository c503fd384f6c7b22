import Dovetail
import NorthwindModels

private let neighbours = ["Germany", "France", "Austria", "Switzerland"]
private let prices: ClosedRange<Decimal> = 9.5...19

let moreNorthwindQuestions: [Question] = [
    Question(
        "the products in a range of prices, whole and broken ones",
        sql: """
            SELECT ProductID, UnitPrice FROM Products WHERE UnitPrice BETWEEN 9.5 AND 19
            ORDER BY UnitPrice, ProductID
            """
    ) { context in
        let products = FetchDescriptor<Product>(
            predicate: #Predicate { prices.contains($0.unitPrice ?? 0) },
            sortBy: [SortDescriptor(\.unitPrice)]
        )
        return try context.fetch(products).map { cells($0.id, $0.unitPrice) }
    },
    Question(
        "what the discontinued products in stock were worth each",
        sql: """
            SELECT ProductID, UnitPrice FROM Products
            WHERE Discontinued = '1' AND UnitPrice * 2 - 1 > 50 ORDER BY ProductID
            """
    ) { context in
        let products = FetchDescriptor<Product>(
            predicate: #Predicate {
                $0.availability == .discontinued && ($0.unitPrice ?? 0) * 2 - 1 > 50
            },
            sortBy: [SortDescriptor(\.id)]
        )
        return try context.fetch(products).map { cells($0.id, $0.unitPrice) }
    },
    Question(
        "the customers of some countries, by city",
        sql: """
            SELECT CustomerID, City FROM Customers
            WHERE Country IN ('Germany', 'France', 'Austria', 'Switzerland')
            ORDER BY City, CustomerID
            """
    ) { context in
        let customers = FetchDescriptor<Customer>(
            predicate: #Predicate { neighbours.contains($0.country ?? "") },
            sortBy: [SortDescriptor(\.city, comparator: .lexical)]
        )
        return try context.fetch(customers).map { cells($0.id, $0.city) }
    },
    Question(
        "how many customers have neither a fax nor a region",
        sql: "SELECT count(*) FROM Customers WHERE Fax IS NULL AND Region IS NULL"
    ) { context in
        let customers = FetchDescriptor<Customer>(
            predicate: #Predicate { $0.fax == nil && $0.region == nil }
        )
        return [cells(try context.fetchCount(customers))]
    },
    Question(
        "what the people are that one talks to",
        sql: "SELECT DISTINCT ContactTitle FROM Customers ORDER BY ContactTitle DESC LIMIT 6"
    ) { context in
        try context.select(
            .value(\Customer.contactTitle),
            sortBy: [SortDescriptor(\.contactTitle, comparator: .lexical, order: .reverse)],
            distinct: true,
            limit: 6
        )
        .map { cells($0) }
    },
    Question(
        "who was born before the sixties, the youngest first",
        sql: """
            SELECT LastName, datetime(BirthDate), datetime(HireDate) FROM Employees
            WHERE BirthDate < '1960-01-01' AND HireDate >= '1993-01-01'
            ORDER BY BirthDate DESC
            """
    ) { context in
        let (born, hired) = (day(1960, 1, 1), day(1993, 1, 1))
        let staff = FetchDescriptor<Employee>(
            predicate: #Predicate {
                $0.birthDate ?? born < born && $0.hireDate ?? .distantPast >= hired
            },
            sortBy: [SortDescriptor(\.birthDate, order: .reverse)]
        )
        return try context.fetch(staff).map { cells($0.lastName, $0.birthDate, $0.hireDate) }
    },
    Question(
        "how many territories each employee has",
        sql: """
            SELECT EmployeeID, count(*), min(TerritoryID) FROM EmployeeTerritories
            GROUP BY EmployeeID HAVING count(*) < 7 ORDER BY EmployeeID
            """
    ) { context in
        let territories = try context.select(
            .value(\EmployeeTerritory.employeeID),
            .count(),
            .min(\.territoryID),
            having: .count() < 7
        )
        return territories.map { cells($0.0, $0.1, $0.2) }
    },
    Question(
        "the categories with pictures, and how many bytes those have",
        sql: """
            SELECT CategoryName, length(Picture) FROM Categories
            WHERE length(Picture) > 5000 ORDER BY CategoryID
            """
    ) { context in
        let categories = FetchDescriptor<NorthwindModels.Category>(
            predicate: #Predicate { ($0.picture?.count ?? 0) > 5000 },
            sortBy: [SortDescriptor(\.id)]
        )
        return try context.fetch(categories).map { cells($0.name, $0.picture?.count) }
    },
    Question(
        "names of companies with letters of other alphabets",
        sql: """
            SELECT CustomerID, CompanyName FROM Customers
            WHERE instr(CompanyName, 'ö') > 0 OR instr(CompanyName, 'é') > 0
                OR substr(CompanyName, -3) = 'Bar'
            ORDER BY CompanyName DESC
            """
    ) { context in
        let customers = FetchDescriptor<Customer>(
            predicate: #Predicate {
                $0.companyName?.contains("ö") == true || $0.companyName?.contains("é") == true
                    || $0.companyName?.hasSuffix("Bar") == true
            },
            sortBy: [SortDescriptor(\.companyName, comparator: .lexical, order: .reverse)]
        )
        return try context.fetch(customers).map { cells($0.id, $0.companyName) }
    },
    Question(
        "the largest orders, of a view whose amounts are computed",
        sql: """
            SELECT OrderID, printf('%.3f', Subtotal) FROM "Order Subtotals"
            WHERE Subtotal > 10000 ORDER BY Subtotal DESC
            """,
        isOfFile: true
    ) { context in
        let orders = FetchDescriptor<OrderSubtotal>(
            predicate: #Predicate { $0.subtotal > 10_000 },
            sortBy: [SortDescriptor(\.subtotal, order: .reverse)]
        )
        return try context.fetch(orders).map { cells($0.orderID, decimals($0.subtotal, 3)) }
    },
    Question(
        "whom one trades with in a city, of a view of two tables",
        sql: """
            SELECT CompanyName, Relationship FROM "Customer and Suppliers by City"
            WHERE City = 'London' ORDER BY CompanyName, Relationship
            """,
        isOfFile: true
    ) { context in
        let partners = FetchDescriptor<Partner>(
            predicate: #Predicate { $0.city == "London" },
            sortBy: [SortDescriptor(\.companyName, comparator: .lexical)]
        )
        return try context.fetch(partners).map { cells($0.companyName, $0.relationship) }
    },
    Question(
        "what each country paid, of a view of all tables",
        sql: """
            SELECT Country, count(*), printf('%.2f', sum(ExtendedPrice)) FROM Invoices
            WHERE ShippedDate >= '1998-01-01' GROUP BY Country
            HAVING sum(ExtendedPrice) > 20000 ORDER BY Country
            """,
        isOfFile: true
    ) { context in
        let year = day(1998, 1, 1)
        let countries = try context.select(
            .value(\InvoiceLine.country),
            .count(),
            .sum(\.extendedPrice),
            where: #Predicate { $0.shippedDate ?? .distantPast >= year },
            having: .sum(\.extendedPrice) > 20_000
        )
        return countries.map { cells($0.0, $0.1, money($0.2)) }
    },
    Question(
        "the customers that pay the most",
        sql: """
            SELECT c.CompanyName, count(DISTINCT o.OrderID),
                printf('%.2f', sum(d.UnitPrice * d.Quantity * (1 - d.Discount)))
            FROM Customers c JOIN Orders o USING (CustomerID)
            JOIN "Order Details" d USING (OrderID)
            GROUP BY c.CustomerID
            ORDER BY sum(d.UnitPrice * d.Quantity * (1 - d.Discount)) DESC LIMIT 5
            """,
        isOfFile: true
    ) { context in
        let customers = try context.sql(
            """
            SELECT c.CompanyName AS company, count(DISTINCT o.OrderID) AS orders,
                sum(d.UnitPrice * d.Quantity * (1 - d.Discount)) AS revenue
            FROM \(identifier: "Customers") c JOIN Orders o USING (CustomerID)
            JOIN \(identifier: "Order Details") d USING (OrderID)
            GROUP BY c.CustomerID ORDER BY revenue DESC LIMIT \(5)
            """,
            as: CustomerRevenue.self
        )
        return customers.map { cells($0.company, $0.orders, money($0.revenue)) }
    },
]
