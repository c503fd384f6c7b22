import ChinookModels
import Dovetail

@Model struct RepresentativeSales {
    var name: String
    var invoices: Int
    var amount: Decimal
}

@Model struct AlbumLength {
    var title: String
    var artist: String
    var minutes: Int
}

private let cheap = Decimal(string: "0.99") ?? 0
private let american = ["Brazil", "Canada", "USA", "Chile", "Argentina"]
private let quarter = (day(2023, 1, 1), day(2023, 4, 1))

let chinookQuestions: [Question] = [
    Question(
        "the ten longest tracks of more than ten minutes",
        sql: """
            SELECT Name, Milliseconds FROM Track WHERE Milliseconds > 10 * 60 * 1000
            ORDER BY Milliseconds DESC, TrackId LIMIT 10
            """
    ) { context in
        var longest = FetchDescriptor<Track>(
            predicate: #Predicate { $0.milliseconds > 10 * 60 * 1000 },
            sortBy: [SortDescriptor(\.milliseconds, order: .reverse)]
        )
        longest.fetchLimit = 10
        return try context.fetch(longest).map { cells($0.name, $0.milliseconds) }
    },
    Question(
        "the third page of invoices by their total, of which many are equal",
        sql: """
            SELECT InvoiceId, Total FROM Invoice ORDER BY Total DESC, InvoiceId LIMIT 20 OFFSET 40
            """
    ) { context in
        var page = FetchDescriptor<Invoice>(sortBy: [SortDescriptor(\.total, order: .reverse)])
        (page.fetchLimit, page.fetchOffset) = (20, 40)
        return try context.fetch(page).map { cells($0.id, $0.total) }
    },
    Question(
        "how many tracks cost more than the cheapest ones, and how many are no more",
        sql: "SELECT sum(UnitPrice > 0.99), sum(UnitPrice <= 0.99) FROM Track"
    ) { context in
        let more = #Predicate<Track> { $0.unitPrice > cheap }
        let less = #Predicate<Track> { $0.unitPrice <= cheap }
        return [
            cells(
                try context.fetchCount(FetchDescriptor(predicate: more)),
                try context.fetchCount(FetchDescriptor(predicate: less))
            )
        ]
    },
    Question(
        "the tracks at one exact price of an album",
        sql: """
            SELECT TrackId FROM Track WHERE UnitPrice = 1.99 AND AlbumId IN (253, 227)
            ORDER BY AlbumId, TrackId
            """
    ) { context in
        let price = cheap + 1
        let albums: [Int?] = [253, 227]
        let tracks = FetchDescriptor<Track>(
            predicate: #Predicate { $0.unitPrice == price && albums.contains($0.albumID) },
            sortBy: [SortDescriptor(\.albumID)]
        )
        return try context.fetch(tracks).map { cells($0.id) }
    },
    Question(
        "the genres with many tracks whose composer nobody has written down",
        sql: """
            SELECT GenreId, count(*) FROM Track WHERE Composer IS NULL
            GROUP BY GenreId HAVING count(*) > 50 ORDER BY GenreId
            """
    ) { context in
        let genres = try context.select(
            .value(\Track.genreID),
            .count(),
            where: #Predicate { $0.composer == nil },
            having: .count() > 50
        )
        return genres.map { cells($0.0, $0.1) }
    },
    Question(
        "how long a track is on average, and how many bytes all have, by media type",
        sql: """
            SELECT MediaTypeId, printf('%.2f', avg(Milliseconds)), sum(Bytes), max(Milliseconds)
            FROM Track GROUP BY MediaTypeId ORDER BY MediaTypeId
            """
    ) { context in
        let types = try context.select(
            .value(\Track.mediaTypeID),
            .average(\.milliseconds),
            .sum(\.bytes),
            .max(\.milliseconds)
        )
        return types.map { cells($0.0, money($0.1), $0.2, $0.3) }
    },
    Question(
        "the countries that bought for a hundred at least",
        sql: """
            SELECT BillingCountry, count(*), printf('%.2f', sum(Total)) FROM Invoice
            GROUP BY BillingCountry HAVING round(sum(Total), 2) >= 100 ORDER BY BillingCountry
            """
    ) { context in
        let countries = try context.select(
            .value(\Invoice.billingCountry),
            .count(),
            .sum(\.total),
            having: .sum(\Invoice.total) >= 100
        )
        return countries.map { cells($0.0, $0.1, money($0.2)) }
    },
    Question(
        "what was sold in each month of two years",
        sql: """
            SELECT datetime(strftime('%Y-%m-01', InvoiceDate)), count(*), printf('%.2f', sum(Total))
            FROM Invoice WHERE InvoiceDate >= '2023-01-01' AND InvoiceDate < '2025-01-01'
            GROUP BY 1 ORDER BY 1
            """
    ) { context in
        let (first, end) = (quarter.0, day(2025, 1, 1))
        let months = try context.select(
            .start(of: .month, \Invoice.date),
            .count(),
            .sum(\.total),
            where: #Predicate { $0.date >= first && $0.date < end }
        )
        return months.map { cells($0.0, $0.1, money($0.2)) }
    },
    Question(
        "the invoices of a quarter, by their date",
        sql: """
            SELECT InvoiceId, datetime(InvoiceDate) FROM Invoice
            WHERE InvoiceDate >= '2023-01-01' AND InvoiceDate < '2023-04-01'
            ORDER BY InvoiceDate, InvoiceId
            """
    ) { context in
        let (first, end) = quarter
        let invoices = FetchDescriptor<Invoice>(
            predicate: #Predicate { (first..<end).contains($0.date) },
            sortBy: [SortDescriptor(\.date)]
        )
        return try context.fetch(invoices).map { cells($0.id, $0.date) }
    },
    Question(
        "the companies among the customers of some countries, by their names",
        sql: """
            SELECT LastName, Company, Country FROM Customer
            WHERE Country IN ('Brazil', 'Canada', 'USA', 'Chile', 'Argentina')
                AND Company IS NOT NULL
            ORDER BY Country DESC, LastName, CustomerId
            """
    ) { context in
        let companies = FetchDescriptor<Customer>(
            predicate: #Predicate { american.contains($0.country ?? "") && $0.company != nil },
            sortBy: [
                SortDescriptor(\.country, comparator: .lexical, order: .reverse),
                SortDescriptor(\.lastName, comparator: .lexical),
            ]
        )
        return try context.fetch(companies).map { cells($0.lastName, $0.company, $0.country) }
    },
    Question(
        "who reports to nobody, or to the one who does",
        sql: """
            SELECT EmployeeId, ReportsTo FROM Employee
            WHERE ReportsTo IS NULL
                OR ReportsTo IN (SELECT EmployeeId FROM Employee WHERE ReportsTo IS NULL)
            ORDER BY ReportsTo, EmployeeId
            """
    ) { context in
        let heads = try context.fetch(
            FetchDescriptor<Employee>(predicate: #Predicate { $0.reportsTo == nil })
        )
        let identifiers: [Int?] = heads.map(\.id)
        let staff = FetchDescriptor<Employee>(
            predicate: #Predicate { $0.reportsTo == nil || identifiers.contains($0.reportsTo) },
            sortBy: [SortDescriptor(\.reportsTo)]
        )
        return try context.fetch(staff).map { cells($0.id, $0.reportsTo) }
    },
]
