import Dovetail
import StoreTestSupport
import Testing

/// Unique in two ways, one of which may be nil.
@Model final class UniqueUser {
    #Unique<UniqueUser>([\.country, \.number])
    @Attribute(.unique) var email: String
    var country = "x"
    var number: Int?
    var name: String
    var club: UniqueClub?
    @Relationship(deleteRule: .cascade, inverse: \UniquePost.author) var posts: [UniquePost] = []
    @Relationship(deleteRule: .nullify, inverse: \UniqueBadge.user) var badge: UniqueBadge?
    @Relationship(deleteRule: .cascade, inverse: \UniqueProfile.user) var profile: UniqueProfile?

    init(_ email: String, name: String, number: Int? = nil) {
        self.email = email
        self.name = name
        self.number = number
    }
}

@Model final class UniqueClub {
    @Attribute(.unique) var name: String
    var members: [UniqueUser] = []
    init(_ name: String) { self.name = name }
}

@Model final class UniquePost {
    var text: String
    var author: UniqueUser?
    init(_ text: String) { self.text = text }
}

@Model final class UniqueBadge {
    var text: String
    var user: UniqueUser?
    init(_ text: String) { self.text = text }
}

@Model final class UniqueProfile {
    var text: String
    var user: UniqueUser
    init(_ text: String, user: UniqueUser) {
        self.text = text
        self.user = user
    }
}

/// New objects whose unique values are there already.
struct UniqueObjectTests {
    private func container(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(UniqueUser.self)
    }

