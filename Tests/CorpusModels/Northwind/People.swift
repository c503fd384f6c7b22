package import Dovetail

@Model(naming: .pascalCase, table: "Customers")
package struct Customer: Identifiable, Equatable, Sendable {
    @Attribute(name: "CustomerID") package let id: String
    package var companyName: String?
    package var contactName: String?
    package var contactTitle: String?
    package var address: String?
    package var city: String?
    package var region: String?
    package var postalCode: String?
    package var country: String?
    package var phone: String?
    package var fax: String?
}

@Model(naming: .pascalCase, table: "CustomerDemographics")
package struct CustomerType: Identifiable, Equatable, Sendable {
    @Attribute(name: "CustomerTypeID") package let id: String
    @Attribute(name: "CustomerDesc") package var description: String?
}

@Model(naming: .pascalCase, table: "CustomerCustomerDemo")
package struct CustomerDemographic: Equatable, Sendable {
    @Attribute(.primaryKey) package let customerID: Customer.ID
    @Attribute(.primaryKey) package let customerTypeID: CustomerType.ID
}

@Model(naming: .pascalCase, table: "Employees")
package struct Employee: Identifiable, Equatable, Sendable {
    @Attribute(name: "EmployeeID") package let id: Int
    package var lastName: String?
    package var firstName: String?
    package var title: String?
    package var titleOfCourtesy: String?
    package var birthDate: Date?
    package var hireDate: Date?
    package var address: String?
    package var city: String?
    package var region: String?
    package var postalCode: String?
    package var country: String?
    package var homePhone: String?
    package var `extension`: String?
    package var photo: Data?
    package var notes: String?
    package var reportsTo: Int?
    package var photoPath: String?
}

@Model(naming: .pascalCase, table: "EmployeeTerritories")
package struct EmployeeTerritory: Equatable, Sendable {
    @Attribute(.primaryKey) package let employeeID: Employee.ID
    @Attribute(.primaryKey) package let territoryID: Territory.ID
}

@Model(naming: .pascalCase, table: "Territories")
package struct Territory: Identifiable, Equatable, Sendable {
    @Attribute(name: "TerritoryID") package let id: String
    @Attribute(name: "TerritoryDescription") package var name: String
    package var regionID: Region.ID
}

@Model(naming: .pascalCase, table: "Regions")
package struct Region: Identifiable, Equatable, Sendable {
    @Attribute(name: "RegionID") package let id: Int
    @Attribute(name: "RegionDescription") package var name: String
}
