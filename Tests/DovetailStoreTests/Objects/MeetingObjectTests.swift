import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model class MetArtist {
    @Attribute(.unique) var name: String
    var profile: MetProfile?
    @Relationship(deleteRule: .cascade, inverse: \MetAlbum.artist) var albums: [MetAlbum] = []

    init(_ name: String) { self.name = name }
}

@Model final class MetBand: MetArtist {
    var size = 4

    override init(_ name: String) { super.init(name) }
}

@Model final class MetProfile {
    @Attribute(.unique) var handle: String
    @Relationship(inverse: \MetArtist.profile) var artist: MetArtist?

    init(_ handle: String) { self.handle = handle }
}

@Model final class MetAlbum {
    @Attribute(.unique) var title: String
    var artist: MetArtist?
    @Relationship(deleteRule: .cascade, inverse: \MetSong.album) var songs: [MetSong] = []
    var tags: [MetTag] = []

    init(_ title: String) { self.title = title }
}

@Model final class MetSong {
    @Attribute(.unique) var code: String
    var album: MetAlbum

    init(_ code: String, in album: MetAlbum) {
        self.code = code
        self.album = album
    }
}

@Model final class MetTag {
    @Attribute(.unique) var name: String
    var albums: [MetAlbum] = []

    init(_ name: String) { self.name = name }
}

@Model final class MetGenre {
    @Attribute(.primaryKey) var name: String
    var parent: MetGenre?
    @Relationship(inverse: \MetGenre.parent) var genres: [MetGenre] = []
    var shelves: [MetShelf] = []

    init(_ name: String, parent: MetGenre? = nil) {
        self.name = name
        self.parent = parent
    }
}

@Model final class MetShelf {
    var number = 1
    @Relationship(inverse: \MetGenre.shelves) var genres: [MetGenre] = []

    init() {}
}

/// New objects that meet a row, or each other, by a unique value or a key, and what others have in common with them.
@Suite struct MeetingObjectTests {
    private func container(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(MetArtist.self, MetBand.self, MetGenre.self)
    }

