import Dovetail

/// One side of a comparison of two models: its values, in documents of a thousand each.
///
/// A document is made and freed before the next one. In one document of all values a row would take the
/// time in which the system gives and takes pages, which is several times that of the work and another
/// one in each run.
struct BatchedSide<Value> {
    private let batches: [[Value]]
    private let documents: [Data]
    private let encode: ([Value]) throws -> Data
    private let decode: (Data) throws -> [Value]

    init(
        _ values: [Value],
        encode: @escaping ([Value]) throws -> Data,
        decode: @escaping (Data) throws -> [Value]
    ) throws {
        batches = stride(from: 0, to: values.count, by: 1000).map {
            Array(values[$0..<min($0 + 1000, values.count)])
        }
        documents = try batches.map(encode)
        (self.encode, self.decode) = (encode, decode)
        for (batch, document) in zip(batches, documents) {
            try expect(decode(document).count == batch.count)
        }
    }

    /// Writes all values; the result is the number of bytes.
    func write() throws -> Int { try batches.reduce(0) { try $0 + encode($1).count } }

    /// Reads all of them; the result is their number.
    func read() throws -> Int { try documents.reduce(0) { try $0 + decode($1).count } }
}

extension BatchedSide where Value: ModelValue {
    init(_ values: [Value], as format: ModelFormat = .json) throws {
        try self.init(
            values,
            encode: { try $0.encoded(as: format) },
            decode: { try [Value](decoding: $0, as: format) }
        )
    }
}

extension Comparison {
    /// Two rows: reading and writing.
    static func ofSides<Ours, Theirs>(
        _ name: String,
        goal: Goal,
        baseline: String,
        _ ours: BatchedSide<Ours>,
        _ theirs: BatchedSide<Theirs>
    ) throws -> [Comparison] {
        [
            try .of(
                "decode \(name)",
                goal: goal,
                baseline: baseline,
                rounds: 9,
                ours: ours.read,
                theirs: theirs.read
            ),
            try .of(
                "encode \(name)",
                goal: goal,
                baseline: baseline,
                rounds: 9,
                ours: ours.write,
                theirs: theirs.write
            ),
        ]
    }
}
