import Dovetail
import StoreTestSupport
import Testing

/// The 273 payloads of octokit/webhooks: read, compared with Foundation's view of them, written,
/// stored and fetched. Skipped where `shared/corpora` is absent.
struct WebhooksTests {
    private static let folder = "polymorphic/webhooks"
    private static let documents = SharedCorpora.documents(in: folder)

    private func webhooks() throws -> [Webhook] {
        try Self.documents.map { path in
            let data = try SharedCorpora.contents(of: path, in: Self.folder)
            var webhook = try Webhook(decoding: data, as: .json)
            webhook.id = path
            return webhook
        }
    }

    @Test(.needsCorpora)
    func `all are read`() throws {
        let webhooks = try webhooks()
        #expect(webhooks.count == 273)
        // Counted in the corpus by another program.
        #expect(webhooks.count { $0.action == nil } == 31)
        #expect(webhooks.count { $0.sender == nil } == 3)
        #expect(webhooks.count { $0.repository == nil } == 38)
        #expect(webhooks.count { $0.organization == nil } == 168)
        #expect(Set(webhooks.map(\.id)).count == 273)
        let seconds = webhooks.count {
            if case .seconds = $0.repository?.createdAt { true } else { false }
        }
        #expect(seconds == 6)
    }

    @Test(.needsCorpora)
    func `every field is that of Foundation`() throws {
        for path in Self.documents {
            let data = try SharedCorpora.contents(of: path, in: Self.folder)
            let written = try Webhook(decoding: data, as: .json).encoded(as: .json)
            let theirs = try #require(
                try JSONSerialization.jsonObject(with: data) as? [String: Any]
            )
            let ours = try #require(
                try JSONSerialization.jsonObject(with: written) as? [String: Any]
            )
            try expectPart(ours, of: theirs, path, ignoring: ["path_in_corpus"])
            for name in ["action", "sender", "repository", "organization"] {
                let isNull = theirs[name] == nil || theirs[name] is NSNull
                #expect((ours[name] == nil) == isNull, "\(path) \(name)")
            }
        }
    }

    /// Every field of `ours` is in `theirs` with the same value, and what `ours` leaves out of the
    /// declared fields is null or absent there.
    private func expectPart(
        _ ours: [String: Any],
        of theirs: [String: Any],
        _ path: String,
        ignoring ignored: Set<String> = []
    ) throws {
        for (name, value) in ours where !ignored.contains(name) {
            let place = "\(path) \(name)"
            let other = try #require(theirs[name], "\(place)")
            if let object = value as? [String: Any] {
                try expectPart(object, of: #require(other as? [String: Any]), place)
            } else {
                #expect(
                    (value as? NSObject)?.isEqual(other) == true,
                    "\(place): \(value), \(other)"
                )
            }
        }
        for name in declared(beside: ours, path) where ours[name] == nil {
            #expect(theirs[name] == nil || theirs[name] is NSNull, "\(path) \(name)")
        }
    }

    private func declared(beside ours: [String: Any], _ path: String) -> [String] {
        if path.hasSuffix(" license") { return License.modelAttributes.map(\.name) }
        if path.hasSuffix(" repository") { return Repository.modelAttributes.map(\.name) }
        if path.hasSuffix(" organization") { return Organization.modelAttributes.map(\.name) }
        let isAccount = path.hasSuffix(" sender") || path.hasSuffix(" owner")
        return isAccount ? Account.modelAttributes.map(\.name) : []
    }

    @Test(.needsCorpora)
    func `written and read again they are equal`() throws {
        let webhooks = try webhooks()
        #expect(try [Webhook](decoding: webhooks.encoded(as: .json), as: .json) == webhooks)
    }

    @Test(.needsCorpora)
    func `stored and fetched they are equal`() async throws {
        let webhooks = try webhooks()
        let container = try ModelContainer(
            for: Webhook.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let fetched = try await container.perform { context in
            context.insert(contentsOf: webhooks)
            try context.save()
            let all = FetchDescriptor<Webhook>(sortBy: [SortDescriptor(\.id)])
            return try ModelContext(context.container).fetch(all)
        }
        #expect(fetched.count == webhooks.count)
        let byID = Dictionary(uniqueKeysWithValues: fetched.map { ($0.id, $0) })
        for webhook in webhooks { #expect(byID[webhook.id] == webhook, "\(webhook.id)") }
        let again = try await container.perform { context in
            context.upsert(fetched)
            try context.save()
            return try context.fetchCount(FetchDescriptor<Webhook>())
        }
        #expect(again == webhooks.count)
    }
}
