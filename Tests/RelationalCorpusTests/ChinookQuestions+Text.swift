import ChinookModels
import Dovetail

let moreChinookQuestions: [Question] = [
    Question(
        "songs about love, whatever the case",
        sql: """
            SELECT TrackId, Name FROM Track WHERE lower(Name) LIKE '%love%'
            ORDER BY Name DESC, TrackId LIMIT 30
            """
    ) { context in
        var songs = FetchDescriptor<Track>(
            predicate: #Predicate { $0.name.localizedStandardContains("love") },
            sortBy: [SortDescriptor(\.name, comparator: .lexical, order: .reverse)]
        )
        songs.fetchLimit = 30
        return try context.fetch(songs).map { cells($0.id, $0.name) }
    },
    Question(
        "albums whose titles begin with The and end with a bracket, or hold an accent",
        sql: """
            SELECT AlbumId, Title FROM Album
            WHERE substr(Title, 1, 4) = 'The ' AND substr(Title, -1) = ']'
                OR instr(Title, 'é') > 0
            ORDER BY Title, AlbumId
            """
    ) { context in
        let albums = FetchDescriptor<Album>(
            predicate: #Predicate {
                $0.title.starts(with: "The ") && $0.title.hasSuffix("]") || $0.title.contains("é")
            },
            sortBy: [SortDescriptor(\.title, comparator: .lexical)]
        )
        return try context.fetch(albums).map { cells($0.id, $0.title) }
    },
    Question(
        "how large each playlist is, the large ones only",
        sql: """
            SELECT PlaylistId, count(*) FROM PlaylistTrack
            GROUP BY PlaylistId HAVING count(*) >= 25 ORDER BY PlaylistId LIMIT 5 OFFSET 1
            """
    ) { context in
        let lists = try context.select(
            .value(\PlaylistTrack.playlistID),
            .count(),
            having: .count() >= 25,
            limit: 5,
            offset: 1
        )
        return lists.map { cells($0.0, $0.1) }
    },
    Question(
        "the first tracks of a playlist, by a key of two columns",
        sql: """
            SELECT PlaylistId, TrackId FROM PlaylistTrack WHERE PlaylistId = 5 AND TrackId < 100
            ORDER BY PlaylistId, TrackId LIMIT 7
            """
    ) { context in
        var tracks = FetchDescriptor<PlaylistTrack>(
            predicate: #Predicate { $0.playlistID == 5 && $0.trackID < 100 }
        )
        tracks.fetchLimit = 7
        return try context.fetch(tracks).map { cells($0.playlistID, $0.trackID) }
    },
    Question(
        "tracks with a high rate of bytes",
        sql: """
            SELECT TrackId, Bytes / (Milliseconds / 1000) FROM Track
            WHERE Milliseconds >= 1000 AND Bytes / (Milliseconds / 1000) > 150000
            ORDER BY Bytes DESC, TrackId
            """
    ) { context in
        let tracks = FetchDescriptor<Track>(
            predicate: #Predicate { ($0.bytes ?? 0) / ($0.milliseconds / 1000) > 150_000 },
            sortBy: [SortDescriptor(\.bytes, order: .reverse)]
        )
        return try context.fetch(tracks).map {
            cells($0.id, ($0.bytes ?? 0) / ($0.milliseconds / 1000))
        }
    },
    Question(
        "the countries that customers come from",
        sql: "SELECT DISTINCT Country FROM Customer ORDER BY Country"
    ) { context in
        try context.select(
            .value(\Customer.country),
            sortBy: [SortDescriptor(\.country, comparator: .lexical)],
            distinct: true
        )
        .map { cells($0) }
    },
    Question(
        "the first and the last invoice, the smallest and the largest one",
        sql: """
            SELECT datetime(min(InvoiceDate)), datetime(max(InvoiceDate)), min(Total), max(Total)
            FROM Invoice
            """
    ) { context in
        [
            cells(
                try context.min(\Invoice.date),
                try context.max(\Invoice.date),
                try context.min(\Invoice.total),
                try context.max(\Invoice.total)
            )
        ]
    },
    Question(
        "all that was sold, to the cent, and the average invoice",
        sql: "SELECT printf('%.2f', sum(Total)), printf('%.6f', avg(Total)) FROM Invoice"
    ) { context in
        [
            cells(
                money(try context.sum(\Invoice.total)),
                decimals(try context.average(\Invoice.total), 6)
            )
        ]
    },
    Question(
        "whom the customers of some employees can write to abroad",
        sql: """
            SELECT CustomerId, Email FROM Customer
            WHERE SupportRepId <> 4 AND (Country = 'Germany') = (State IS NULL)
                AND length(PostalCode) BETWEEN 4 AND 5 ORDER BY Email
            """
    ) { context in
        let customers = FetchDescriptor<Customer>(
            predicate: #Predicate {
                $0.representative != 4 && ($0.country == "Germany") == ($0.state == nil)
                    && (4...5).contains($0.postalCode?.count ?? 0)
            },
            sortBy: [SortDescriptor(\.email, comparator: .lexical)]
        )
        return try context.fetch(customers).map { cells($0.id, $0.email) }
    },
    Question(
        "what each employee has sold",
        sql: """
            SELECT e.LastName, count(*), printf('%.2f', sum(i.Total)) FROM Employee e
            JOIN Customer c ON c.SupportRepId = e.EmployeeId
            JOIN Invoice i ON i.CustomerId = c.CustomerId GROUP BY e.EmployeeId ORDER BY 3 DESC
            """,
        isOfFile: true
    ) { context in
        let sales = try context.sql(
            """
            SELECT e.LastName AS name, count(*) AS invoices, round(sum(i.Total), 2) AS amount
            FROM Employee e JOIN Customer c ON c.SupportRepId = e.EmployeeId
            JOIN Invoice i ON i.CustomerId = c.CustomerId GROUP BY e.EmployeeId ORDER BY 3 DESC
            """,
            as: RepresentativeSales.self
        )
        return sales.map { cells($0.name, $0.invoices, money($0.amount)) }
    },
    Question(
        "the longest albums of the artists with a letter",
        sql: """
            SELECT a.Title, r.Name, sum(t.Milliseconds) / 60000 FROM Album a
            JOIN Artist r USING (ArtistId) JOIN Track t USING (AlbumId)
            WHERE r.Name LIKE 'L%' GROUP BY a.AlbumId ORDER BY 3 DESC, a.AlbumId LIMIT 5
            """,
        isOfFile: true
    ) { context in
        let letter = "L%"
        let albums = try context.sql(
            """
            SELECT a.Title, r.Name AS artist, sum(t.Milliseconds) / \(60_000) AS minutes
            FROM Album a JOIN Artist r USING (ArtistId) JOIN Track t USING (AlbumId)
            WHERE r.Name LIKE \(letter) GROUP BY a.AlbumId ORDER BY minutes DESC, a.AlbumId LIMIT 5
            """,
            as: AlbumLength.self
        )
        return albums.map { cells($0.title, $0.artist, $0.minutes) }
    },
]
