import Dovetail
import DovetailTesting
import Foundation
import Observation
import StoreTestSupport
import Synchronization
import Testing

/// What `context.decode(_:from:as:)` finds, changes and inserts.
struct DecodeIntoContextTests {
    private func decode<Object: PersistentModel>(
        _ type: Object.Type,
        _ json: String,
        in context: ModelContext
    ) throws -> Object {
        try context.decode(type, from: Data(json.utf8), as: .json)
    }

    private func cases(in context: ModelContext) throws -> [FiledCase] {
        try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\FiledCase.number)]))
    }

    /// What is stored, as another context writes it.
    private func written(in container: ModelContainer) throws -> Data {
        let context = ModelContext(container)
        return try withExtendedLifetime(context) { try cases(in: context).encoded(as: .json) }
    }

    @Test(arguments: StoreKind.allCases)
    func `objects are found by their keys, and others are inserted`(_ kind: StoreKind) throws {
        let container = try kind.cases()
        let writer = ModelContext(container)
        let stored = FiledCase(1, title: "old")
        stored.note = "x"
        stored.pages = [FiledPage("p", of: stored), FiledPage("q", of: stored)]
        stored.clerk = CaseClerk("ann")
        stored.topics = [CaseTopic(5)]
        writer.insert(stored)
        writer.insert(CaseClerk("bob"))
        try writer.save()

        let context = ModelContext(container)
        let file = try #require(try cases(in: context).first)
        let kept = try #require(file.pages.last)
        let pending = CaseTopic(6)
        context.insert(pending)
        let again = try decode(
            FiledCase.self,
            ##"{"number":1,"title":"new","pages":[{"code":"r","text":"1"},{"code":"q","text":"2"}],"##
                + ##""cover":{"color":"red"},"clerk":"bob","topics":["#6","#5"]}"##,
            in: context
        )
        #expect(again === file)
        #expect(file.title == "new" && file.note == nil && file.clerk?.email == "bob")
        #expect(file.pages.map(\.code) == ["r", "q"] && file.pages[1] === kept)
        #expect(kept.text == "2" && file.cover?.color == "red")
        #expect(file.topics.map(\.code) == [6, 5] && file.topics[0] === pending)
        #expect(context.insertedModelsArray.count == 3)
        try context.save()
        // The page cannot be without its case.
        #expect(try context.fetchCount(FetchDescriptor<FiledPage>()) == 2)
        #expect(try written(in: container) == [file].encoded(as: .json))
    }

    @Test(arguments: StoreKind.allCases)
    func `what a document leaves out is nil, and lists stay`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.cases())
        let file = FiledCase(1)
        file.pages = [FiledPage("p", of: file)]
        file.topics = [CaseTopic(1)]
        file.cover = CaseCover("red")
        file.clerk = CaseClerk("ann")
        context.insert(file)
        try context.save()
        _ = try decode(FiledCase.self, #"{"number":1,"title":"","pages":[]}"#, in: context)
        #expect(file.pages.isEmpty && file.topics.count == 1)
        #expect(file.cover == nil && file.clerk == nil)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<FiledPage>()) == 0)
        #expect(try context.fetchCount(FetchDescriptor<CaseTopic>()) == 1)
        _ = try decode(FiledCase.self, #"{"number":1,"title":""}"#, in: context)
        #expect(!context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `references lead to objects that come later in the document`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.cases())
        let json =
            #"[{"number":1,"title":"a","previous":2},{"number":2,"title":"b","previous":3},"#
            + #"{"number":3,"title":"c","previous":1}]"#
        let files = try context.decode([FiledCase].self, from: Data(json.utf8), as: .json)
        #expect(files.map { $0.previous?.number } == [2, 3, 1])
        #expect(files[0].previous === files[1])
        try context.save()
        #expect(try written(in: context.container) == files.encoded(as: .json))
        #expect(try context.decode([FiledCase].self, from: Data("[]".utf8), as: .json).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `an error names the path, and nothing changes`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(FiledCase.self, MarkHolder.self))
        let file = FiledCase(1, title: "old")
        context.insert(file)
        try context.save()
        let start = #"{"number":1,"title":"new","#
        for (json, path, kind) in [
            (start + #""clerk":"nobody"}"#, "clerk", ModelDecodingError.Kind.unknownObject),
            (start + ##""topics":["#1"]}"##, "topics[0]", .unknownObject),
            (start + #""previous":9,"pages":[{"code":"p"}]}"#, "previous", .unknownObject),
            (start + #""previous":"9"}"#, "previous", .typeMismatch),
            (start + #""clerk":{"email":"x"}}"#, "clerk", .typeMismatch),
            (start + #""topics":[null]}"#, "topics[0]", .typeMismatch),
            (start + #""pages":[{"code":"p"},{"text":"q"}]}"#, "pages[1].code", .missingField),
            (start + #""pages":["p"]}"#, "pages[0]", .typeMismatch),
            (start + #""pages":null}"#, "pages", .typeMismatch),
            (start + #""pages":[],"pages":[]}"#, "pages", .repeatedField),
            (
                start + #""pages":[{"code":"p","marks":[{"place":1},{"place":"2"}]}]}"#,
                "pages[0].marks[1].place", .typeMismatch
            ),
            (start + #""pages":[{"code":"p"},{"code":"p"}]}"#, "pages[1].code", .rejected),
            ("[]", "", .typeMismatch),
        ] {
            let error = #expect(throws: ModelDecodingError.self) {
                _ = try self.decode(FiledCase.self, json, in: context)
            }
            #expect(error?.path == path, "\(json)")
            #expect(error?.kind == kind, "\(json)")
            #expect(!context.hasChanges)
            #expect(file.title == "old")
        }
        let page = #expect(throws: ModelDecodingError.self) {
            _ = try self.decode(FiledPage.self, #"{"code":"p"}"#, in: context)
        }
        #expect(page?.kind == .missingField && page?.path == "file")
        _ = try decode(FiledPage.self, #"{"code":"p","file":1}"#, in: context)
        #expect(file.pages.map(\.code) == ["p"])

        let holder = #expect(throws: ModelDecodingError.self) {
            _ = try self.decode(MarkHolder.self, #"{"marks":["x"]}"#, in: context)
        }
        #expect(holder?.kind == .rejected && holder?.path == "marks")
    }

    @Test(arguments: StoreKind.allCases)
    func `an attribute that changes is observed, and one that stays is not written`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.cases())
        let file = FiledCase(1, title: "old")
        context.insert(file)
        try context.save()
        let changes = ChangeCount()
        withObservationTracking {
            _ = file.title
        } onChange: {
            changes.add()
        }
        _ = try decode(FiledCase.self, #"{"number":1,"title":"old"}"#, in: context)
        #expect(changes.count == 0 && !context.hasChanges)
        _ = try decode(FiledCase.self, #"{"number":1,"title":"new"}"#, in: context)
        #expect(changes.count == 1 && context.changedModelsArray.count == 1)
        context.rollback()
        #expect(file.title == "old")
    }

    @Test(arguments: StoreKind.allCases)
    func `an older document is migrated before its relationships are read`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(VersionedFolder.self))
        let json = #"{"kind":"a","kids":[{"$version":1,"kind":"b","title":"x"}]}"#
        let folder = try decode(VersionedFolder.self, json, in: context)
        let child = try #require(folder.children.first)
        try context.save()
        child.title = "y"
        let written = try folder.encoded(as: .json)
        #expect(
            String(decoding: written, as: UTF8.self)
                == #"{"$version":2,"kind":"a","title":"","children":[{"$version":2,"kind":"b","#
                + #""title":"y","children":[]}]}"#
        )
        context.delete(child)
        #expect(try decode(VersionedFolder.self, json, in: context) === folder)
        let new = try #require(folder.children.first)
        #expect(folder.children.count == 1 && new !== child && new.title == "x")
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<VersionedFolder>()) == 2)
        let newer = #expect(throws: ModelDecodingError.self) {
            _ = try self.decode(
                VersionedFolder.self,
                #"{"kind":"a","children":[{"$version":3,"kind":"b"}]}"#,
                in: context
            )
        }
        #expect(newer?.kind == .futureVersion)
        #expect(newer?.path.hasPrefix("children[0]") == true)
    }

    @Test(arguments: StoreKind.allCases)
    func `10,000 owned objects are read twice`(_ kind: StoreKind) throws {
        let container = try kind.cases()
        let context = ModelContext(container)
        let pages = (0..<10_000).map { #"{"code":"\#($0)","text":"x"}"# }.joined(separator: ",")
        let json = #"{"number":1,"title":"","pages":["# + pages + "]}"
        let file = try decode(FiledCase.self, json, in: context)
        #expect(file.pages.count == 10_000)
        try context.save()
        let other = ModelContext(container)
        let again = try decode(FiledCase.self, json, in: other)
        #expect(again.pages.count == 10_000 && again.pages[9_999].code == "9999")
        #expect(!other.hasChanges)
    }

    // MARK: Random graphs

    /// Changes the cases of a context at random, or makes some.
    private func shake(_ context: ModelContext, _ random: inout SeededRandom) throws {
        let clerks = try context.fetch(FetchDescriptor<CaseClerk>())
        let topics = try context.fetch(FetchDescriptor<CaseTopic>())
        var files = try cases(in: context)
        while files.count < 6 {
            let file = FiledCase(files.count + 1)
            context.insert(file)
            files.append(file)
        }
        var pages = try context.fetch(FetchDescriptor<FiledPage>())
        for file in files {
            file.title = "\(random.below(5))"
            file.note = random.isOne(in: 2) ? nil : "\(random.below(5))"
            file.tags = random.isOne(in: 2) ? [] : ["é", "\"", "\(random.below(9))"]
            file.clerk = random.isOne(in: 3) ? nil : random.pick(clerks)
            file.previous = random.isOne(in: 3) ? nil : random.pick(files)
            file.topics = topics.shuffled(using: &random).filter { _ in random.isOne(in: 2) }
            switch random.below(3) {
            case 0: file.cover = nil
            case 1: file.cover = CaseCover("\(random.below(9))")
            default: file.cover?.color = "\(random.below(9))"
            }
            for _ in 0..<random.below(3) {
                let page = FiledPage("\(random.next())", of: file)
                pages.append(page)
            }
            file.pages = file.pages.shuffled(using: &random)
        }
        for page in pages {
            page.text = "\(random.below(9))"
            page.author = random.isOne(in: 2) ? nil : random.pick(clerks)
            page.marks = (0..<random.below(3)).map { _ in PageMark(Double(random.below(99)) / 8) }
            if random.isOne(in: 4) { page.file = random.pick(files) }
            if random.isOne(in: 6) { context.delete(page) }
        }
    }

    private func addOthers(to context: ModelContext) throws {
        for name in ["ann", "bob", "cat"] { context.insert(CaseClerk(name)) }
        for code in 1...5 { context.insert(CaseTopic(code)) }
        try context.save()
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `what was written is read again, into an empty store and over anything`(
        _ kind: StoreKind,
        _ seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let context = ModelContext(try kind.cases())
        try addOthers(to: context)
        for round in 0..<12 {
            try shake(context, &random)
            if random.isOne(in: 2) { try context.save() }
            let format = random.pick([ModelFormat.json, .plist, .binaryPlist])
            let expected = try cases(in: context).encoded(as: .json)
            let data = try cases(in: context).encoded(as: format)

            let empty = ModelContext(try kind.cases())
            try addOthers(to: empty)
            let copies = try empty.decode([FiledCase].self, from: data, as: format)
            #expect(try copies.encoded(as: .json) == expected, "seed \(seed), round \(round)")
            try empty.save()
            #expect(try written(in: empty.container) == expected, "seed \(seed), round \(round)")

            for _ in 0..<random.below(3) {
                try shake(context, &random)
                if random.isOne(in: 2) { try context.save() }
            }
            let again = try context.decode([FiledCase].self, from: data, as: format)
            #expect(try again.encoded(as: .json) == expected, "seed \(seed), round \(round)")
            try context.save()
            #expect(
                try written(in: context.container) == expected,
                "seed \(seed), round \(round)"
            )
        }
    }
}

/// How often something has changed.
private final class ChangeCount: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}
