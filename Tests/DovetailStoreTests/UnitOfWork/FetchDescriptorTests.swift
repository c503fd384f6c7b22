import Dovetail
import StoreTestSupport
import TestAssets
import Testing

@Suite struct FetchDescriptorTests {
    @Test func `a descriptor of any type goes from task to task`() async throws {
        let descriptor = FetchDescriptor<any Asset>(
            predicate: #Predicate { $0.name == "x" },
            sortBy: [SortDescriptor(\.name)]
        )
        let received = await Task.detached { descriptor }.value
        let predicate = try #require(received.predicate)
        let assets: [any Asset] = [
            SoundAsset(name: "x", path: "a"), SoundAsset(name: "y", path: "b"),
        ]
        #expect(try assets.filter { try predicate.evaluate($0) }.map(\.name) == ["x"])
        #expect(assets.reversed().sorted(using: received.sortBy).map(\.name) == ["x", "y"])
        #expect(received.fetchLimit == nil && received.fetchOffset == nil)
    }
}
