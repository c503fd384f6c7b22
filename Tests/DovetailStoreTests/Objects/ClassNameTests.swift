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

/// Classes that are called like types of Swift and Foundation.
private enum GameNamespace {
    @Model final class Character {
        @Attribute(.unique) var name: String
        var novel: Novel?
        init(_ name: String) { self.name = name }
    }

    @Model final class Duration {
        var hours = 1
        init() {}
    }

    @Model final class Novel {
        var hero: Character?
        @Relationship(inverse: \Character.novel) var cast: [Character] = []
        var length: Duration?
        init() {}
    }

    @Model final class Date {
        var day = 1
        init() {}
    }

    @Model final class Meeting {
        var date: Date?
        init() {}
    }

    @Model final class Diary {
        @Relationship var days: [Date] = []
        init() {}
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

    @Test(arguments: StoreKind.allCases)
    func `a class that is called like a type of Swift is one of a relationship`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.container(GameNamespace.Novel.self)
        let context = ModelContext(container)
        let novel = GameNamespace.Novel()
        novel.hero = GameNamespace.Character("Emma")
        novel.cast = [GameNamespace.Character("Jane")]
        novel.length = GameNamespace.Duration()
        context.insert(novel)
        try context.save()
        novel.hero?.name = "Anne"
        novel.length?.hours = 9
        try context.save()
        let other = ModelContext(container)
        let same = try #require(try other.fetch(FetchDescriptor<GameNamespace.Novel>()).first)
        #expect(same.hero?.name == "Anne" && same.length?.hours == 9)
        #expect(same.cast.map(\.name) == ["Jane"] && same.cast.first?.novel === same)
        let diaries = ModelContext(try kind.container(GameNamespace.Diary.self))
        let diary = GameNamespace.Diary()
        diary.days = [GameNamespace.Date()]
        diaries.insert(diary)
        try diaries.save()
        #expect(try diaries.fetchCount(FetchDescriptor<GameNamespace.Date>()) == 1)
    }

    /// The compiler is not asked what everybody takes for a value.
    @Test(arguments: StoreKind.allCases)
    func `an object is no attribute`(_ kind: StoreKind) throws {
        let error = #expect(throws: StoreError.self) {
            try kind.container(GameNamespace.Meeting.self)
        }
        #expect(error?.kind == .invalidSchema && error?.column == "date")
        #expect(error?.explanation.contains("@Relationship") == true)
    }
}
