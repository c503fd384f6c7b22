import Dovetail
import StoreTestSupport
import Testing

private enum FirstNamespace {
    @Model final class Twin {
        @Attribute(.primaryKey) var id: Int
        init(id: Int) { self.id = id }
    }
}

private enum SecondNamespace {
    @Model(table: "other_twins") final class Twin {
        @Attribute(.primaryKey) var id: Int
        init(id: Int) { self.id = id }
    }
}

private enum ThirdNamespace {
    @Model(typeName: "ThirdTwin", table: "third_twins") final class Twin {
        @Attribute(.primaryKey) var id: Int
        init(id: Int) { self.id = id }
    }
}

/// Classes of one name in several namespaces.
@Suite struct ClassNameTests {
    /// An identifier says the class by its name: it would lead to an object of the other one.
    @Test(arguments: StoreKind.allCases)
    func `two classes have two names`(_ kind: StoreKind) throws {
        let error = #expect(throws: StoreError.self) {
            try kind.container(FirstNamespace.Twin.self, SecondNamespace.Twin.self)
        }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.explanation.contains("@Model(typeName:)") == true)
        let context = ModelContext(
            try kind.container(FirstNamespace.Twin.self, ThirdNamespace.Twin.self)
        )
        let (first, third) = (FirstNamespace.Twin(id: 1), ThirdNamespace.Twin(id: 1))
        context.insert(first)
        context.insert(third)
        try context.save()
        #expect(first.persistentModelID != third.persistentModelID)
        #expect(context.model(for: first.persistentModelID) as? FirstNamespace.Twin === first)
        #expect(context.model(for: third.persistentModelID) as? ThirdNamespace.Twin === third)
    }
}
