import Dovetail
import DovetailPostgres
import DovetailStore
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

/// A container whose connections to the shared server go through a proxy.
struct FaultyWire {
    let schema: FreshSchema
    let proxy: FaultyProxy
    let container: ModelContainer
    /// Beside the proxy.
    private let raw: RawPostgres

    init(_ models: [any Model.Type] = [Entry.self], size: Int = 1) throws {
        schema = try FreshSchema()
        raw = try schema.connect()
        proxy = try FaultyProxy(to: try #require(SharedPostgres.port))
        var configuration = PostgresConfiguration(
            "postgresql://postgres@127.0.0.1:\(proxy.port)/postgres?sslmode=disable"
        )
        configuration.searchPath = [schema.name]
        configuration.pool.size = size
        configuration.connectTimeout = .seconds(2)
        container = try ModelContainer(for: models, configuration: configuration)
    }

    /// Waits until the server works for nobody in this schema: what was under way when a connection was
    /// cut has come to its end.
    func settle() throws {
        let busy = """
            SELECT count(*) FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
            JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = '\(schema.name)'
            """
        let deadline = ContinuousClock.now + .seconds(30)
        while try raw.value(busy) != "0" {
            try #require(ContinuousClock.now < deadline, "a transaction stays open")
            usleep(500)
        }
    }

    /// Waits until no more connections than the pool may have go through the proxy.
    func expectNoLeak(size: Int = 1, _ comment: Comment? = nil) {
        let deadline = ContinuousClock.now + .seconds(10)
        while proxy.connections > size, ContinuousClock.now < deadline { usleep(500) }
        #expect(proxy.connections <= size, comment)
    }

    /// Runs `body` as the container's threads do, so that it ends at a deadline; fails when it ends much
    /// later than that.
    func within(
        _ time: Duration,
        location: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) throws {
        let start = ContinuousClock.now
        let interruption = StoreInterruption(deadline: start + time)
        defer {
            // Much later: the machine may be busy, and the server is asked to end what it does.
            let took = ContinuousClock.now - start
            #expect(took < time + .seconds(8), "it took \(took)", sourceLocation: location)
        }
        try StoreInterruption.$current.withValue(interruption) { try body() }
    }
}
