import Dovetail

// The same models with a feature of Documentation/WorldDocuments.md and without it.

/// A `FlatRecord` of which any field may be null.
@Model
struct NullableRecord: Equatable {
    var id: Int??
    var name: String??
    var email: String??
    var age: Int??
    var score: Double??
    var isActive: Bool??
    var city: String??
}

@Model
struct OptionalRecord: Equatable {
    var id: Int?
    var name: String?
    var email: String?
    var age: Int?
    var score: Double?
    var isActive: Bool?
    var city: String?
}

@ModelProtocol(wrapper: true) protocol WorldShape {}
@ModelProtocol(typeKey: "kind", typeName: "shape") protocol LevelShape: LevelRoot {}
@ModelProtocol(typeKey: "object") protocol LevelRoot {}
@ModelProtocol(typeKey: "kind") protocol FlatShape {}
@ModelProtocol(typeKey: "meta.kind") protocol PathShape {}
@ModelProtocol(typeKey: "kind", tagKind: .scalar) protocol ScalarShape {}
@ModelProtocol(
    tagging: .untagged,
    conformers: Circle.self,
    Rectangle.self,
    Label.self,
    Marker.self
)
protocol LooseShape {}

extension Circle: WorldShape, LevelShape, FlatShape, PathShape, ScalarShape, LooseShape {}
extension Rectangle: WorldShape, LevelShape, FlatShape, PathShape, ScalarShape, LooseShape {}
extension Label: WorldShape, LevelShape, FlatShape, PathShape, ScalarShape, LooseShape {}
extension Marker: WorldShape, LevelShape, FlatShape, PathShape, ScalarShape, LooseShape {}

@Model(tagging: .untagged) enum WorldID: Equatable { case number(Int), text(String), flags([Bool]) }

/// The same by hand.
enum HandID: ModelValue, Equatable {
    case number(Int), text(String), flags([Bool])

    init(modelValue reader: inout ModelReader) throws {
        switch try reader.peekKind() {
        case .integer: self = .number(try Int(modelValue: &reader))
        case .string: self = .text(try String(modelValue: &reader))
        default: self = .flags(try [Bool](modelValue: &reader))
        }
    }

    func encode(to writer: inout ModelWriter) throws {
        try writer.embed { writer in
            switch self {
            case .number(let number): try number.encode(to: &writer)
            case .text(let text): try text.encode(to: &writer)
            case .flags(let flags): try flags.encode(to: &writer)
            }
        }
    }
}

@Model struct WorldIDs: Equatable { var id: WorldID; var name: String }
@Model struct HandIDs: Equatable { var id: HandID; var name: String }
@Model(payload: .bare) enum BareCase: Equatable { case page(String), size(Int) }
@Model enum FieldCase: Equatable { case page(id: String), size(of: Int) }
@Model(writesTypeKey: true) struct TaggedRecord: FlatShape, Equatable {
    var id: Int; var name: String
}
/// The same documents of a model that says the constant itself.
@Model struct PlainRecord: Equatable {
    @Attribute(.constant) let kind = "TaggedRecord"
    var id: Int
    var name: String
}
@Model struct ExactPrice: Equatable { var amount: ExactNumber; var at: OffsetDate }
@Model struct PlainPrice: Equatable { var amount: Decimal; var at: Date }

/// What documents as the world writes them cost, beside the same models without.
enum WorldBenchmarks {
    private static let count = JSONBenchmarks.count

    static func run() throws -> [Comparison] {
        try values() + shapes() + unions()
    }

    private static func pair<Ours: Model, Theirs: Model>(
        _ name: String,
        _ baseline: String,
        _ ours: [Ours],
        _ theirs: [Theirs],
        goal: Double = 1.2
    ) throws -> [Comparison] {
        try Comparison.ofSides(
            "100k \(name)",
            goal: .withinTimes(goal),
            baseline: baseline,
            BatchedSide(ours),
            BatchedSide(theirs)
        )
    }

