import Dovetail
import StoreTestSupport
import Testing

/// The macro refuses these; a model that says it by hand is refused when its container opens.
@Suite struct ShardValidationTests {
    @Test(arguments: StoreKind.allCases)
    func `the column that rows are distributed by is in the key`(_ kind: StoreKind) {
        let error = #expect(throws: StoreError.self) { try kind.container(ShardBesideKey.self) }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.table == "ShardBesideKey")
        #expect(error?.column == "tenant")
    }

    @Test(arguments: StoreKind.allCases)
    func `it is in each unique group`(_ kind: StoreKind) {
        let error = #expect(throws: StoreError.self) { try kind.container(ShardBesideGroup.self) }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.column == "tenant")
    }

    @Test(arguments: StoreKind.allCases)
    func `it is a property`(_ kind: StoreKind) {
        let error = #expect(throws: StoreError.self) { try kind.container(ShardNowhere.self) }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.explanation.contains("owner") == true)
    }
}

@Model
private struct ShardBesideKey: Identifiable {
    let id: Int
    var tenant: Int

    static var modelShard: String? { "tenant" }
}

@Model
private struct ShardBesideGroup {
    #Unique<ShardBesideGroup>([\.label])

    @Attribute(.primaryKey) var tenant: Int
    @Attribute(.primaryKey) var number: Int
    var label: String

    static var modelShard: String? { "tenant" }
}

@Model
private struct ShardNowhere: Identifiable {
    let id: Int

    static var modelShard: String? { "owner" }
}
