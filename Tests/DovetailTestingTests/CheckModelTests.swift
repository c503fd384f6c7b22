import Dovetail
import DovetailTesting
import TestAssets
import Testing

@Model
private struct Order: Equatable {
    var id: Int
    var title: String?
    var price: Decimal
    var at: Date
    var lines: [Line] = []
    var counts: [String: Int] = [:]
    var extra: ModelDocument = nil
    var tags: Set<String> = []

    static let sample = Order(
        id: 7,
        title: "é\"\\",
        price: 1.5,
        at: Date(timeIntervalSince1970: 0.25),
        lines: [Line(name: "a", weight: 1e-7), Line(name: "b", weight: -0.1)],
        counts: ["x": 1, "y": 2],
        extra: ["z": [1, nil], "z": 2.50, "a": [:]],
        tags: ["p", "q"]
    )
}

@Model
private struct Line: Equatable {
    var name: String
    var weight: Double
}

@Model(unknownFields: .preserve)
private struct Keeping: Equatable {
    var a: Int
    @Attribute(name: "b.c") var c: String?
}

@Model(unknownFields: .throw)
private struct Refusing: Equatable {
    var a: Int
}

/// Without an `==`.
@Model
private struct Shelf {
    var assets: [any Asset]
    var main: (any FileAsset)?
}

@Model
private enum Mood: String {
    case good, bad
}

struct CheckModelTests {
    private static let everywhere: Set<LawViolation.Law> = [
        .roundTrip, .orderOfFields, .unknownFields, .layout,
    ]
    private static let faults: [(any BrokenModel, Set<LawViolation.Law>)] = [
        (Forgetful.sample, everywhere),
        (ForgetfulWithoutEquality.sample, everywhere),
        (Silent.sample, everywhere),
        (Positional.sample, [.orderOfFields, .unknownFields]),
        (Closed.sample, [.unknownFields]),
        (Untyped.sample, [.everyPrefix, .everyByte]),
        (Invalid.sample, [.roundTrip]),
        (Unwritable.sample, [.roundTrip]),
    ]

    private let sound = SoundAsset(name: "s", path: "p")
    private let color = ColorAsset(name: "c", red: 1, green: 2, blue: 3)

    @Test
    func `lawful models`() throws {
        try checkModel(Order.sample, changes: 6_000)
        try checkModel(sound)
        try checkModel(Shelf(assets: [sound, color], main: sound), changes: 6_000)
        try checkModel(Mood.good)
        try checkModel(AssetGroup(name: "g"))
        var keeping = Keeping(a: 1, c: "x")
        try checkModel(keeping)
        keeping.unknownFields.members = [.init(key: "d", value: [1.5, nil])]
        try checkModel(keeping)
        try checkModel(Refusing(a: 1))
    }

    /// Declares what it does not do.
    private struct Liar: Model {
        static let typeName = "Liar"
        static let unknownFieldsPolicy = UnknownPolicy.preserve
        static var modelAttributes: [ModelAttribute] { Refusing.modelAttributes }
        init() {}
        init(modelValue reader: inout ModelReader) throws { try reader.skipValue() }
        func encode(to writer: inout ModelWriter) throws {
            try ModelDocument.object([]).encode(to: &writer)
        }
    }

    @Test
    func `lost fields are found`() {
        let laws = lawViolations(of: Liar(), changes: 0, seed: 1).map(\.law)
        #expect(Set(laws) == [.unknownFields])
    }

    @Test
    func `lawful lists`() throws {
        let assets: [any Asset] = [sound, color]
        try checkModels(assets, changes: 3_000)
        try checkModels([sound], changes: 3_000)
        let none: [any Asset] = []
        try checkModels(none)
    }

    @Test
    func `broken lists`() {
        let error = #expect(throws: LawViolations.self) {
            try checkModels([Positional.sample, Positional.sample], seed: 2)
        }
        let models = Set(error?.violations.map(\.model) ?? [])
        #expect(models == ["[Positional]", "Positional at [0]", "Positional at [1]"])
    }

    /// Every fault is found, and the laws that hold are not named.
    @Test(arguments: faults)
    func `broken models`(sample: any BrokenModel, laws: Set<LawViolation.Law>) throws {
        let violations = lawViolations(of: sample, seed: 1)
        #expect(Set(violations.map(\.law)) == laws)
        for law in laws { #expect(violations.count { $0.law == law } <= 5) }
        for violation in violations {
            #expect(violation.model == "\(type(of: sample))")
            #expect(violation.seed == 1)
            #expect(violation.description.contains("seed 1"))
            let shown = violation.document.prefix(100)
            #expect(shown.isEmpty || violation.description.contains(shown))
        }
        let error = #expect(throws: LawViolations.self) {
            try checkModel(sample, seed: 1, fileID: "Here/There.swift", line: 12)
        }
        #expect(error?.violations == violations)
        #expect(
            error?.description.hasPrefix("Here/There.swift:12: \(violations.count) violations")
                == true
        )
    }

    @Test
    func `what is said`() throws {
        let first = try #require(lawViolations(of: Forgetful.sample, seed: 9).first)
        #expect(
            first.description == """
                Forgetful breaks the law of round trips: another value is read, which is written as \
                {"first":1,"second":"x"} (seed 9) in {"first":5,"second":"x"}
                """
        )
        let untyped = try #require(lawViolations(of: Untyped.sample, seed: 9).first)
        #expect(untyped.explanation.hasPrefix("cut off at byte 0, it throws Failure"))
    }

    /// The same seed makes the same choices.
    @Test
    func `a seed repeats the values`() {
        let once = lawViolations(of: Untyped.sample, changes: 20, seed: 3)
        #expect(once == lawViolations(of: Untyped.sample, changes: 20, seed: 3))
        #expect(once != lawViolations(of: Untyped.sample, changes: 20, seed: 4))
        #expect(lawViolations(of: Untyped.sample, changes: 0, seed: 3).isEmpty)
    }
}
