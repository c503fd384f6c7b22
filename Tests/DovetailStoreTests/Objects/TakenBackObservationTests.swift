import Dovetail
import Observation
import StoreTestSupport
import Testing

@Model final class ViewedAlbum {
    var number = 0
    @Relationship(deleteRule: .cascade, inverse: \ViewedPhoto.album) var photos: [ViewedPhoto] = []
    var cover: ViewedCover?
    var tags: [ViewedTag] = []

    init() {}
}

@Model final class ViewedPhoto {
    var number: Int
    var album: ViewedAlbum?

    init(_ number: Int) { self.number = number }
}

@Model final class ViewedCover {
    var number = 1
    var album: ViewedAlbum?

    init() {}
}

@Model final class ViewedTag {
    var number = 1
    var albums: [ViewedAlbum] = []

    init() {}
}

/// Who shows what is taken back learns of it.
@Suite struct TakenBackObservationTests {
    private struct Undone: Error {}

    private final class Flag: @unchecked Sendable { var isSet = false }

    private struct Change {
        let name: String
        let make: (ViewedAlbum, ModelContext) -> Void
        let read: (ViewedAlbum) -> Int
    }

    private static var changes: [Change] {
        [
            Change(name: "emptied") { album, _ in
                album.photos = []
            } read: {
                $0.photos.count
            },
            Change(name: "appended") { album, _ in
                album.photos.append(ViewedPhoto(4))
            } read: {
                $0.photos.count
            },
            Change(name: "removed") { album, _ in
                album.photos.removeLast()
            } read: {
                $0.photos.count
            },
            Change(name: "from the other side") { album, _ in
                ViewedPhoto(5).album = album
            } read: {
                $0.photos.count
            },
            Change(name: "deleted") { album, context in
                context.delete(album.photos[0])
            } read: {
                $0.photos.count
            },
            Change(name: "reversed") { album, _ in
                album.photos.reverse()
            } read: {
                $0.photos[0].number
            },
            Change(name: "nil") { album, _ in
                album.cover = nil
            } read: {
                $0.cover?.number ?? 0
            },
            Change(name: "replaced") { album, _ in
                album.cover = ViewedCover()
                album.cover?.number = 5
            } read: {
                $0.cover?.number ?? 0
            },
            Change(name: "both sides") { album, _ in
                album.tags = []
            } read: {
                $0.tags.count
            },
            Change(name: "a deleted one of both sides") { album, context in
                context.delete(album.tags[0])
            } read: {
                $0.tags.count
            },
            Change(name: "attribute") { album, _ in
                album.number = 5
            } read: {
                $0.number
            },
        ]
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `lists and references that were taken back`(
        _ kind: StoreKind,
        byTransaction: Bool
    ) throws {
        for change in Self.changes {
            let container = try kind.container(ViewedAlbum.self)
            let first = ModelContext(container)
            let stored = ViewedAlbum()
            stored.photos = (1...3).map { ViewedPhoto($0) }
            stored.cover = ViewedCover()
            stored.tags = [ViewedTag(), ViewedTag()]
            first.insert(stored)
            try first.save()
            let context = ModelContext(container)
            let album = try #require(context.fetch(FetchDescriptor<ViewedAlbum>()).first)
            let before = change.read(album)
            let flag = Flag()
            var seen = before
            func perform(_ body: Change) {
                body.make(album, context)
                withObservationTracking {
                    seen = body.read(album)
                } onChange: {
                    flag.isSet = true
                }
            }
            if byTransaction {
                #expect(throws: Undone.self) {
                    try context.transaction {
                        perform(change)
                        throw Undone()
                    }
                }
            } else {
                perform(change)
                context.rollback()
            }
            #expect(seen != before, "\(change.name)")
            #expect(change.read(album) == before, "\(change.name)")
            #expect(flag.isSet, "\(change.name)")
        }
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `what they change when they are told waits as any change does`(
        _ kind: StoreKind,
        byTransaction: Bool
    ) throws {
        for change in 0..<3 {
            let container = try kind.container(ViewedAlbum.self)
            let context = ModelContext(container)
            let (album, other) = (ViewedAlbum(), ViewedAlbum())
            (other.photos, other.tags) = ([ViewedPhoto(7)], [ViewedTag()])
            context.insert(album)
            context.insert(other)
            try context.save()
            // Invariant: the closure is called by the rollback, on this thread.
            nonisolated(unsafe) let (changed, changing) = (other, context)
            func append() {
                album.photos.append(ViewedPhoto(1))
                withObservationTracking {
                    _ = album.photos.count
                } onChange: {
                    switch change {
                    case 0: changed.number = 5
                    case 1: changed.tags = []
                    default: changing.delete(changed.photos[0])
                    }
                }
            }
            if byTransaction {
                #expect(throws: Undone.self) {
                    try context.transaction {
                        append()
                        throw Undone()
                    }
                }
            } else {
                append()
                context.rollback()
            }
            let now = [other.number, other.tags.count, other.photos.count]
            #expect(now == [[5, 1, 1], [0, 0, 1], [0, 1, 0]][change])
            #expect(context.hasChanges && album.photos.isEmpty)
            try context.save()
            let stored = try ModelContext(container).fetch(FetchDescriptor<ViewedAlbum>())
                .first { $0.persistentModelID == other.persistentModelID }
            #expect(stored.map { [$0.number, $0.tags.count, $0.photos.count] } == now)
        }
    }
}
