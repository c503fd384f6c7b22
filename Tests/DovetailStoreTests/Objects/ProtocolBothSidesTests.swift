import Dovetail
import StoreTestSupport
import Testing

/// Relationships to protocols whose other side holds several, or a protocol, too.
struct ProtocolBothSidesTests {
    private func names(_ members: [any ClubMember]) -> String {
        members.map(\.name).joined(separator: " ")
    }

    private func titles(_ children: [any TreeChild]) -> String {
        children.map(\.title).joined(separator: " ")
    }

    private func club(_ title: String, in context: ModelContext) throws -> WorkClub {
        let predicate = #Predicate<WorkClub> { $0.title == title }
        return try #require(try context.fetch(FetchDescriptor(predicate: predicate)).first)
    }

    @Test(arguments: StoreKind.allCases)
    func `lists on both sides keep their orders`(_ kind: StoreKind) throws {
        let container = try kind.clubs()
        let context = ModelContext(container)
        let (ann, rex, bob) = (ClubPerson("ann"), ClubPet("rex"), ClubPerson("bob"))
        let chess = WorkClub("chess", members: [ann, rex, bob])
        let tennis = WorkClub("tennis", members: [bob, rex])
        #expect(rex.clubs == [chess, tennis] && ann.clubs == [chess])
        tennis.members.insert(ann, at: 1)
        #expect(names(tennis.members) == "bob ann rex" && ann.clubs == [chess, tennis])
        context.insert(chess)
        #expect(tennis.modelContext === context)
        #expect(names(tennis.members) == "bob ann rex" && names(chess.members) == "ann rex bob")
        try context.save()
        let other = ModelContext(container)
        let found = try club("tennis", in: other)
        #expect(names(found.members) == "bob ann rex")
        #expect(found.members[2].clubs.map(\.title) == ["chess", "tennis"])
        found.members.reverse()
        found.members.append(ClubPet("ivy"))
        found.members.removeAll { $0.name == "ann" }
        #expect(names(found.members) == "rex bob ivy")
        try other.save()
        context.processPendingChanges()
        #expect(names(tennis.members) == "rex bob ivy" && ann.clubs == [chess])
        context.delete(rex)
        #expect(names(tennis.members) == "bob ivy" && names(chess.members) == "ann bob")
        context.rollback()
        #expect(names(tennis.members) == "rex bob ivy" && names(chess.members) == "ann rex bob")
        context.delete(rex)
        try context.save()
        let third = ModelContext(container)
        #expect(names(try club("tennis", in: third).members) == "bob ivy")
        #expect(try third.fetchCount(FetchDescriptor<WorkClub>()) == 2)
    }

    @Test
    func `each class has a join table`() throws {
        let tables = try StoreKind.memory.clubs().schema.bindings.map(\.table)
        #expect(
            tables == [
                "WorkClub", "ClubPerson", "ClubPet", "ClubPerson$clubs", "ClubPet$clubs",
            ]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a tree of disks, folders and files`(_ kind: StoreKind) throws {
        let container = try kind.trees()
        let context = ModelContext(container)
        let disk = TreeDisk("disk")
        let (work, home) = (TreeFolder("work"), TreeFolder("home"))
        disk.children = [TreeFile("readme"), work, home]
        work.children = [TreeFile("plan"), TreeFolder("old"), TreeFile("list")]
        #expect(work.parent === disk && work.children[1].parent === work)
        context.insert(disk)
        try context.save()
        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<TreeDisk>()).first)
        #expect(titles(found.children) == "readme work home")
        let folder = try #require(found.children[1] as? TreeFolder)
        #expect(titles(folder.children) == "plan old list" && folder.parent === found)
        // From a folder into the disk, and from the disk into a folder.
        folder.children[1].parent = found
        found.children[2].parent = folder
        #expect(titles(folder.children) == "plan list home")
        #expect(titles(found.children) == "readme work old")
        try other.save()
        context.processPendingChanges()
        #expect(titles(work.children) == "plan list home" && home.parent === work)
        #expect(titles(disk.children) == "readme work old")
        context.delete(work)
        try context.save()
        #expect(titles(disk.children) == "readme old")
        #expect(try context.fetchCount(FetchDescriptor<TreeFile>()) == 1)
        #expect(try context.fetchCount(FetchDescriptor<TreeFolder>()) == 1)
        try other.delete(model: TreeDisk.self)
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<TreeFile>()) == 0)
    }
}