    private func user(_ email: String, in context: ModelContext) throws -> UniqueUser {
        try #require(
            try context.fetch(
                FetchDescriptor(predicate: #Predicate<UniqueUser> { $0.email == email })
            ).first
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a new object becomes the row that has its unique value`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let writer = ModelContext(container)
        let stored = UniqueUser("a", name: "old", number: 1)
        stored.club = UniqueClub("red")
        stored.posts = [UniquePost("1"), UniquePost("2")]
        writer.insert(stored)
        try writer.save()
        let key = stored.persistentModelID

        let context = ModelContext(container)
        let known = try user("a", in: context)
        let club = try #require(known.club)
        let new = UniqueUser("a", name: "new")
        new.posts.append(UniquePost("3"))
        context.insert(new)
        let oldID = new.persistentModelID
        #expect(oldID != key)
        try context.save()
        #expect(new.persistentModelID == key && !new.isDeleted && !context.hasChanges)
        #expect(new.name == "new" && new.number == nil && new.club === club)
        #expect(new.posts.map(\.text) == ["1", "2", "3"])
        #expect(new.posts.allSatisfy { $0.author === new } && club.members == [new])
        #expect(known.isDeleted && known.name == "old" && known.modelContext == nil)
        #expect(context.model(for: oldID) === new && context.model(for: key) === new)
        let same: UniqueUser? = context.registeredModel(for: oldID)
        #expect(same === new)
        #expect(try context.fetch(FetchDescriptor<UniqueUser>()) == [new])

        writer.processPendingChanges()
        #expect(stored.name == "new" && stored.posts.map(\.text) == ["1", "2", "3"])
        new.name = "newer"
        try context.save()
        let reader = ModelContext(container)
        #expect(try user("a", in: reader).name == "newer")
        #expect(try reader.fetchCount(FetchDescriptor<UniquePost>()) == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `relationships that the new object has win`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let writer = ModelContext(container)
        let stored = UniqueUser("a", name: "old")
        stored.club = UniqueClub("red")
        stored.badge = UniqueBadge("old")
        stored.profile = UniqueProfile("old", user: stored)
        writer.insert(stored)
        try writer.save()
        let context = ModelContext(container)
        let badge = try #require(try context.fetch(FetchDescriptor<UniqueBadge>()).first)
        let new = UniqueUser("a", name: "new")
        new.club = UniqueClub("blue")
        new.badge = UniqueBadge("new")
        new.profile = UniqueProfile("new", user: new)
        context.insert(new)
        try context.save()
        #expect(new.club?.name == "blue" && new.badge?.text == "new")
        #expect(new.profile?.text == "new" && badge.user == nil)
        let reader = ModelContext(container)
        let found = try user("a", in: reader)
        #expect(found.club?.name == "blue" && found.badge?.text == "new")
        #expect(found.profile?.text == "new")
        #expect(try reader.fetchCount(FetchDescriptor<UniqueProfile>()) == 1)
        #expect(try reader.fetchCount(FetchDescriptor<UniqueBadge>()) == 2)
        #expect(
            try reader.fetch(FetchDescriptor<UniqueClub>()).map(\.members.count).sorted() == [0, 1]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `what a new object leads to is resolved, too`(_ kind: StoreKind) throws {
        let container = try container(kind)
        for number in 1...3 {
            let context = ModelContext(container)
            for letter in ["a", "b", "c"] {
                let user = UniqueUser(letter, name: "\(number)")
                user.club = UniqueClub("one for all")
                user.posts.append(UniquePost("\(number)"))
                context.insert(user)
            }
            try context.save()
            #expect(!context.hasChanges)
        }
        let context = ModelContext(container)
        let clubs = try context.fetch(FetchDescriptor<UniqueClub>())
        #expect(clubs.count == 1 && Set(clubs[0].members.map(\.email)) == ["a", "b", "c"])
        let users = try context.fetch(FetchDescriptor<UniqueUser>())
        #expect(users.map(\.name) == ["3", "3", "3"])
        #expect(users.allSatisfy { $0.posts.map(\.text) == ["1", "2", "3"] })
    }

    @Test(arguments: StoreKind.allCases)
    func `of two new objects the later one wins`(_ kind: StoreKind) throws {
        let context = ModelContext(try container(kind))
        let club = UniqueClub("red")
        let first = UniqueUser("a", name: "first")
        first.club = club
        first.posts = [UniquePost("1")]
        let second = UniqueUser("a", name: "second")
        second.posts = [UniquePost("2")]
        context.insert(first)
        context.insert(second)
        let firstID = first.persistentModelID
        try context.save()
        #expect(first.isDeleted && first.name == "first" && !second.isDeleted)
        #expect(second.club === club && club.members == [second])
        #expect(Set(second.posts.map(\.text)) == ["1", "2"])
        #expect(context.model(for: firstID) === second)
        #expect(try context.fetch(FetchDescriptor<UniqueUser>()) == [second])
    }

    @Test(arguments: StoreKind.allCases)
    func `two rows never become one`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        let ann = UniqueUser("ann", name: "Ann", number: 1)
        let bob = UniqueUser("bob", name: "Bob", number: 2)
        context.insert(ann)
        context.insert(bob)
        try context.save()
        func expectRefusal(in context: ModelContext) throws {
            let error = try #require(throws: StoreError.self) { try context.save() }
            #expect(error.kind == .uniqueViolation && error.keys.count == 2)
            #expect(!"\(error)".contains("ann") && context.hasChanges)
            #expect(Set(error.keys).count == 2)
        }
        let both = UniqueUser("ann", name: "new", number: 2)
        context.insert(both)
        try expectRefusal(in: context)
        #expect(!ann.isDeleted && !bob.isDeleted && both.name == "new")
        context.rollback()
        #expect(both.modelContext == nil)
        bob.email = "ann"
        try expectRefusal(in: context)
        context.rollback()
        // Where the values are free again, nothing meets.
        ann.email = "bob"
        bob.email = "ann"
        try context.save()
        context.delete(ann)
        let again = UniqueUser("bob", name: "again", number: 1)
        context.insert(again)
        try context.save()
        #expect(ann.isDeleted && !again.isDeleted && again.email == "bob")
        #expect(try context.fetchCount(FetchDescriptor<UniqueUser>()) == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `a new object meets one that is changed to its value`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        let ann = UniqueUser("ann", name: "Ann")
        let club = UniqueClub("red")
        context.insert(ann)
        try context.save()
        let id = ann.persistentModelID
        ann.email = "bob"
        ann.club = club
        let bob = UniqueUser("bob", name: "Bob")
        context.insert(bob)
        try context.save()
        #expect(bob.persistentModelID == id && ann.isDeleted && ann.name == "Ann")
        #expect(bob.club === club && club.members == [bob])
        let stored = try ModelContext(container).fetch(FetchDescriptor<UniqueUser>())
        #expect(stored.map(\.email) == ["bob"] && stored.map(\.name) == ["Bob"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a save that fails leaves all objects as they were`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        let stored = UniqueUser("a", name: "old")
        let other = UniqueUser("b", name: "b", number: 1)
        context.insert(stored)
        context.insert(other)
        try context.save()
        let new = UniqueUser("a", name: "new")
        context.insert(new)
        let third = UniqueUser("b", name: "b", number: 2)
        context.insert(third)
        let fourth = UniqueUser("c", name: "c", number: 1)
        context.insert(fourth)
        third.number = nil
        other.number = 3
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try context.transaction {
                try context.save()
                #expect(stored.isDeleted && new.name == "new")
                throw Stop()
            }
        }
        #expect(!stored.isDeleted && stored.name == "old" && new.modelContext === context)
        #expect(try context.fetch(FetchDescriptor<UniqueUser>()).count == 5)
        #expect(other.number == 3 && third.number == nil && fourth.number == 1)
        context.rollback()
        #expect(new.modelContext == nil && other.number == 1)
        #expect(try context.fetch(FetchDescriptor<UniqueUser>()).count == 2)
        #expect(context.model(for: stored.persistentModelID) === stored)
        context.insert(new)
        #expect(new.persistentModelID != stored.persistentModelID)
        stored.email = "b"
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        #expect(!stored.isDeleted && !new.isDeleted && new.hasChanges && stored.hasChanges)
        stored.email = "a"
        try context.save()
        #expect(stored.isDeleted && new.name == "new")
    }

