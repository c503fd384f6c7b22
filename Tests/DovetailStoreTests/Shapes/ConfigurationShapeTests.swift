import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// The calls that make configurations in programs for SwiftData.
@Suite struct ConfigurationShapeTests {
    private let schema = Schema([Pet.self])

    @Test func `configurations in memory in every shape`() throws {
        let all = [
            ModelConfiguration(isStoredInMemoryOnly: true),
            ModelConfiguration("Pets", isStoredInMemoryOnly: true),
            ModelConfiguration(schema: schema, isStoredInMemoryOnly: true),
            ModelConfiguration("Pets", schema: schema, isStoredInMemoryOnly: true),
            ModelConfiguration(
                "Pets",
                schema: schema,
                isStoredInMemoryOnly: true,
                allowsSave: true
            ),
            ModelConfiguration(
                nil,
                schema: schema,
                isStoredInMemoryOnly: true,
                allowsSave: true,
                groupContainer: .none,
                cloudKitDatabase: .none
            ),
            ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .none),
            ModelConfiguration(for: Pet.self, isStoredInMemoryOnly: true),
            ModelConfiguration(for: Pet.self, LibraryV1.Book.self, isStoredInMemoryOnly: true),
            ModelConfiguration(UUID().uuidString, isStoredInMemoryOnly: true),
        ]
        for configuration in all {
            #expect(configuration.isStoredInMemoryOnly && configuration.allowsSave)
            #expect(configuration.url.path == "/dev/null")
            let container = try ModelContainer(for: Pet.self, configurations: configuration)
            let context = ModelContext(container)
            context.insert(Pet(1, "Rex"))
            try context.save()
        }
        #expect(all[0].name == "default" && all[1].name == "Pets")
        #expect(all[0].schema == nil && all[2].schema == schema)
        #expect(all[8].schema?.entities.map(\.name) == ["Pet", "Book"])
        #expect(Set(all).count == 8)
        #expect(all[3] == all[4] && all[3].id == all[4].id && all[3] != all[0])
    }

    @Test func `configurations of files in every shape`() {
        let url = URL(fileURLWithPath: "/data/pets.sqlite")
        let all = [
            ModelConfiguration(url: url),
            ModelConfiguration("pets", url: url),
            ModelConfiguration(schema: schema, url: url),
            ModelConfiguration("pets", schema: schema, url: url),
            ModelConfiguration(schema: schema, url: url, cloudKitDatabase: .none),
            ModelConfiguration(url: url, allowsSave: false),
            ModelConfiguration(
                "pets",
                schema: schema,
                url: url,
                allowsSave: false,
                cloudKitDatabase: .private("iCloud.com.example.pets")
            ),
        ]
        for configuration in all {
            #expect(!configuration.isStoredInMemoryOnly && configuration.url == url)
            #expect(configuration.name == "pets" && configuration.groupContainer == .none)
        }
        #expect(all.map(\.allowsSave) == [true, true, true, true, true, false, false])
        #expect(all[6].cloudKitContainerIdentifier == "iCloud.com.example.pets")
        #expect(all[0].cloudKitDatabase == .automatic && all[0].cloudKitContainerIdentifier == nil)
    }

    @Test func `names and groups are files and folders`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            setenv("XDG_DATA_HOME", folder.url.path, 1)
            let process = ProcessInfo.processInfo.processName
            let plain = ModelConfiguration()
            try #require(
                plain.url == folder.url.appendingPathComponent(process + "/default.sqlite")
            )
            try #require(ModelConfiguration(groupContainer: .automatic).url == plain.url)
            try #require(ModelConfiguration(schema: Schema([Pet.self])).url == plain.url)
            try #require(ModelConfiguration(for: Pet.self).url == plain.url)
            let named = ModelConfiguration("Pets", allowsSave: true, cloudKitDatabase: .automatic)
            try #require(named.url == folder.url.appendingPathComponent(process + "/Pets.sqlite"))
            let shared = ModelConfiguration("Pets", groupContainer: .identifier("group.pets"))
            try #require(shared.url == folder.url.appendingPathComponent("group.pets/Pets.sqlite"))
            try #require(shared.groupAppContainerIdentifier == "group.pets")
            try #require(plain.groupAppContainerIdentifier == nil)
            for configuration in [plain, named, shared] {
                let context = ModelContext(
                    try ModelContainer(for: Pet.self, configurations: configuration)
                )
                context.insert(Pet(1, configuration.name))
                try context.save()
                let file = try RawDatabase(configuration.url)
                try #require(try file.value("SELECT name FROM Pet") == configuration.name)
                try #require(try context.fetchCount(FetchDescriptor<Pet>()) == 1)
            }
        }
    }

    @Test(arguments: ["", ".", "..", "a/b", "../../escaped"])
    func `a name that leads elsewhere is refused`(name: String) {
        let configurations = [
            ModelConfiguration(name), ModelConfiguration(groupContainer: .identifier(name)),
        ]
        for configuration in configurations {
            let error = #expect(throws: StoreError.self) {
                try ModelContainer(for: Pet.self, configurations: configuration)
            }
            #expect(error?.kind == .cannotOpen)
        }
    }

    @Test func `how the database is worked with is no part of a configuration's identity`() {
        var configuration = ModelConfiguration("Pets")
        configuration.durability = .full
        #expect(configuration == ModelConfiguration("Pets"))
        #expect(configuration != ModelConfiguration("Pets", allowsSave: false))
    }
}
