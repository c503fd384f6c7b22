import Dovetail
import StoreTestSupport
import Testing

@Model struct GaugeAmount: Equatable, Sendable {
    var value: Double
    var unit: String?
}

@Model(flattenable: true) enum GaugeValue: Equatable, Sendable {
    case string(String), quantity(GaugeAmount), boolean(Bool)
}

@Model(flattenable: true) struct GaugePlace: Equatable, Sendable {
    var street: String
    var city: String
}

@Model(flattenable: true) struct GaugeHead: Equatable, Sendable {
    var note: String
    @Attribute(.flattened, prefix: "inner") var inner: GaugeValue?
}

@Model struct Gauge: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.flattened, prefix: "value") var value: GaugeValue?
    @Attribute(.flattened, prefix: "place_") var place: GaugePlace?
    @Attribute(.flattened) var head: GaugeHead
}

/// A model whose hook refuses what both sides have made of it together.
@Model struct MergedSpan: Identifiable, Equatable, Sendable, ModelLifecycle {
    struct Backwards: Error {}

    let id: Int
    var start: Int
    var end: Int

    func didDecode() throws {
        if start > end { throw Backwards() }
    }
}

/// What is in several columns and is one value, merged with a list.
@Suite struct FlattenedMergeTests {
    private func gauge(
        _ value: GaugeValue?,
        _ place: GaugePlace? = nil,
        _ inner: GaugeValue? = nil,
        note: String = ""
    ) -> Gauge {
        Gauge(id: 1, value: value, place: place, head: GaugeHead(note: note, inner: inner))
    }

    private func merged(
        _ kind: StoreKind,
        _ base: Gauge,
        _ mine: Gauge,
        _ theirs: Gauge,
        _ policy: LocalChangePolicy<Gauge>
    ) throws -> (context: ModelContext, gauge: Gauge?) {
        let context = ModelContext(try kind.following([Gauge.self, MergeConflict.self]))
        try context.synchronize([base])
        try context.save()
        context.update(mine)
        try context.save()
        try context.synchronize([theirs], localChanges: policy)
        try context.save()
        return (context, try context.fetch(Gauge.self, id: 1))
    }

    private static let place = GaugePlace(street: "s", city: "c")
    private static let moved = GaugePlace(street: "s", city: "d")
    /// What both sides make of what there was.
    private static let changes: [(GaugeValue?, GaugeValue?, GaugeValue?)] = [
        (.string("a"), .boolean(true), .quantity(GaugeAmount(value: 1))),
        (.string("a"), .boolean(true), .string("b")), (.string("a"), nil, .boolean(true)),
        (.string("a"), nil, .string("b")), (nil, .boolean(true), .string("b")),
        (.string("a"), .boolean(true), nil),
    ]

    @Test(arguments: StoreKind.allCases, changes.indices)
    func `an enum is one value`(kind: StoreKind, index: Int) throws {
        let (base, mine, theirs) = Self.changes[index]
        for place in 0..<2 {
            func gauge(_ value: GaugeValue?) -> Gauge {
                place == 0 ? self.gauge(value) : self.gauge(nil, nil, value)
            }
            let forms = [base, mine, theirs].map(gauge)
            let refused = #expect(throws: SynchronizeError.self) {
                _ = try merged(kind, forms[0], forms[1], forms[2], .merge())
            }
            #expect(
                refused?.conflicts.map(\.attributes) == [[place == 0 ? "value" : "head.inner"]]
            )
            let own = try merged(kind, forms[0], forms[1], forms[2], .merge(conflicts: .storeWins))
            #expect(own.gauge == forms[1])
            let list = try merged(kind, forms[0], forms[1], forms[2], .merge(conflicts: .listWins))
            #expect(list.gauge == forms[2])
            #expect(try list.context.localChanges(of: Gauge.self).isEmpty)
            let kept = try merged(kind, forms[0], forms[1], forms[2], .merge(conflicts: .keep))
            #expect(kept.gauge == forms[1])
            let conflicts = try kept.context.fetch(FetchDescriptor<MergeConflict>())
            #expect(conflicts.count == 1)
            for conflict in conflicts { try kept.context.resolve(conflict, taking: .remote) }
            try kept.context.save()
            #expect(try kept.context.fetch(Gauge.self, id: 1) == forms[2])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an optional is one value, and has a rule of its own`(kind: StoreKind) throws {
        let base = gauge(.string("a"), Self.place)
        let (mine, theirs) = (gauge(.string("a"), nil), gauge(.string("b"), Self.moved))
        let policy = LocalChangePolicy<Gauge>.merge(conflicts: .storeWins)
        let own = try merged(kind, base, mine, theirs, policy)
        #expect(own.gauge == gauge(.string("b"), nil))
        let list = try merged(kind, base, mine, theirs, policy.conflicts(in: \.place, .listWins))
        #expect(list.gauge == theirs)
        let back = try merged(kind, base, theirs, mine, policy)
        #expect(back.gauge == gauge(.string("b"), Self.moved))
        // What is flattened without an optional is merged attribute by attribute.
        let both = try merged(
            kind,
            gauge(nil),
            gauge(nil, nil, .boolean(true)),
            gauge(nil, note: "n"),
            .merge()
        )
        #expect(both.gauge == gauge(nil, nil, .boolean(true), note: "n"))
    }

    @Test(arguments: StoreKind.allCases)
    func `what the model refuses of both is a conflict of the row`(kind: StoreKind) throws {
        func start() throws -> ModelContext {
            let context = ModelContext(try kind.following([MergedSpan.self, MergeConflict.self]))
            try context.synchronize([
                MergedSpan(id: 1, start: 1, end: 9), MergedSpan(id: 2, start: 1, end: 2),
            ])
            try context.save()
            context.update(MergedSpan(id: 1, start: 8, end: 9))
            try context.save()
            return context
        }
        let list = [MergedSpan(id: 1, start: 1, end: 5), MergedSpan(id: 2, start: 1, end: 3)]
        func spans(_ context: ModelContext) throws -> [[Int]] {
            try context.fetch(FetchDescriptor<MergedSpan>(sortBy: [SortDescriptor(\.id)]))
                .map { [$0.start, $0.end] }
        }
        let refusing = try start()
        let refused = #expect(throws: SynchronizeError.self) {
            try refusing.synchronize(list, localChanges: .merge())
        }
        #expect(refused?.conflicts.map(\.key) == [[.integer(1)]])
        for (policy, expected) in [(ListConflictPolicy.storeWins, [8, 9]), (.listWins, [1, 5])] {
            let context = try start()
            try context.synchronize(list, localChanges: .merge(conflicts: policy))
            try context.save()
            #expect(try spans(context) == [expected, [1, 3]])
        }
        let keeping = try start()
        for _ in 0..<2 {
            try keeping.synchronize(list, localChanges: .merge(conflicts: .keep))
            try keeping.save()
            #expect(try spans(keeping) == [[8, 9], [1, 3]])
            #expect(try keeping.fetchCount(FetchDescriptor<MergeConflict>()) == 1)
        }
        for conflict in try keeping.fetch(FetchDescriptor<MergeConflict>()) {
            try keeping.resolve(conflict, taking: .remote)
        }
        try keeping.save()
        #expect(try spans(keeping) == [[1, 5], [1, 3]])
        #expect(try keeping.localChanges(of: MergedSpan.self).isEmpty)
    }
}
