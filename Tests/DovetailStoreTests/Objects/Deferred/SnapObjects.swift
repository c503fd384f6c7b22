import Dovetail
import Foundation

/// What a picture has, whether its large values come with it or not.
protocol Snap: PersistentModel {
    var name: String { get set }
    var picture: Data? { get set }
    var scan: Data { get set }
    var text: String { get set }
    var points: [Double] { get set }
    var notes: [String: String]? { get set }
    var rating: Int { get set }
    init(name: String)
    /// Those with a text, or without a picture.
    static func matching(_ text: String) -> Predicate<Self>
}

/// The large values stay in the database until they are read.
@Model final class LazySnap: Snap {
    var name: String
    @Attribute(.externalStorage) var picture: Data?
    @Attribute(.externalStorage) var scan: Data = Data()
    @Attribute(.externalStorage) var text: String = ""
    @Attribute(.externalStorage) var points: [Double] = []
    @Attribute(.externalStorage) var notes: [String: String]?
    var rating = 0
    var album: SnapAlbum?

    init(name: String) { self.name = name }

    static func matching(_ text: String) -> Predicate<LazySnap> {
        #Predicate { $0.text.contains(text) || $0.picture == nil }
    }
}

/// The same, of which all is read at once.
@Model final class WholeSnap: Snap {
    var name: String
    var picture: Data?
    var scan: Data = Data()
    var text: String = ""
    var points: [Double] = []
    var notes: [String: String]?
    var rating = 0

    init(name: String) { self.name = name }

    static func matching(_ text: String) -> Predicate<WholeSnap> {
        #Predicate { $0.text.contains(text) || $0.picture == nil }
    }
}

@Model final class SnapAlbum {
    @Attribute(.unique) var title: String
    @Relationship(deleteRule: .cascade, inverse: \LazySnap.album) var snaps: [LazySnap] = []

    init(title: String) { self.title = title }
}

/// A class that others inherit from, with a large value, as they have.
@Model class SnapFile {
    @Attribute(.unique) var name: String
    @Attribute(.externalStorage) var content: Data?

    init(name: String) { self.name = name }
}

@Model final class SnapFilm: SnapFile {
    @Attribute(.externalStorage) var subtitles: String = ""
    var minutes: Int = 0

    override init(name: String) {
        super.init(name: name)
    }
}

/// Large values that come with their objects: of types that are none, with observers, and with what the compiler
/// writes.
@Model final class SnapEager: Codable {
    @Attribute(.externalStorage) var data: Data?
    init(data: Data?) { self.data = data }
}

@Model final class SnapObserved {
    @Attribute(.externalStorage) var data: Data? { didSet { sets += 1 } }
    @Attribute(.externalStorage) var count: Int?
    @Attribute(.externalStorage) var address: URL?
    @Transient var sets = 0
    init(data: Data?) { self.data = data }
}

/// A hook that looks at a large value.
@Model final class SnapHooked: ModelLifecycle {
    @Attribute(.externalStorage) var data: Data?
    @Transient var size = 0
    init(data: Data?) { self.data = data }

    func didDecode() throws { size = data?.count ?? -1 }
}

/// Rows that are marked.
@Model(deletion: .mark) final class SnapMarked {
    var name: String
    @Attribute(.externalStorage) var content: Data?

    init(name: String) { self.name = name }
}
