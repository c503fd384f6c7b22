import Dovetail
import Stores

/// Fetches a shop, keeps it in step with a SQLite file or a server, and says what happens.
@main
struct Demo {
    let container: ModelContainer

    static func main() async {
        do {
            let container = try ModelContainer(
                for: User.self,
                Product.self,
                AssetLibrary.self,
                configurations: chosenStore(default: "shop.sqlite")
            )
            try await Demo(container: container).run()
        } catch {
            print("The demo stopped: \(error)")
            exit(1)
        }
    }

    func run() async throws {
        say("1. Fetch everything and put it into an empty database")
        try await synchronize()

        say("2. The backend changes; fetch and synchronize again")
        _ = try await RemoteSession.shared.send(Shop.change)
        try await synchronize()

        say("3. Once more: a second run changes nothing")
        try await synchronize()

        say("4. Ask the database with a predicate")
        try query()

        say("5. Broken answers leave the database as it is")
        try await fail()

        say("6. The tables are plain")
        let place = CommandLine.arguments.dropFirst().first ?? "shop.sqlite"
        let program = place.hasPrefix("postgresql://") ? "psql" : "sqlite3"
        print("   \(program) \(place) 'SELECT name, city, age FROM \"User\" LIMIT 3'")
    }

    /// Fetches users in one piece, products by pages and the library, and makes the store equal.
    private func synchronize() async throws {
        let users = try await User.fetchAll(Shop.users)
        var products: [Product] = []
        for try await page in Product.pages(from: { Shop.products(limit: 100, offset: $0) }) {
            products += page
            progress("   \(products.count) products …")
        }
        progress(nil)
        let library = try await AssetLibrary.fetchOne(Shop.library)
        var kinds: [String: Int] = [:]
        for asset in library.groups.flatMap(\.assets) {
            kinds["\(type(of: asset))", default: 0] += 1
        }
        let mix = kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        print(
            "   fetched \(users.count) users, \(products.count) products by pages of 100, "
                + "and a library of \(mix.joined(separator: ", "))"
        )

        let context = ModelContext(container)
        report("users", try context.synchronize(users))
        report("products", try context.synchronize(products))
        report("libraries", try context.synchronize([library]))
        try context.save()
    }

    private func query() throws {
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<User>(
            predicate: #Predicate { $0.age >= 60 && $0.isActive && $0.name.contains("a") },
            sortBy: [SortDescriptor(\.score, order: .reverse), SortDescriptor(\.id)]
        )
        let count = try context.fetchCount(descriptor)
        descriptor.fetchLimit = 3
        print(
            "   \(count) active users of 60 and more have an \"a\" in their name; the best three:"
        )
        for user in try context.fetch(descriptor) {
            print("   \(user.score)  \(user.name), \(user.age), \(user.city ?? "nowhere")")
        }
    }

    private func fail() async throws {
        let context = ModelContext(container)
        let before = try context.fetchCount(FetchDescriptor<User>())
        for kind in ["404", "500", "html", "truncated", "truncated-json", "wrong-type"] {
            do {
                try context.synchronize(try await User.fetchAll(Shop.broken(kind)))
                print("   \(kind): was accepted, which it should not be")
            } catch {
                print("   \(kind): \(error)")
            }
        }
        let after = try context.fetchCount(FetchDescriptor<User>())
        print("   users before: \(before), after: \(after)")
    }

    private func report<ID>(_ name: String, _ changes: EntityChanges<ID>) {
        print("   \(name): \(changes)")
        // The first time everything is new; after that each change is worth a name.
        if changes.inserted.count > 100 { return }
        for (word, ids) in [
            ("inserted", changes.inserted), ("updated", changes.updated),
            ("deleted", changes.deleted),
        ] where !ids.isEmpty {
            print("     \(word): \(ids.map { "\($0)" }.joined(separator: " "))")
        }
    }

    private func say(_ text: String) {
        print("\n\(text)")
    }

    /// A line that is overwritten, on terminals only.
    private func progress(_ text: String?) {
        guard isatty(STDOUT_FILENO) == 1 else { return }
        print("\u{1B}[2K\r" + (text ?? ""), terminator: "")
        fflush(nil)
    }
}
