import Dovetail
import StoreTestSupport
import Testing

@Model final class KeptPage {
    var name: String
    var rank = 0
    @Relationship var cover: KeptPicture?
    @Relationship var pictures: [KeptPicture] = []
    var readers: [KeptReader] = []

    init(name: String) { self.name = name }
}

@Model final class KeptPicture {
    var title = "t"

    init() {}
}

@Model final class KeptReader {
    var number = 0
    @Relationship(inverse: \KeptPage.readers) var pages: [KeptPage] = []

    init() {}
}

/// References to an object that waits to be deleted, and which the policy keeps.
@Suite struct KeptTargetTests {
    /// What a context does with the page between the deletion and the save.
    enum Step: CaseIterable { case nothing, rank, reader, cover, pictures }

    /// A picture that the second context wants to delete, and which the first has changed meanwhile.
    private func contexts(
        _ kind: StoreKind,
        changing change: (KeptPage, KeptPicture) -> Void
    ) throws -> ModelContext {
        let container = try kind.container(KeptPage.self, KeptPicture.self, KeptReader.self)
        let (first, second) = (ModelContext(container), ModelContext(container))
        second.conflictPolicy = .storeWins
        let (page, picture) = (KeptPage(name: "p"), KeptPicture())
        first.insert(page)
        first.insert(picture)
        try first.save()
        second.delete(try #require(second.fetch(FetchDescriptor<KeptPicture>()).first))
        picture.title = "changed"
        change(page, picture)
        try first.save()
        return second
    }

    @Test(arguments: StoreKind.allCases)
    func `what others have set is there`(_ kind: StoreKind) throws {
        for step in Step.allCases {
            for next in Step.allCases {
                let context = try contexts(kind) { page, picture in
                    page.cover = picture
                    page.pictures = [picture]
                }
                for step in [step, next] {
                    let page = { try #require(context.fetch(FetchDescriptor<KeptPage>()).first) }
                    switch step {
                    case .nothing: break
                    case .rank: try page().rank += 1
                    case .reader:
                        let reader = KeptReader()
                        context.insert(reader)
                        reader.pages = [try page()]
                    case .cover: #expect(try page().cover == nil)
                    case .pictures: #expect(try page().pictures.allSatisfy(\.isDeleted))
                    }
                }
                try context.save()
                for context in [context, ModelContext(context.container)] {
                    let page = try #require(context.fetch(FetchDescriptor<KeptPage>()).first)
                    #expect(page.cover?.title == "changed", "\(step), \(next)")
                    #expect(page.pictures.map(\.title) == ["changed"], "\(step), \(next)")
                }
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what was set here is there`(_ kind: StoreKind) throws {
        let context = try contexts(kind) { _, _ in }
        let picture = try #require(context.deletedModelsArray.first as? KeptPicture)
        let (page, new) = (
            try #require(context.fetch(FetchDescriptor<KeptPage>()).first), KeptPage(name: "new")
        )
        context.insert(new)
        for page in [page, new] { page.cover = picture }
        try context.save()
        for context in [context, ModelContext(context.container)] {
            let pages = try context.fetch(FetchDescriptor<KeptPage>())
            #expect(pages.map { $0.cover?.title } == ["changed", "changed"])
        }
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `what is inserted again refers to nothing that goes`(
        _ kind: StoreKind,
        isRead: Bool
    ) throws {
        let container = try kind.container(KeptPage.self, KeptPicture.self, KeptReader.self)
        let (first, second) = (ModelContext(container), ModelContext(container))
        second.conflictPolicy = .contextWins
        let page = KeptPage(name: "p")
        first.insert(page)
        page.cover = KeptPicture()
        try first.save()
        let same = try #require(second.fetch(FetchDescriptor<KeptPage>()).first)
        if isRead { #expect(same.cover != nil) }
        let picture = try #require(second.fetch(FetchDescriptor<KeptPicture>()).first)
        first.delete(page)
        try first.save()
        second.delete(picture)
        same.rank += 1
        try second.save()
        for context in [second, ModelContext(container)] {
            let pages = try context.fetch(FetchDescriptor<KeptPage>())
            #expect(pages.map(\.rank) == [1] && pages.allSatisfy { $0.cover == nil })
        }
        #expect(try second.fetchCount(FetchDescriptor<KeptPicture>()) == 0)
    }
}