    private static func values() throws -> [Comparison] {
        let records = try FlatRecord.samples(count).encoded(as: .json)
        let numbers = 0..<count
        let texts = try numbers.map {
            try ExactPrice(decoding: Data(priceText($0).utf8), as: .json)
        }
        let plain = try numbers.map {
            try PlainPrice(decoding: Data(priceText($0).utf8), as: .json)
        }
        return try pair(
            "flat, T??",
            "T?",
            [NullableRecord](decoding: records, as: .json),
            [OptionalRecord](decoding: records, as: .json)
        )
            + pair(
                "payload: .bare",
                "an object of fields",
                numbers.map { $0 % 2 == 0 ? BareCase.page("\($0)") : .size($0) },
                numbers.map { $0 % 2 == 0 ? FieldCase.page(id: "\($0)") : .size(of: $0) }
            )
            + pair(
                "writesTypeKey",
                "a constant of its name",
                numbers.map { TaggedRecord(id: $0, name: "n\($0)") },
                numbers.map { PlainRecord(id: $0, name: "n\($0)") }
            )
            // Text is kept, which a number and an instant are not.
            + pair("ExactNumber, OffsetDate", "Decimal, Date", texts, plain, goal: .infinity)
    }

    private static func priceText(_ number: Int) -> String {
        #"{"amount":\#(number).50,"at":"2024-03-01T11:20:30+01:00"}"#
    }

    private static func shapes() throws -> [Comparison] {
        let samples = Shapes.samples(count)
        func side<Value>(_ values: [Value], _ table: RootCoding<Value>) throws -> BatchedSide<Value>
        {
            try expect(values.count == count)
            return try BatchedSide(
                values,
                encode: { try $0.encoded(as: .json, by: table) },
                decode: { try [Value](decoding: $0, as: .json, by: table) }
            )
        }
        let flat = try side(
            samples.compactMap { $0 as? any FlatShape },
            RootCoding(FlatShapeModel.self)
        )
        let world = samples.compactMap { $0 as? any WorldShape }
        var rows = try Comparison.ofSides(
            "100k wrapped",
            goal: .withinTimes(1.2),
            baseline: "any P",
            BatchedSide(world.map { AnyWorldShape($0) }),
            side(world, RootCoding(WorldShapeModel.self))
        )
        func row<Ours>(
            _ name: String,
            _ values: [Ours],
            by table: RootCoding<Ours>,
            goal: Double = 1.2
        ) throws {
            rows += try Comparison.ofSides(
                "100k \(name)",
                goal: .withinTimes(goal),
                baseline: "one plain type key",
                side(values, table),
                flat
            )
        }
        rows += try Comparison.ofSides(
            "100k tags of two levels",
            goal: .withinTimes(1.2),
            baseline: "a tag and a constant",
            side(samples.compactMap { $0 as? any LevelRoot }, RootCoding(LevelRootModel.self)),
            side(samples.map(\.withConstant), RootCoding(ConstantShapeModel.self))
        )
        // The object is entered twice, as the conformer may have fields beside the key.
        try row(
            "type key at a path",
            samples.compactMap { $0 as? any PathShape },
            by: RootCoding(PathShapeModel.self),
            goal: 2
        )
        try row(
            "scalar tags",
            samples.compactMap { $0 as? any ScalarShape },
            by: RootCoding(ScalarShapeModel.self)
        )
        // Half of the objects are read after a look at all of their fields.
        try row(
            "protocol without tags",
            samples.compactMap { $0 as? any LooseShape },
            by: RootCoding(LooseShapeModel.self),
            goal: .infinity
        )
        return rows
    }

    private static func unions() throws -> [Comparison] {
        let numbers = 0..<count
        let ours = numbers.map { number in
            WorldIDs(
                id: number % 3 == 0
                    ? .number(number) : number % 3 == 1 ? .text("\(number)") : .flags([true]),
                name: "n"
            )
        }
        let data = try ours.encoded(as: .json)
        return try pair(
            "untagged values",
            "peekKind() by hand",
            ours,
            [HandIDs](decoding: data, as: .json)
        )
    }
}
