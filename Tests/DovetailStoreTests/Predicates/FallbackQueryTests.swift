import Dovetail
import DovetailPostgres
import PostgresTestSupport
import StoreTestSupport
import Testing

private enum Before {
    @Model(typeName: "CraneState") enum State: String { case idle, lifting, `default`, broken }
    @Model(typeName: "CraneLoad") enum Load: Int { case none, light = 5, heavy = 300 }
    @Model(typeName: "CraneLog") struct Log {
        var state: State
        var last: State?
    }
    @Model(typeName: "Crane") struct Crane: Identifiable {
        let id: Int
        var state: State
        var next: State?
        var load: Load
        var past: [State]
        var byHour: [Int: State]
        var log: Log
        var second: Log?
    }
}

private enum After {
    @Model(typeName: "CraneState") enum State: String, CaseIterable {
        case idle, `default`
        @Fallback case unknown
    }
    @Model(typeName: "CraneLoad") enum Load: UInt8, CaseIterable {
        case none
        @Fallback case other = 5
    }
    @Model(typeName: "CraneLog") struct Log: Equatable {
        var state: State
        var last: State?
        var first: State = .unknown
    }
    @Model(typeName: "Crane") struct Crane: Identifiable, Equatable {
        let id: Int
        var state: State
        var next: State?
        var load: Load
        var past: [State]
        var byHour: [Int: State]
        var log: Log
        var second: Log?
    }
}

/// One store for all containers that are made with it.
private struct OneMemory: DataStoreConfiguration {
    private final class Kept: @unchecked Sendable {
        // Invariant: used by the one test that made it.
        var store: (any DataStore)?
    }
    private let kept = Kept()

    func makeStore(for models: Schema) throws -> any DataStore {
        let store = kept.store ?? MemoryConfiguration().makeStore(for: models)
        kept.store = store
        return store
    }
}

/// A stored value that no case has is read as the case with `@Fallback`, and is it in queries.
@Suite struct FallbackQueryTests {
    @Test(arguments: StoreKind.allCases)
    func `what a fetch reads as the fallback is the fallback`(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let schema = kind == .postgres ? try FreshSchema() : nil
        let memory = OneMemory()
        func container(_ model: any Model.Type) throws -> ModelContainer {
            switch kind {
            case .sqlite:
                try ModelContainer(
                    for: [model],
                    configuration: ModelConfiguration(url: folder.file())
                )
            case .memory: try ModelContainer(for: [model], configuration: memory)
            case .postgres:
                try ModelContainer(
                    for: [model],
                    configuration: PostgresConfiguration(try #require(schema).connectionString)
                )
            }
        }
        let old = ModelContext(try container(Before.Crane.self))
        let states: [Before.State] = [.idle, .lifting, .default, .broken]
        for id in 0..<8 {
            let state = states[id % 4]
            old.insert(
                Before.Crane(
                    id: id,
                    state: state,
                    next: id > 4 ? states[(id + 1) % 4] : nil,
                    load: [.none, .light, .heavy][id % 3],
                    past: Array(states.prefix(id % 4)),
                    byHour: id % 2 == 0 ? [id: state] : [:],
                    log: Before.Log(state: state, last: id < 4 ? .broken : nil),
                    second: id > 2 ? Before.Log(state: state) : nil
                )
            )
        }
        try old.save()

        let context = ModelContext(try container(After.Crane.self))
        context.insert(
            After.Crane(
                id: 8,
                state: .unknown,
                next: .unknown,
                load: .other,
                past: [.unknown],
                byHour: [8: .unknown],
                log: After.Log(state: .unknown, last: .unknown, first: .idle)
            )
        )
        try context.save()
        let all = try context.fetch(FetchDescriptor<After.Crane>())
        #expect(all.filter { $0.state == .unknown }.count == 5)
        func same(_ predicate: Predicate<After.Crane>) throws {
            let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.id)
            #expect(try Set(found) == Set(all.filter(predicate.evaluate).map(\.id)), "\(predicate)")
        }
        let some: [After.State] = [.unknown, .default]
        let none: [After.State?] = [.unknown, nil]
        for state in After.State.allCases {
            try same(#Predicate { $0.state == state })
            try same(#Predicate { $0.state != state })
            try same(#Predicate { state == $0.state })
            try same(#Predicate { $0.next == state })
            try same(#Predicate { $0.next != state })
            try same(#Predicate { ($0.next ?? state) == state })
            try same(#Predicate { $0.past.contains(state) })
            try same(#Predicate { $0.past.allSatisfy { $0 == state } })
            try same(#Predicate { $0.past.filter { $0 != state }.count > 1 })
            try same(#Predicate { $0.byHour[2] == state })
            try same(#Predicate { $0.byHour[2, default: .idle] == state })
            try same(#Predicate { $0.log.state == state })
            try same(#Predicate { $0.log.last == state })
            try same(#Predicate { $0.log.last != state })
            try same(#Predicate { $0.log.first == state })
            try same(#Predicate { $0.second?.state == state })
            try same(#Predicate { $0.second?.first != state })
            try same(#Predicate { $0.state.rawValue == state.rawValue })
        }
        try same(#Predicate { $0.next == nil })
        try same(#Predicate { $0.next != nil })
        try same(#Predicate { some.contains($0.state) })
        try same(#Predicate { !some.contains($0.state) })
        try same(#Predicate { none.contains($0.next) })
        try same(#Predicate { !none.contains($0.next) })
        try same(#Predicate { $0.load == .none })
        try same(#Predicate { $0.load == .other })
        try same(#Predicate { $0.load != .other })
        try same(#Predicate { $0.state.rawValue == "lifting" })

        let groups = try context.select(.value(\After.Crane.state), .count())
        #expect(
            Set(groups.map { "\($0.0) \($0.1)" }) == ["idle 2", "default 2", "unknown 5"]
        )
        let loads = try context.select(.value(\After.Crane.load), .max(\After.Crane.id))
        #expect(Set(loads.map { "\($0.0) \($0.1 ?? -1)" }) == ["none 6", "other 8"])
        #expect(
            try Set(context.select(.value(\After.Crane.next), distinct: true)) == [
                nil, .idle, .default, .unknown,
            ]
        )
        try context.delete(model: After.Crane.self, where: #Predicate { $0.state != .unknown })
        try context.save()
        #expect(
            try Set(context.fetch(FetchDescriptor<After.Crane>()).map(\.id)) == [1, 3, 5, 7, 8]
        )
        try context.delete(model: After.Crane.self, where: #Predicate { $0.load == .other })
        try context.save()
        #expect(try context.fetch(FetchDescriptor<After.Crane>()).map(\.id) == [3])
    }

    @Test func `an index serves the question for any other case`() throws {
        let binding = EntityBinding(After.Crane.self)
        let translator = QueryTranslator(binding)
        let plain = try translator.filter(#Predicate<After.Crane> { $0.state == .idle })
        #expect(plain == .equal(.attribute(1, isOptional: false), .value(.text("idle"))))
    }
}
