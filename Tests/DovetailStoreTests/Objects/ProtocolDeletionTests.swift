import Dovetail
import StoreTestSupport
import Testing

@ModelProtocol protocol KeptNode: PersistentModel {
    var name: String { get }
    var isOld: Bool { get }
}

@Model final class KeptFile: KeptNode {
    var name: String
    var isOld: Bool
    var folder: KeptFolder?

    init(_ name: String, isOld: Bool = true) {
        self.name = name
        self.isOld = isOld
    }
}

@Model final class KeptFolder: KeptNode {
    var name: String
    var isOld: Bool
    var files: [KeptFile] = []

    init(_ name: String, isOld: Bool = true) {
        self.name = name
        self.isOld = isOld
    }
}

/// Deletions of all objects of a protocol for which something holds.
@Suite struct ProtocolDeletionTests {
    @Test(arguments: StoreKind.allCases, [false, true])
    func `all are found before any goes`(_ kind: StoreKind, hasObjects: Bool) throws {
        let container = try kind.container(KeptFile.self, KeptFolder.self)
        let context = ModelContext(container)
        let (full, empty) = (KeptFolder("full"), KeptFolder("empty"))
        full.files = [KeptFile("a"), KeptFile("b")]
        context.insert(full)
        context.insert(empty)
        context.insert(KeptFile("new", isOld: false))
        try context.save()
        let other = hasObjects ? context : ModelContext(container)
        let predicate = #Predicate<any KeptNode> {
            $0.isOld && ($0 as? KeptFolder)?.files.isEmpty != false
        }
        #expect(try other.fetchCount(FetchDescriptor(predicate: predicate)) == 3)
        try other.delete(model: (any KeptNode).self, where: predicate)
        try other.save()
        let left = try ModelContext(container).fetch(FetchDescriptor<any KeptNode>())
        #expect(left.map(\.name).sorted() == ["full", "new"])
        try other.delete(model: (any KeptNode).self)
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<any KeptNode>()) == 0)
    }
}
