import Dovetail
import StoreTestSupport

/// What tests of documents of objects are about: cases that own pages and a cover, and refer to others.
@Model final class FiledCase {
    @Attribute(.primaryKey) var number: Int
    var title: String
    var note: String?
    var tags: [String] = []
    @Relationship(deleteRule: .cascade, inverse: \FiledPage.file) var pages: [FiledPage] = []
    @Relationship(deleteRule: .cascade) var cover: CaseCover?
    var clerk: CaseClerk?
    @Relationship(inverse: \CaseTopic.cases) var topics: [CaseTopic] = []
    var previous: FiledCase?

    init(_ number: Int, title: String = "") {
        self.number = number
        self.title = title
    }
}

/// Cannot be without its case, whose document has it.
@Model final class FiledPage {
    @Attribute(.unique) var code: String
    var text = ""
    var file: FiledCase
    @Relationship(deleteRule: .cascade, inverse: \PageMark.page) var marks: [PageMark] = []
    @Relationship var author: CaseClerk?

    init(_ code: String, of file: FiledCase) {
        self.code = code
        self.file = file
    }
}

/// Has nothing that names it.
@Model final class PageMark {
    var place: Double
    var page: FiledPage?

    init(_ place: Double) { self.place = place }
}

@Model final class CaseCover {
    var color: String

    init(_ color: String) { self.color = color }
}

@Model final class CaseClerk {
    var name: String
    @Attribute(.unique) var email: String?
    @Relationship(inverse: \FiledCase.clerk) var cases: [FiledCase] = []

    init(_ email: String?, name: String = "") {
        self.email = email
        self.name = name
    }
}

@Model final class CaseTopic {
    @Attribute(.unique, .transformed(by: TopicCode.self)) var code: Int
    var cases: [FiledCase] = []

    init(_ code: Int) { self.code = code }
}

/// A number that documents have as text.
enum TopicCode: ModelTransform {
    static func decode(_ stored: String) throws -> Int { Int(stored.dropFirst()) ?? 0 }
    static func encode(_ value: Int) throws -> String { "#\(value)" }
}

/// Leads to an object that nothing names.
@Model final class MarkHolder {
    var marks: [HeldMark] = []
    var first: HeldMark?

    init() {}
}

@Model final class HeldMark {
    var text: String

    init(_ text: String) { self.text = text }
}

/// Owns objects of its own class.
@Model final class CaseFolder {
    @Attribute(.primaryKey) var name: String
    @Relationship(deleteRule: .cascade, inverse: \CaseFolder.parent) var children: [CaseFolder] = []
    var parent: CaseFolder?

    init(_ name: String) { self.name = name }
}

/// Each owns the other.
@Model final class MirrorLeft {
    @Relationship(deleteRule: .cascade, inverse: \MirrorRight.left) var right: MirrorRight?

    init() {}
}

@Model final class MirrorRight {
    @Relationship(deleteRule: .cascade) var left: MirrorLeft?

    init() {}
}

extension StoreKind {
    func cases() throws -> ModelContainer { try container(FiledCase.self) }
}

enum FolderKind: String, Codable { case a, b }

/// Its lists had another name once, and a plain `Codable` value names it.
@Model(version: 2) final class VersionedFolder {
    @Attribute(.unique) var kind: FolderKind
    var title = ""
    @Relationship(deleteRule: .cascade, inverse: \VersionedFolder.parent)
    var children: [VersionedFolder] = []
    var parent: VersionedFolder?

    init(_ kind: FolderKind) { self.kind = kind }

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        if version == 1 { document.rename("kids", to: "children") }
    }
}