    @Test(arguments: StoreKind.allCases)
    func `queries see what a save would make of them`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        let stored = UniqueUser("a", name: "old")
        stored.posts = [UniquePost("1")]
        context.insert(stored)
        try context.save()
        let new = UniqueUser("a", name: "new")
        context.insert(new)
        let id = new.persistentModelID
        let writers = #Predicate<UniqueUser> { !$0.posts.isEmpty }
        #expect(try context.fetch(FetchDescriptor(predicate: writers)) == [new])
        #expect(new.persistentModelID == id && new.hasChanges && !stored.isDeleted)
        context.rollback()
        #expect(try context.fetch(FetchDescriptor(predicate: writers)) == [stored])
        #expect(stored.name == "old")
    }
}

@Model final class Melody {
    @Attribute(.unique) var title: String
    var marks: [MelodyMark] = []

    init(title: String) { self.title = title }
}

@Model final class MelodyMark {
    @Attribute(.unique) var name: String
    var tunes: [Melody] = []

    init(name: String) { self.name = name }
}

/// Unique values of objects whose both sides hold several.
struct UniqueListTests {
    @Test(arguments: StoreKind.allCases)
    func `lists of a new object and of the row that it becomes are united`(_ kind: StoreKind) throws
    {
        let container = try kind.container(Melody.self)
        let first = ModelContext(container), second = ModelContext(container)
        let old = Melody(title: "a")
        old.marks = [MelodyMark(name: "x"), MelodyMark(name: "z")]
        first.insert(old)
        try first.save()
        let known = try second.fetch(FetchDescriptor<MelodyMark>())
        #expect(known.count == 2)
        let new = Melody(title: "a")
        new.marks = [MelodyMark(name: "y"), MelodyMark(name: "x")]
        second.insert(new)
        try second.save()
        #expect(Set(new.marks.map(\.name)) == ["x", "y", "z"])
        for context in [second, ModelContext(container)] {
            let tunes = try context.fetch(FetchDescriptor<Melody>())
            #expect(tunes.count == 1)
            #expect(Set(tunes.first?.marks.map(\.name) ?? []) == ["x", "y", "z"])
            let marks = try context.fetch(FetchDescriptor<MelodyMark>())
            #expect(marks.count == 3)
            #expect(marks.allSatisfy { $0.tunes.map(\.title) == ["a"] })
        }
        let again = try first.fetch(FetchDescriptor<Melody>())
        #expect(again.count == 1 && again.first === old)
        #expect(Set(old.marks.map(\.name)) == ["x", "y", "z"])
    }
}
