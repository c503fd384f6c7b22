package import Dovetail

@Model(naming: .pascalCase)
package struct Employee: Identifiable, Equatable, Sendable {
    @Attribute(name: "EmployeeId") package let id: Int
    package var lastName: String
    package var firstName: String
    package var title: String?
    package var reportsTo: Int?
    package var birthDate: Date?
    package var hireDate: Date?
    package var address: String?
    package var city: String?
    package var state: String?
    package var country: String?
    package var postalCode: String?
    package var phone: String?
    package var fax: String?
    package var email: String?
}

@Model(naming: .pascalCase)
package struct Customer: Identifiable, Equatable, Sendable {
    @Attribute(name: "CustomerId") package let id: Int
    package var firstName: String
    package var lastName: String
    package var company: String?
    package var address: String?
    package var city: String?
    package var state: String?
    package var country: String?
    package var postalCode: String?
    package var phone: String?
    package var fax: String?
    package var email: String
    @Attribute(name: "SupportRepId") package var representative: Employee.ID?
}

@Model(naming: .pascalCase)
package struct Invoice: Identifiable, Equatable, Sendable {
    @Attribute(name: "InvoiceId") package let id: Int
    package var customerID: Customer.ID
    @Attribute(name: "InvoiceDate") package var date: Date
    package var billingAddress: String?
    package var billingCity: String?
    package var billingState: String?
    package var billingCountry: String?
    package var billingPostalCode: String?
    package var total: Decimal
}

@Model(naming: .pascalCase)
package struct InvoiceLine: Identifiable, Equatable, Sendable {
    @Attribute(name: "InvoiceLineId") package let id: Int
    package var invoiceID: Invoice.ID
    package var trackID: Track.ID
    package var unitPrice: Decimal
    package var quantity: Int
}

/// All tables of Chinook.
package let chinookTables: [any Model.Type] = [
    Artist.self, Album.self, Genre.self, MediaType.self, Track.self, Playlist.self,
    PlaylistTrack.self, Employee.self, Customer.self, Invoice.self, InvoiceLine.self,
]
