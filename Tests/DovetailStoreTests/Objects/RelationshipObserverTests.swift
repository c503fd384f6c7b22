import Dovetail
import StoreTestSupport
import Synchronization
import Testing

private let heard = Mutex<[String: [String]]>([:])

extension PersistentModel {
    fileprivate func note(_ text: String, _ test: String) {
        heard.withLock { $0[test, default: []].append(text) }
    }
}

private func take(_ test: String) -> [String] {
    heard.withLock { $0.removeValue(forKey: test) ?? [] }
}

@ModelProtocol private protocol WatchedWare: PersistentModel {}

@Model private final class WatchedCrate: WatchedWare {
    var test: String
    var number = 0 {
        didSet {
            if number < 0 { number = 0 }
            note("number \(oldValue) \(number)", test)
        }
    }
    var shelf: WatchedRack? {
        willSet { note("will \(shelf?.name ?? "-") \(newValue?.name ?? "-")", test) }
        didSet { note("did \(oldValue?.name ?? "-") \(shelf?.name ?? "-")", test) }
    }
    init(_ test: String) { self.test = test }
}

@Model private final class WatchedRack {
    var name: String
    var test: String
    @Relationship(inverse: \WatchedCrate.shelf) var crates: [WatchedCrate] = [] {
        didSet {
            note("crates \(oldValue.count) \(crates.count)", test)
            if crates.count > 2 { crates.removeLast() }
        }
    }
    @Relationship var wares: [any WatchedWare] = [] {
        willSet(next) { note("wares will \(wares.count) \(next.count)", test) }
        didSet { note("wares did \(wares.count)", test) }
    }
    var spares = [WatchedSpare]() {
        didSet { note("spares \(oldValue.count) \(spares.count)", test) }
    }
    @Relationship var best: (any WatchedWare)? {
        didSet { note("best \(oldValue == nil) \(best == nil)", test) }
    }
    init(_ name: String, _ test: String) { (self.name, self.test) = (name, test) }
}

@Model private final class WatchedSpare {
    var rack: WatchedRack?
    init() {}
}

@Model private final class WatchedLock {
    var key: WatchedCrate {
        didSet(before) { note("key \(before.number) \(key.number)", key.test) }
    }
    init(_ key: WatchedCrate) { self.key = key }
}

/// `willSet` and `didSet` of relationships see what plain classes' see.
@Suite struct RelationshipObserverTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        ModelContext(try kind.container(WatchedCrate.self, WatchedRack.self, WatchedLock.self))
    }

    @Test(arguments: StoreKind.allCases)
    func `observers see what was and what will be`(_ kind: StoreKind) throws {
        let test = "one \(kind)"
        let context = try context(kind)
        let crate = WatchedCrate(test)
        let (one, other) = (WatchedRack("s", test), WatchedRack("t", test))
        for _ in 0..<2 {
            crate.shelf = one
            crate.shelf = other
            crate.shelf = nil
            #expect(
                take(test) == ["will - s", "did - s", "will s t", "did s t", "will t -", "did t -"]
            )
            context.insert(crate)
            context.insert(one)
            context.insert(other)
            try context.save()
        }
        crate.shelf = one
        try context.save()
        _ = take(test)
        let second = ModelContext(context.container)
        let found = try #require(try second.fetch(FetchDescriptor<WatchedCrate>()).first)
        found.shelf = nil
        #expect(take(test) == ["will s -", "did s -"])
        try second.save()
        _ = try context.fetch(FetchDescriptor<WatchedCrate>())
        #expect(crate.shelf == nil)
        // What others have saved is set by no program.
        #expect(take(test) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `so do those of lists, of protocols and of required ones`(_ kind: StoreKind) throws {
        let test = "several \(kind)"
        let context = try context(kind)
        let rack = WatchedRack("r", test)
        context.insert(rack)
        rack.crates.append(WatchedCrate(test))
        rack.crates += [WatchedCrate(test), WatchedCrate(test)]
        #expect(rack.crates.count == 2)
        #expect(take(test) == ["crates 0 1", "crates 1 3"])
        rack.wares.append(WatchedCrate(test))
        rack.wares = [WatchedCrate(test), WatchedCrate(test)]
        #expect(take(test) == ["wares will 0 1", "wares did 1", "wares will 1 2", "wares did 2"])
        rack.spares.append(WatchedSpare())
        rack.spares = []
        #expect(take(test) == ["spares 0 1", "spares 1 0"])
        rack.best = WatchedCrate(test)
        rack.best = nil
        #expect(take(test) == ["best true false", "best false true"])
        let (first, next) = (WatchedCrate(test), WatchedCrate(test))
        first.number = 1
        next.number = 2
        let lock = WatchedLock(first)
        context.insert(lock)
        try context.save()
        _ = take(test)
        lock.key = next
        #expect(take(test) == ["key 1 2"])
        try context.save()
        let other = ModelContext(context.container)
        #expect(try other.fetch(FetchDescriptor<WatchedLock>()).first?.key.number == 2)
        #expect(try other.fetch(FetchDescriptor<WatchedRack>()).first?.crates.count == 2)
    }

    @Test func `one that sets its own property is not called for that`() throws {
        let crate = WatchedCrate("own")
        crate.number = 5
        crate.number = -7
        #expect(crate.number == 0)
        #expect(take("own") == ["number 0 5", "number 5 0"])
    }
}
