import Dovetail
import DovetailStore
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

/// A save has three steps here: a change, a deletion and an insertion, so that all verbs are cut.
@Suite(.needsPostgres) struct CutConnectionTests {
    private enum Side { case answers, requests }

    /// Saves once for each of the bytes that a save on a new connection makes one of the sides say, or for
    /// each in a step of them, and cuts there.
    private func cutEachByte(_ side: Side, step: Int = 1) throws {
        let wire = try FaultyWire()
        let (container, proxy) = (wire.container, wire.proxy)
        let context = ModelContext(container)
        var version = 1
        context.insert(contentsOf: Ledger.entries(4, version: version))
        context.insert(contentsOf: Ledger.entries(8, version: version))
        try context.save()
        // The next connection has not prepared any statement but that of the read.
        proxy.endAll()
        _ = try LedgerRun.stored(in: container)
        proxy.arm(nil)
        try save(wire, version + 1)
        version += 1
        let bytes = side == .answers ? proxy.answered : proxy.requested
        #expect(bytes > 60)
        var cuts = 0
        var kinds: [StoreError.Kind: Int] = [:]
        var resolved = 0
        for count in stride(from: 0, to: bytes, by: step) {
            cuts += 1
            proxy.arm(side == .answers ? .cut(after: count) : .cutRequests(after: count))
            let before = [4: version, 8: version]
            let after = [4: version + 1, 8: version + 1]
            do {
                try save(wire, version + 1)
                // The cut came after the last byte that it needs.
                version += 1
                // The store has asked for the end of it over another connection.
                if proxy.strikes == cuts { resolved += 1 }
                #expect(try LedgerRun.stored(in: container) == after, "byte \(count)")
            } catch let error as StoreError {
                kinds[error.kind, default: 0] += 1
                try wire.settle()
                let found = try LedgerRun.stored(in: container)
                #expect(found == before, "byte \(count): \(error.debugDescription)")
                version = found[4] ?? version
            }
            proxy.arm(nil)
        }
        print("\(bytes) bytes of \(side), \(cuts) cuts, \(resolved) stored, errors: \(kinds)")
        #expect(proxy.strikes == cuts && cuts >= bytes / step)
        #expect(Set(kinds.keys).isSubset(of: [.storageFailure, .cannotOpen]))
        // What asks for the end of a transaction and does not arrive ends nothing.
        #expect(kinds[.storageFailure] ?? 0 > 0 && (resolved > 0) == (side == .answers))
        wire.expectNoLeak()
    }

    /// A save of two groups in their next version.
    private func save(_ wire: FaultyWire, _ version: Int) throws {
        let context = ModelContext(wire.container)
        context.update(Ledger.entries(4, version: version))
        context.delete(Ledger.entries(8, version: version))
        context.insert(contentsOf: Ledger.entries(8, version: version))
        try context.save()
    }

    @Test func `an answer cut at each of its bytes leaves all of a save or nothing`() throws {
        try cutEachByte(.answers)
    }

    @Test func `what is sent of a save and cut anywhere is stored as a whole or not at all`() throws
    {
        try cutEachByte(.requests, step: Soak.count(7, soak: 1))
    }

    @Test func `where the server cannot be asked, nobody knows what became of a save`() throws {
        let wire = try FaultyWire()
        let context = ModelContext(wire.container)
        for version in 1...3 {
            wire.proxy.arm(nil)
            context.upsert(Ledger.entries(4, version: version))
            try context.save()
        }
        // In the last words of the server, after all of which it listens to nobody.
        wire.proxy.arm(.cut(after: wire.proxy.answered - 8))
        wire.proxy.retarget(to: 1)
        context.upsert(Ledger.entries(4, version: 4))
        try wire.within(.milliseconds(1500)) {
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.kind == .commitUnknown)
        }
        #expect(wire.proxy.strikes == 1)
        #expect(context.hasChanges)
        wire.proxy.retarget(to: try #require(SharedPostgres.port))
        try wire.settle()
        #expect(try LedgerRun.stored(in: wire.container) == [4: 4])
        try context.save()
        #expect(try LedgerRun.stored(in: wire.container) == [4: 4])
    }
}