    private func artists(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<MetArtist>(sortBy: [SortDescriptor(\.name)]))
            .map { "\($0.name): \($0.profile?.handle ?? "-") \($0.albums.map(\.title))" }
    }

    private func albums(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<MetAlbum>(sortBy: [SortDescriptor(\.title)])).map {
            "\($0.title) \($0.artist?.name ?? "-") \($0.songs.map(\.code).sorted()) "
                + "\($0.tags.map(\.name).sorted())"
        }
    }

    /// What the context has is what is stored.
    private func compare(_ context: ModelContext) throws {
        let fresh = ModelContext(context.container)
        let (mine, stored) = (try artists(context), try artists(fresh))
        #expect(mine == stored)
        let (own, other) = (try albums(context), try albums(fresh))
        #expect(own == other)
        for profile in try fresh.fetch(FetchDescriptor<MetProfile>()) {
            #expect(stored.count { $0.contains(": \(profile.handle) ") } < 2)
        }
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `a row that is met gives up what another object gets`(
        _ kind: StoreKind,
        _ isBand: Bool
    ) throws {
        func artist(_ name: String) -> MetArtist { isBand ? MetBand(name) : MetArtist(name) }
        let container = try container(kind)
        let first = ModelContext(container)
        let stored = artist("a")
        stored.profile = MetProfile("p")
        first.insert(stored)
        try first.save()
        let context = ModelContext(container)
        context.insert(artist("a"))
        let other = MetArtist("b")
        other.profile = MetProfile("p")
        context.insert(other)
        try context.save()
        #expect(try artists(context) == ["a: - []", "b: p []"])
        try compare(context)
    }

    @Test(arguments: StoreKind.allCases)
    func `of several that get one object the last one has it`(_ kind: StoreKind) throws {
        let context = ModelContext(try container(kind))
        let first = MetArtist("a")
        first.profile = MetProfile("p")
        let band = MetBand("b")
        band.profile = MetProfile("p")
        for artist in [first, MetArtist("a"), band] { context.insert(artist) }
        try context.save()
        try compare(context)
        #expect(try context.fetchCount(FetchDescriptor<MetProfile>()) == 1)
        #expect(try artists(context).count { $0.contains(": p") } == 1)
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `a fetch before the save changes nothing`(_ kind: StoreKind, _ isStored: Bool) throws {
        let container = try container(kind)
        if isStored {
            let first = ModelContext(container)
            let artist = MetArtist("z")
            artist.albums = [MetAlbum("x")]
            first.insert(artist)
            try first.save()
        }
        let context = ModelContext(container)
        let artist = MetArtist("a")
        let (album, same) = (MetAlbum("x"), MetAlbum("x"))
        artist.albums = [album]
        context.insert(artist)
        same.artist = artist
        _ = MetSong("1", in: album)
        _ = MetSong("2", in: same)
        _ = try context.fetch(FetchDescriptor<MetAlbum>())
        _ = try context.fetchCount(FetchDescriptor<MetSong>())
        try context.save()
        #expect(artist.albums.map(\.title) == ["x"])
        try compare(context)
        artist.albums.first?.title = "y"
        try context.save()
        try compare(context)
        #expect(try albums(context) == ["y a [\"1\", \"2\"] []"])
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `lists of both sides have what was made one`(
        _ kind: StoreKind,
        _ isStored: Bool
    ) throws {
        let container = try container(kind)
        if isStored {
            let first = ModelContext(container)
            first.insert(MetTag("t"))
            first.insert(MetArtist("a"))
            try first.save()
        }
        let context = ModelContext(container)
        let (one, two) = (MetAlbum("1"), MetAlbum("2"))
        context.insert(one)
        context.insert(two)
        one.tags.append(MetTag("t"))
        two.tags.append(MetTag("t"))
        one.artist = MetArtist("a")
        two.artist = MetArtist("a")
        try context.save()
        #expect(try albums(context) == ["1 a [] [\"t\"]", "2 a [] [\"t\"]"])
        try compare(context)
        one.tags = []
        try context.save()
        #expect(try albums(context) == ["1 a [] []", "2 a [] [\"t\"]"])
        try compare(context)
    }

    @Test(arguments: StoreKind.allCases)
    func `a draft with the key of a row leaves that alone`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let first = ModelContext(container)
        first.insert(MetGenre("g", parent: MetGenre("p")))
        try first.save()
        for isKnown in [false, true] {
            let context = ModelContext(container)
            let known = isKnown ? try context.fetch(FetchDescriptor<MetGenre>()) : []
            let draft = MetGenre("g")
            context.insert(draft)
            _ = try context.fetch(FetchDescriptor<MetGenre>())
            context.delete(draft)
            #expect(try context.fetchCount(FetchDescriptor<MetGenre>()) == 2)
            #expect(!context.hasChanges && (known.isEmpty || known.count == 2))
            try context.save()
            let found = try context.fetch(
                FetchDescriptor<MetGenre>(predicate: #Predicate { $0.name == "g" })
            )
            #expect(found.map { $0.parent?.name } == ["p"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what waits with the key of a row is not what the row is`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        let genre = MetGenre("g", parent: MetGenre("p"))
        context.insert(genre)
        context.insert(MetShelf())
        try context.save()
        context.insert(MetGenre("g", parent: MetGenre("q")))
        let other = ModelContext(container)
        let shelf = try #require(try other.fetch(FetchDescriptor<MetShelf>()).first)
        shelf.genres = try other.fetch(
            FetchDescriptor<MetGenre>(predicate: #Predicate { $0.name == "g" })
        )
        try other.save()
        _ = try context.fetch(FetchDescriptor<MetGenre>())
        context.rollback()
        #expect(genre.parent?.name == "p" && genre.shelves.count == 1)
        genre.parent = nil
        try context.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<MetGenre>()).count == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `those that others stand for are let go`(_ kind: StoreKind) throws {
        struct Watched { weak var object: AnyObject? }
        let context = ModelContext(try container(kind))
        var watched: [Watched] = []
        for _ in 0..<10 {
            let (album, tag) = (MetAlbum("a"), MetTag("t"))
            album.tags = [tag]
            album.songs = [MetSong("s", in: album)]
            context.insert(album)
            try context.save()
            watched += [Watched(object: album), Watched(object: tag)]
        }
        #expect(watched.count { $0.object != nil } == 2)
        #expect(try albums(context) == ["a - [\"s\"] [\"t\"]"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction that throws takes back what one has got from another`(
        _ kind: StoreKind
    ) throws {
        struct Undone: Error {}
        let context = ModelContext(try container(kind))
        let (first, second) = (MetAlbum("a"), MetAlbum("a"))
        context.insert(first)
        first.tags = [MetTag("t")]
        context.insert(second)
        #expect(throws: Undone.self) {
            try context.transaction {
                try context.save()
                context.delete(second)
                throw Undone()
            }
        }
        #expect(first.tags.map(\.name) == ["t"] && second.tags.isEmpty)
        #expect(first.tags.first?.albums.map { $0 === first } == [true])
        context.delete(first)
        try context.save()
        #expect(second.tags.isEmpty)
        try compare(context)
    }
}
