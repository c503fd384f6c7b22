import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model final class ChoreList {
    @Attribute(.unique) var id: Int
    @Relationship(deleteRule: .cascade, inverse: \Chore.list) var chores: [Chore] = []

    init(_ id: Int) { self.id = id }
}

@Model final class Chore {
    @Attribute(.unique) var id: Int
    var title = ""
    var list: ChoreList?
    var parent: Chore?
    @Relationship(deleteRule: .cascade, inverse: \Chore.parent) var parts: [Chore] = []

    init(_ id: Int) { self.id = id }
}

/// An object without a name that two others own.
@Model final class SharedLeaf {
    var number = 1

    init() {}
}

@Model final class LeafPair {
    @Attribute(.unique) var id = 1
    @Relationship(deleteRule: .cascade) var left: SharedLeaf?
    @Relationship(deleteRule: .cascade) var right: SharedLeaf?

    init() {}
}

@ModelProtocol protocol Drawable: AnyObject { var id: Int { get } }

@Model final class DrawnDot: Drawable {
    @Attribute(.unique) var id: Int
    var note: String?
    var sheet: DrawnSheet?
    var group: DrawnGroup?

    init(_ id: Int) { self.id = id }
}

@Model final class DrawnGroup: Drawable {
    @Attribute(.unique) var id: Int
    var sheet: DrawnSheet?
    @Relationship(deleteRule: .cascade, inverse: \DrawnDot.group) var dots: [DrawnDot] = []

    init(_ id: Int) { self.id = id }
}

@Model final class DrawnSheet {
    @Attribute(.unique) var id: Int
    @Relationship(deleteRule: .cascade) var items: [any Drawable] = []

    init(_ id: Int) { self.id = id }
}

/// Documents of objects that several others own.
@Suite struct RepeatedPartTests {
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    private func context(_ kind: StoreKind = .memory) throws -> ModelContext {
        ModelContext(
            try kind.container(
                Chore.self,
                LeafPair.self,
                DrawnSheet.self,
                DrawnGroup.self,
                DrawnDot.self
            )
        )
    }

    /// Two lists; the second chore is a part of the first one, and the third one, of the other list, of the second.
    private func stored(_ context: ModelContext) throws -> [ChoreList] {
        let lists = [ChoreList(1), ChoreList(2)]
        let chores = (1...3).map { Chore($0) }
        for list in lists { context.insert(list) }
        for (chore, list) in zip(chores, [0, 0, 1]) { chore.list = lists[list] }
        (chores[1].parent, chores[2].parent) = (chores[0], chores[1])
        try context.save()
        return lists
    }

    private func chores(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.id)])).map {
            "\($0.id) of \($0.list?.id ?? 0) in \($0.parent?.id ?? 0)"
        }
    }

    private let all = ["1 of 1 in 0", "2 of 1 in 1", "3 of 2 in 2"]

    @Test(arguments: StoreKind.allCases)
    func `it is written once and named after that`(_ kind: StoreKind) throws {
        let list = try stored(context(kind))[0]
        let text = String(decoding: try list.encoded(as: .json), as: UTF8.self)
        #expect(
            text == """
                {"id":1,"chores":[{"id":1,"title":"","parts":[{"id":2,"title":"","parts":\
                [{"id":3,"title":"","parts":[]}]}]},2]}
                """
        )
    }

    @Test(arguments: StoreKind.allCases, formats)
    func `its documents are read`(_ kind: StoreKind, _ format: ModelFormat) throws {
        let source = try context(kind)
        let lists = try stored(source)
        let one = try context(kind)
        let list = try one.decode(ChoreList.self, from: lists[0].encoded(as: format), as: format)
        try one.save()
        #expect(list.chores.map(\.id) == [1, 2] && list.chores[0].parts.first === list.chores[1])
        let two = try context(kind)
        let data = try lists.encoded(as: format)
        try two.decode([ChoreList].self, from: data, as: format)
        try two.save()
        #expect(try chores(two) == all)
        // Each is one of the array, and inside of others as well.
        let found = try source.fetch(FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.id)]))
        let three = try context(kind)
        let read = try three.decode([Chore].self, from: found.encoded(as: format), as: format)
        try three.save()
        #expect(read.map(\.id) == [1, 2, 3] && read[0].parts.first === read[1])
        #expect(try three.fetchCount(FetchDescriptor<Chore>()) == 3)
        for context in [two, source] {
            let changes = try context.synchronize([ChoreList].self, from: data, as: format)
            #expect("\(changes)".hasPrefix("0 added, 0 updated, 0 removed"))
            try context.save()
            #expect(try chores(context) == all)
        }
    }

    private func error(_ text: String) throws -> ModelDecodingError? {
        let context = try context()
        do {
            try context.decode(ChoreList.self, from: Data(text.utf8), as: .json)
            return nil
        } catch let error as ModelDecodingError {
            #expect(!context.hasChanges)
            return error
        }
    }

    @Test func `a key may come before the object`() throws {
        let text = #"{"id":1,"chores":[2,{"id":1,"parts":[{"id":2,"title":"b"}]}]}"#
        let context = try context()
        let list = try context.decode(ChoreList.self, from: Data(text.utf8), as: .json)
        try context.save()
        #expect(list.chores.map(\.id) == [2, 1] && list.chores[0].title == "b")
        #expect(list.chores[0].parent === list.chores[1])
    }

    @Test func `what is no object is an error with its place`() throws {
        let unknown = try error(#"{"id":1,"chores":[7]}"#)
        #expect(unknown?.kind == .typeMismatch && unknown?.path == "chores[0]")
        let other = try error(#"{"id":1,"chores":["x"]}"#)
        #expect(other?.kind == .typeMismatch && other?.path == "chores[0]")
        let different = try error(#"{"id":1,"chores":[{"id":1,"title":"a"},{"id":1,"title":"b"}]}"#)
        #expect(different?.kind == .rejected && different?.path == "chores[1].id")
        let itself = try error(#"{"id":1,"chores":[{"id":1,"parts":[{"id":2,"parts":[1]}]}]}"#)
        #expect(itself?.kind == .rejected)
    }

    @Test func `one without a name is no part of two documents`() throws {
        let pair = LeafPair()
        let leaf = SharedLeaf()
        (pair.left, pair.right) = (leaf, leaf)
        let error = #expect(throws: ModelEncodingError.self) { try pair.encoded(as: .json) }
        #expect(error?.kind == .noKey)
    }

    @Test(arguments: StoreKind.allCases, formats)
    func `parts of several classes have their type key`(
        _ kind: StoreKind,
        _ format: ModelFormat
    ) throws {
        let source = try context(kind)
        let sheet = DrawnSheet(1)
        source.insert(sheet)
        let (group, dots) = (DrawnGroup(1), [DrawnDot(1), DrawnDot(2)])
        group.dots = [dots[0]]
        sheet.items = [group, dots[0], dots[1]]
        try source.save()
        let data = try sheet.encoded(as: format)
        let context = try context(kind)
        let read = try context.decode(DrawnSheet.self, from: data, as: format)
        try context.save()
        #expect(read.items.map(\.id) == [1, 1, 2])
        let again = read.items[0] as? DrawnGroup
        #expect(again?.dots.first === read.items[1] as? DrawnDot)
        #expect(try context.fetchCount(FetchDescriptor<DrawnDot>()) == 2)
    }
}
