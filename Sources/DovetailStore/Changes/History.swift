public import DovetailModel
public import Foundation

/// That a store keeps what was changed, and for how long.
///
/// ```swift
/// var configuration = ModelConfiguration()
/// configuration.history = StoreHistory(retention: .seconds(30 * 86_400))
/// ```
///
/// It is kept by the database itself, so that changes of other programs are in it. It stays on for a
/// database in which it was ever switched on. Each change of a row writes a second row.
public struct StoreHistory: Hashable, Sendable {
    /// How long changes are kept; nil for ever. Older ones are removed when the store is opened, and
    /// now and then while it is used.
    public let retention: Duration?

    /// Keeps changes for a time, or for ever.
    public init(retention: Duration? = nil) {
        self.retention = retention
    }
}

/// What one save, or one statement of another program, has changed.
public struct HistoryCommit: Hashable, Sendable {
    /// Its number. A later commit has a larger one.
    public let number: Int64
    /// When it was made, by the clock of the machine.
    public let date: Date
    /// The ``ModelContext``'s author; nil for one without, and for other programs.
    public let author: String?
    /// The changed rows, those of one table in the order of their changes.
    public let changes: [HistoryChange]

    /// Makes a commit, for stores of your own.
    public init(number: Int64, date: Date, author: String?, changes: [HistoryChange]) {
        self.number = number
        self.date = date
        self.author = author
        self.changes = changes
    }
}

/// How one row has changed.
public struct HistoryChange: Hashable, Sendable {
    /// What happened to a row.
    public enum Verb: String, Hashable, Codable, Sendable {
        /// It is new.
        case insert
        /// Some columns have other values.
        case update
        /// It is gone.
        case delete
    }

    /// The table.
    public let table: String
    /// What happened.
    public let verb: Verb
    /// The values of the key columns.
    public let key: [QueryValue]
    /// The names of the columns whose values changed; all of them for a new row, none for one that
    /// is gone.
    public let changedColumns: [String]
    /// The whole row in the order of its columns: as it is new, or as it was before.
    public let values: [QueryValue]

    /// Makes a change, for stores of your own.
    public init(
        table: String,
        verb: Verb,
        key: [QueryValue],
        changedColumns: [String],
        values: [QueryValue]
    ) {
        self.table = table
        self.verb = verb
        self.key = key
        self.changedColumns = changedColumns
        self.values = values
    }

    /// The row as a value of its model: a new one, or what an updated or deleted one was before.
    ///
    /// - Complexity: that of reading a row.
    /// - Throws: ``ModelDecodingError`` when the row is no value of the model.
    public func value<Value: Model>(as model: Value.Type) throws -> Value {
        let entity = EntityBinding(model)
        let image = RowImage(values)
        if let table = entity.classTable {
            // The type alone does not know which classes there are beside it.
            guard values.count == entity.attributes.count,
                let own = model as? any ManagedModel.Type, try table.model(of: image) == own
            else {
                throw ModelDecodingError(
                    kind: .rejected,
                    path: "",
                    expected: "a row of \(model), which shares its table with no other subclass",
                    found: "another one"
                )
            }
            return try ModelReader.readRow(
                of: model,
                from: ClassRow(image, columns: entity.classLevels),
                fields: entity.fields
            )
        }
        return try entity.value(of: image)
    }
}

extension HistoryCommit {
    /// Where the history keeps the number of the last commit that was removed for its age, in `dovetail_store`.
    package static let prunedName = "pruned"

    /// Sees that whoever knows a commit is told of all that came after it.
    ///
    /// - Parameters:
    ///   - number: That of the commit; 0 for whoever knows none, and asks for what there is.
    ///   - pruned: What is kept under ``prunedName``.
    /// - Throws: ``StoreError`` of kind `historyPruned`.
    package static func requireAll(
        after number: Int64,
        pruned: String?,
        location: String
    ) throws {
        guard number > 0, let pruned = pruned.flatMap({ Int64($0) }), number < pruned else {
            return
        }
        throw StoreError(
            .historyPruned,
            location: location,
            explanation:
                "commits after \(number), up to \(pruned), are older than the retention and were "
                + "removed; read the rows themselves, and go on with what comes after the last commit there is"
        )
    }

    /// The first commits after a number that have changed something. A store keeps a number for others, too:
    /// those of other models, and those that wrote what was there.
    ///
    /// - Parameters:
    ///   - limit: How many; nil for all.
    ///   - part: Gives what so many commits after a number have changed, with the number of the last one of them;
    ///     nil where there are none.
    package static func first(
        _ limit: Int?,
        after number: Int64,
        part: (_ after: Int64, _ limit: Int?) throws -> (commits: [HistoryCommit], last: Int64)?
    ) throws -> [HistoryCommit] {
        guard let limit else { return try part(number, nil)?.commits ?? [] }
        var found: [HistoryCommit] = []
        var last = number
        while found.count < limit,
            let next = try part(last, min(max(limit - found.count, 64), Int(Int32.max)))
        {
            found += next.commits
            last = next.last
        }
        return Array(found.prefix(max(limit, 0)))
    }
}
