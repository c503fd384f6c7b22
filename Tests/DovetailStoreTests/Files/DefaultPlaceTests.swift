import Dovetail
import StoreTestSupport
import Testing

@Suite struct DefaultPlaceTests {
    /// In a process of its own, because the environment belongs to all tests.
    @Test func `a container without a configuration lies in the platform's place`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            setenv("XDG_DATA_HOME", folder.url.path, 1)
            let context = ModelContext(try ModelContainer(for: Pet.self))
            context.insert(Pet(1, "Rex"))
            try context.save()
            let file = folder.url
                .appendingPathComponent(ProcessInfo.processInfo.processName)
                .appendingPathComponent("default.sqlite")
            try #require(RawDatabase(file).value("SELECT name FROM Pet") == "Rex")
            let again = ModelContext(try ModelContainer(for: Pet.self))
            try #require(again.fetchCount(FetchDescriptor<Pet>()) == 1)
        }
    }

    @Test func `a place that cannot be made`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try Data().write(to: folder.file("file"))
            setenv("XDG_DATA_HOME", folder.file("file").path, 1)
            let error = try #require(
                #expect(throws: StoreError.self) { try ModelContainer(for: Pet.self) }
            )
            try #require(error.kind == .cannotOpen)
            try #require(error.location?.hasPrefix(folder.file("file").path) == true)
        }
    }

    @Test func `what configurations say`() {
        let memory = ModelConfiguration(isStoredInMemoryOnly: true)
        #expect(memory.isStoredInMemoryOnly && memory.allowsSave)
        let file = ModelConfiguration(url: URL(fileURLWithPath: "/x"), allowsSave: false)
        #expect(!file.isStoredInMemoryOnly && !file.allowsSave)
        #expect(file.busyTimeout == .seconds(5))
    }
}
