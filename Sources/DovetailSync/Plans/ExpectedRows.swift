import DovetailContext
import DovetailModel
import DovetailStore

/// The rows that a plan writes, as they were when it was made, compared with what is stored now.
struct ExpectedRows {
    private let entity: EntityBinding
    /// By key the digest of the row; nil where there was none.
    private var digests: [RowKey: UInt64?] = [:]

    init(_ entity: EntityBinding) {
        self.entity = entity
    }

    var isEmpty: Bool { digests.isEmpty }
    var keys: [RowKey] { Array(digests.keys) }

    func contains(_ key: RowKey) -> Bool { digests[key] != nil }

    /// Expects a row; nil for none. A key that the database will give is not asked about.
    mutating func expect(_ key: RowKey, _ digest: UInt64?) {
        if case .other(let values) = key, values.contains(.null) { return }
        digests[key] = .some(digest)
    }

    /// What is stored now, as far as it was gone over.
    struct Findings {
        private let entity: EntityBinding
        /// What was not met yet.
        private var rest: [RowKey: UInt64?]
        private var outdated: [RowKey] = []

        fileprivate init(_ expected: ExpectedRows) {
            entity = expected.entity
            rest = expected.digests
        }

        /// Goes over rows with the keys that are expected.
        ///
        /// - Parameter body: What else is done with each row that is as expected.
        /// - Throws: what `body` and the cursor throw, and ``ModelDecodingError`` for a stored key that
        ///   cannot be read.
        mutating func go(
            over cursor: any RowCursor,
            _ body: (RowKey) throws -> Void = { _ in }
        ) throws {
            while try cursor.next() {
                let key = try RowKey(row: cursor, entity: entity)
                guard let digest = rest.removeValue(forKey: key) else { continue }
                if let digest, RowDigest(cursor, of: entity).value == digest {
                    try body(key)
                } else {
                    outdated.append(key)
                }
            }
        }

        /// Ends the comparison.
        ///
        /// - Throws: ``StoreError`` of kind `planOutdated`, which names all keys whose rows are others.
        func finish() throws {
            let outdated = outdated + rest.filter { $0.value != nil }.map(\.key)
            guard !outdated.isEmpty else { return }
            throw StoreError(
                .planOutdated,
                table: entity.table,
                explanation: outdated.count == 1
                    ? "a row has changed since the plan was made; make another one"
                    : "\(outdated.count) rows have changed since the plan was made; make another one"
            )
            .naming(all: outdated.map(\.values))
        }
    }

    /// Begins to compare with what is stored. It costs a look into the index of the key for each row.
    func findings() -> Findings { Findings(self) }
}

extension ExpectedRows {
    /// A part of what waits that refuses the save where rows have changed that the parts after it write.
    ///
    /// - Parameter replaced: Takes the rows that were there, once the others are stored.
    func check(keeping replaced: ReplacedRows? = nil) -> RowlessBatch {
        // The rows that are there, until they are replaced.
        let before = RowsBefore()
        let didCommit = {
            replaced?.keep(before.rows)
            before.rows = [:]
        }
        return RowlessBatch(entity.type, didCommit: didCommit) { connection, entity in
            before.rows = [:]
            var findings = findings()
            for part in entity.parts(of: keys) {
                let cursor = try connection.rows(of: Query(entity, filter: entity.filter(of: part)))
                defer { cursor.close() }
                try findings.go(over: cursor) { key in
                    // A row that is no value of the model cannot be put back.
                    if replaced != nil { before.rows[key] = try? entity.values(of: cursor) }
                }
            }
            try findings.finish()
        }
    }
}

private final class RowsBefore {
    var rows: [RowKey: [QueryValue]] = [:]
}
