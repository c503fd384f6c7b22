import Dovetail
import StoreTestSupport
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Model
struct Parcel: Identifiable, Equatable, Sendable, Fetchable {
    let id: Int
    var place: String
}

private enum Depot: Router {
    case all
    case page(offset: Int)

    // swift-format-ignore: NeverForceUnwrap
    static let baseURL = URL(string: "http://depot.example/api")!

    var endpoint: Endpoint {
        switch self {
        case .all: .get("parcels")
        case .page(let offset): .get("parcels", query: ["offset": offset])
        }
    }
}

/// Answers one request after the other; an answer of none is a failure of the network.
private final class Answers: RemoteTransport {
    private let rest: Mutex<[String?]>

    init(_ answers: [String?]) {
        rest = Mutex(answers)
    }

    func send(
        _ request: URLRequest,
        upTo maximumBytes: Int
    ) async throws -> (Data, HTTPURLResponse) {
        let next = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let next, let url = request.url else { throw URLError(.networkConnectionLost) }
        let response = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: nil,
            headerFields: ["Content-Type": "application/json"]
        )
        return (Data(next.utf8), try #require(response))
    }
}

@Suite struct RemoteSynchronizeTests {
    private func container(_ kind: StoreKind) throws -> ModelContainer {
        let container = try kind.container(Parcel.self)
        try ModelContext(container).store((1...4).map { Parcel(id: $0, place: "Ulm") })
        return container
    }

    private func stored(_ container: ModelContainer) throws -> [Parcel] {
        try ModelContext(container).fetch(FetchDescriptor<Parcel>(sortBy: [SortDescriptor(\.id)]))
    }

    @Test(arguments: StoreKind.allCases)
    func `a route whose answer is a list`(_ kind: StoreKind) async throws {
        let container = try container(kind)
        let answer = #"[{"id":2,"place":"Ulm"},{"id":3,"place":"Bonn"},{"id":9,"place":"Kiel"}]"#
        let changes = try await container.synchronize(
            Parcel.self,
            from: Depot.all,
            using: RemoteSession(transport: Answers([answer]))
        )
        #expect("\(changes)" == "1 inserted, 1 updated, 2 deleted, 1 unchanged")
        #expect(try stored(container).map(\.place) == ["Ulm", "Bonn", "Kiel"])
        await #expect(throws: RemoteError.self) {
            let broken = RemoteSession(transport: Answers([#"[{"id":1,"place":7}]"#]))
            try await container.synchronize(Parcel.self, from: Depot.all, using: broken)
        }
        #expect(try stored(container).count == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `pages of a backend, and a list that breaks off`(_ kind: StoreKind) async throws {
        let container = try container(kind)
        let pages = [
            #"[{"id":1,"place":"Ulm"},{"id":2,"place":"Ulm"}]"#,
            #"[{"id":2,"place":"Ulm"},{"id":7,"place":"Kiel"}]"#,
        ]
        let before = try stored(container)
        await #expect(throws: (any Error).self) {
            let session = RemoteSession(transport: Answers(pages + [nil]))
            try await container.synchronize(
                Parcel.self,
                from: Parcel.pages(from: { Depot.page(offset: $0) }, using: session)
            )
        }
        #expect(try stored(container) == before)
        let session = RemoteSession(transport: Answers(pages + ["[]"]))
        let changes = try await container.synchronize(
            Parcel.self,
            from: Parcel.pages(from: { Depot.page(offset: $0) }, using: session)
        )
        #expect(changes.inserted == [7] && Set(changes.deleted) == [3, 4])
        #expect(changes.unchanged == 2)
        #expect(try stored(container).map(\.id) == [1, 2, 7])
    }

    @Test(arguments: StoreKind.allCases)
    func `a stream that fails or is cancelled changes nothing`(_ kind: StoreKind) async throws {
        let container = try container(kind)
        let before = try stored(container)
        let failing = AsyncThrowingStream<[Parcel], any Error> { stream in
            stream.yield([Parcel(id: 1, place: "Ulm")])
            stream.finish(throwing: CocoaError(.fileReadUnknown))
        }
        await #expect(throws: CocoaError.self) {
            try await container.synchronize(Parcel.self, from: failing)
        }
        let (endless, feed) = AsyncStream.makeStream(of: [Parcel].self)
        feed.yield([Parcel(id: 1, place: "Ulm")])
        let task = Task { try await container.synchronize(Parcel.self, from: endless) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try stored(container) == before)
    }

    @Test(arguments: StoreKind.allCases)
    func `a scope and a limit`(_ kind: StoreKind) async throws {
        let container = try container(kind)
        func one(_ values: Parcel...) -> AsyncStream<[Parcel]> {
            AsyncStream { stream in
                stream.yield(values)
                stream.finish()
            }
        }
        let before = try stored(container)
        await #expect(throws: SynchronizeError.self) {
            try await container.synchronize(Parcel.self, from: one(), deletionLimit: 0.5)
        }
        #expect(try stored(container) == before)
        try await container.synchronize(
            Parcel.self,
            from: one(Parcel(id: 2, place: "Hof")),
            scope: .page(after: 1, through: 3)
        )
        #expect(try stored(container).map(\.id) == [1, 2, 4])
    }

    @Test(arguments: StoreKind.allCases)
    func `runs beside each other follow one after the other`(_ kind: StoreKind) async throws {
        let container = try container(kind)
        try await withThrowingTaskGroup { group in
            for run in 0..<20 {
                let list = (0..<50).map { Parcel(id: $0, place: "run \(run)") }
                let pages = AsyncStream<ArraySlice<Parcel>> { stream in
                    for start in stride(from: 0, to: 50, by: 10) {
                        stream.yield(list[start..<start + 10])
                    }
                    stream.finish()
                }
                group.addTask { try await container.synchronize(Parcel.self, from: pages) }
            }
            try await group.waitForAll()
        }
        let places = try stored(container).map(\.place)
        #expect(places.count == 50 && Set(places).count == 1)
    }
}
