import Dovetail

@Model(flattenable: true) struct Person: Equatable {
    var name: String; var email: String; var age: Int
}
@Model(flattenable: true) struct Place: Equatable { var city: String }

/// A `FlatRecord` of which two parts are models that are flattened in it.
@Model struct PartedRecord: Equatable {
    var id: Int
    @Attribute(.flattened) var person: Person
    var score: Double
    var isActive: Bool
    @Attribute(.flattened) var place: Place?
}

/// Names with a prefix, and what the same fields are where they are written out.
@Model struct PrefixedRecord: Equatable {
    var id: Int
    @Attribute(.flattened, prefix: "owner_") var owner: Person
    @Attribute(.flattened, prefix: "value") var value: RecordValue?
}
@Model(flattenable: true) enum RecordValue: Equatable {
    case text(String), number(Double), flag(Bool)
}
@Model(naming: .snakeCase) struct WrittenOutRecord: Equatable {
    var id: Int
    var ownerName: String
    var ownerEmail: String
    var ownerAge: Int
    @Attribute(name: "valueText") var text: String?
    @Attribute(name: "valueNumber") var number: Double?
    @Attribute(name: "valueFlag") var flag: Bool?
}

/// What models that are flattened in others cost, against the same fields written out.
enum FlattenedBenchmarks {
    static func run() throws -> [Comparison] {
        let flat = FlatRecord.samples(JSONBenchmarks.count)
        let json = try flat.encoded(as: .json)
        let plist = try flat.encoded(as: .binaryPlist)
        let parted = try [PartedRecord](decoding: json, as: .json)
        try expect(try parted.encoded(as: .json) == json)
        try expect(try [PartedRecord](decoding: plist, as: .binaryPlist) == parted)
        let prefixed = flat.map { record in
            PrefixedRecord(
                id: record.id,
                owner: Person(name: record.name, email: record.email, age: record.age),
                value: [
                    RecordValue.text(record.city), .number(record.score), .flag(record.isActive),
                    nil,
                ][record.id % 4]
            )
        }
        let names = try prefixed.encoded(as: .json)
        let written = try [WrittenOutRecord](decoding: names, as: .json)
        try expect(try [PrefixedRecord](decoding: names, as: .json) == prefixed)
        try expect(try written.encoded(as: .json) == names)
        let baseline = "fields written out"
        return try Comparison.ofSides(
            "100k flat, two flattened models",
            goal: .withinTimes(1.2),
            baseline: baseline,
            BatchedSide(parted),
            BatchedSide(flat)
        )
            + Comparison.ofSides(
                "100k flat in a binary plist, two flattened models",
                goal: .withinTimes(1.2),
                baseline: baseline,
                BatchedSide(parted, as: .binaryPlist),
                BatchedSide(flat, as: .binaryPlist)
            )
            + Comparison.ofSides(
                "100k records, flattened with prefixes",
                goal: .withinTimes(1.2),
                baseline: baseline,
                BatchedSide(prefixed),
                BatchedSide(written)
            )
    }
}
