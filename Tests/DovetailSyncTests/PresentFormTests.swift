import Dovetail
import Foundation
import StoreTestSupport
import Testing

private enum Before {
    @Model(typeName: "Abode") struct Abode: Equatable, Sendable { var street: String }
    @Model(typeName: "Tenant") struct Tenant: Identifiable, Equatable, Sendable {
        let id: Int
        var name: String
        var home: Abode
    }
}

private enum After {
    @Model(typeName: "Abode") struct Abode: Equatable, Sendable {
        var street: String
        var country = "DE"
    }
    @Model(typeName: "Tenant") struct Tenant: Identifiable, Equatable, Sendable {
        let id: Int
        var name: String
        var home: Abode
    }
}

/// What was written before an embedded model got an attribute is no change of either side.
@Suite struct PresentFormTests {
    private func container(_ url: URL, _ model: any Model.Type) throws -> ModelContainer {
        var configuration = ModelConfiguration(url: url)
        configuration.history = StoreHistory()
        return try ModelContainer(for: [model, MergeConflict.self], configuration: configuration)
    }

    @Test(arguments: [ListConflictPolicy.listWins, .storeWins, .keep, .error])
    func `a list that has not changed takes no change from here`(_ rule: ListConflictPolicy) throws
    {
        let folder = try TemporaryFolder()
        let old = ModelContext(try container(folder.file(), Before.Tenant.self))
        try old.synchronize([
            Before.Tenant(id: 1, name: "a", home: .init(street: "s")),
            Before.Tenant(id: 2, name: "b", home: .init(street: "t")),
        ])
        try old.save()
        let context = ModelContext(try container(folder.file(), After.Tenant.self))
        context.update(After.Tenant(id: 1, name: "a", home: .init(street: "changed here")))
        context.update(After.Tenant(id: 2, name: "changed here", home: .init(street: "t")))
        try context.save()
        let list = [
            After.Tenant(id: 1, name: "a", home: .init(street: "s")),
            After.Tenant(id: 2, name: "b", home: .init(street: "t")),
        ]
        try context.synchronize(list, localChanges: .merge(conflicts: rule))
        try context.save()
        let tenants = try context.fetch(
            FetchDescriptor<After.Tenant>(sortBy: [SortDescriptor(\.id)])
        )
        #expect(tenants.map(\.home.street) == ["changed here", "t"])
        #expect(tenants.map(\.name) == ["a", "changed here"])
        #expect(try context.conflicts().isEmpty)
        // What the backend does change still wins.
        var changed = list
        changed[0].home.street = "theirs"
        try context.synchronize(changed, localChanges: .merge(conflicts: .listWins))
        try context.save()
        #expect(try context.fetch(After.Tenant.self, id: 1)?.home.street == "theirs")
    }
}
