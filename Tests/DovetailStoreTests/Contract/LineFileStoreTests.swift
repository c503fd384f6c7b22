import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// The contract on a store that a user could have written.
@Suite struct LineFileStoreTests {
    @Test(arguments: StoreContract.cases)
    func `a store in a file of lines keeps the contract`(_ part: StoreContract.Case) async throws {
        try await part.check { place in LineFileConfiguration(url: place.url) }
    }

    @Test func `a file that is something else is refused`() throws {
        let folder = try TemporaryFolder()
        let models = [Word.self]
        for text in ["no JSON", #"{"row":["a"]}"#, "{}"] {
            try Data(text.utf8).write(to: folder.file())
            let error = #expect(throws: StoreError.self) {
                try ModelContainer(
                    for: models,
                    configuration: LineFileConfiguration(url: folder.file())
                )
            }
            #expect(error?.kind == .notADatabase)
            #expect(try Data(contentsOf: folder.file()) == Data(text.utf8))
        }
    }

    @Model struct Word: Identifiable { let id: String }
}
