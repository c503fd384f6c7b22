public import DovetailStore

/// What has to happen so that a store holds a list: a value to look at, to keep and to carry out later.
///
/// ```swift
/// let plan = try context.plan(users)
/// print(plan)
/// // User: 1 inserted, 1 updated, 1 deleted, 997 kept
/// // + 1004
/// // ~ 17: name, age
/// // - 3
/// try context.apply(plan, of: users)
/// try context.save()
/// ```
///
/// It names rows by their keys, and has neither their values nor those of the list: of each row that is
/// written it has a digest, by which ``ModelContext/apply(_:of:scope:)`` knows that nobody has changed the row
/// since. It is as large as the number of rows that differ, however many there are. Written with `Codable`
/// it can be applied by another program.
///
/// Its text has keys, which are stored data.
public struct SynchronizePlan: Hashable, Sendable, Codable {
    /// Why a row is written.
    public enum Reason: String, Hashable, Sendable, Codable {
        /// Inserted: no row has the key of the value.
        case notStored
        /// Inserted: the database gives the key.
        case withoutKey
        /// Updated: columns of the row differ from the value.
        case differs
        /// Updated: the row was outside of the scope, and its key is given.
        case comesIn
        /// Deleted: the list, which is one of the whole scope, has no value with this key.
        case notGiven
        /// Deleted: the list says that it was deleted.
        case deletedThere
    }

    /// One row that is written.
    public struct Row: Hashable, Sendable, Codable {
        /// The values of the key columns, in their order.
        public let key: [QueryValue]
        /// Why it is written.
        public let reason: Reason
        /// The names of the columns that change, of an update; otherwise empty.
        public let columns: [String]
        /// The digest of the row as it is; nil of one that is new.
        let before: UInt64?
        /// The digest of the row as it will be; nil of one that is deleted.
        let after: UInt64?
    }

    /// Up to where a backend has told its changes.
    public struct Tokens: Hashable, Sendable, Codable {
        /// The token that is stored when the plan is made; nil before the first list.
        public let since: String?
        /// The token that is stored with the rows.
        public let next: String
    }

    /// The table.
    public let table: String
    /// The rows that are new, in the order in which their values were given.
    public let inserted: [Row]
    /// The rows that differ, in the order of their keys.
    public let updated: [Row]
    /// The rows that go, in the order of their keys.
    public let deleted: [Row]
    /// How many rows stay as they are, because they are equal to the values with their keys.
    public let kept: Int
    /// How many rows the scope has.
    public let stored: Int
    /// Of a list of changes, where it begins and ends; nil for others.
    public let tokens: Tokens?
    /// Whether it is of a list of all rows of the table.
    public let isWhole: Bool
    /// Of a document of objects, the plans of the other classes that it has; otherwise empty.
    public let parts: [SynchronizePlan]
    /// What was there before it was applied.
    let replaced = ReplacedRows()

    private enum CodingKeys: String, CodingKey {
        case table, inserted, updated, deleted, kept, stored, tokens, isWhole, parts
    }

    init(
        table: String,
        inserted: [Row],
        updated: [Row],
        deleted: [Row],
        kept: Int,
        stored: Int,
        tokens: Tokens?,
        isWhole: Bool,
        parts: [SynchronizePlan] = []
    ) {
        self.table = table
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.kept = kept
        self.stored = stored
        self.tokens = tokens
        self.isWhole = isWhole
        self.parts = parts
    }

    /// Makes the plan of a whole list of those of its parts.
    init(joining parts: [SynchronizePlan], of table: String, _ tokens: Tokens?) {
        self.init(
            table: table,
            inserted: parts.flatMap(\.inserted),
            updated: parts.flatMap(\.updated),
            deleted: parts.flatMap(\.deleted),
            kept: parts.reduce(0) { $0 + $1.kept },
            stored: parts.reduce(0) { $0 + $1.stored },
            tokens: tokens,
            isWhole: parts.count == 1 && parts[0].isWhole
        )
    }

    /// Whether no row has to be written.
    public var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && parts.allSatisfy(\.isEmpty)
    }

    /// What part of the stored rows of its scope it deletes, from 0 to 1.
    public var deletedShare: Double { Self.share(deleted.count, of: stored) }

    static func share(_ deleted: Int, of stored: Int) -> Double {
        deleted == 0 ? 0 : Double(deleted) / Double(max(deleted, stored))
    }
}

extension SynchronizePlan: CustomStringConvertible {
    /// The four numbers in one line.
    public var summary: String {
        "\(table): \(inserted.count) inserted, \(updated.count) updated, \(deleted.count) deleted, "
            + "\(kept) kept"
    }

    /// The four numbers, and after them the keys of at most ten rows of each kind, a line each.
    public var description: String {
        func lines(_ mark: String, _ rows: [Row]) -> [String] {
            var lines = rows.prefix(10).map { row in
                let key = row.key.map(\.text).joined(separator: ", ")
                let columns = row.columns.joined(separator: ", ")
                return "\(mark) \(key)\(columns.isEmpty ? "" : ": \(columns)")"
            }
            if rows.count > 10 { lines.append("\(mark) and \(rows.count - 10) more") }
            return lines
        }
        return
            ([summary] + lines("+", inserted) + lines("~", updated) + lines("-", deleted)
            + parts.map(\.description))
            .joined(separator: "\n")
    }
}

extension QueryValue {
    /// The value in a line of a plan.
    fileprivate var text: String {
        switch self {
        case .null: "(new)"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .text(let value), .document(let value): String(value.prefix(40))
        case .date(let value): "\(value)"
        case .data(let value): "\(value.count) bytes"
        }
    }
}

extension [SynchronizePlan.Row] {
    /// The rows in the order of their keys, which not every store gives them in: plans of equal stores are
    /// equal.
    ///
    /// - Complexity: linear where they have it already, otherwise O(n log n).
    func inOrderOfKeys() -> [SynchronizePlan.Row] {
        func isBefore(_ left: SynchronizePlan.Row, _ right: SynchronizePlan.Row) -> Bool {
            for (left, right) in zip(left.key, right.key) {
                let order = QueryValue.order(left, right)
                if order != 0 { return order < 0 }
            }
            return false
        }
        let isInOrder = zip(self, dropFirst()).allSatisfy { !isBefore($1, $0) }
        return isInOrder ? self : sorted(by: isBefore)
    }
}
