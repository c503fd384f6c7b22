package import DovetailModel

/// What happens to one row.
///
/// ```swift
/// var older = ann
/// older.age += 1
/// let change = try RowChange(
///     updating: [2], of: entity, to: RowImage(of: older), from: RowImage(of: ann)
/// )
/// // UPDATE "User" SET "age" = ?3 WHERE "id" = ?1 AND "age" IS ?6
/// ```
public struct RowChange {
    /// What happens.
    public let verb: WriteVerb
    /// The values of the key columns, in their order. NULL where the database gives the key.
    public var key: [QueryValue] { rowKey.values }
    /// The same, for which no array is made where it is one number.
    package private(set) var rowKey: RowKey
    /// The columns that count: those that an update sets, and in which the stored row has to be what
    /// ``base`` is.
    public private(set) var columns: ColumnSet
    /// The row as it was when it was read; nil to write whatever is stored. Columns that do not count may
    /// be NULL whatever they were.
    public private(set) var base: RowImage?
    /// The row as it shall be; nil for a deletion. Of an update, columns that neither count nor belong to
    /// the key may be NULL whatever they are: only the object knows them, and a store need not ask.
    public private(set) var mine: RowImage?
    /// Whether nothing happens where the row is gone, as with every deletion.
    public let skipsMissing: Bool
    /// Makes the same change of whole rows; nil where these are whole.
    private let completed: (() throws -> RowChange?)?

    /// The change with all columns of ``base`` and ``mine``, which a conflict tells.
    ///
    /// - Throws: ``ModelEncodingError``.
    func whole() throws -> RowChange { try completed?() ?? self }

    /// Writes a whole row, or deletes the one with its key.
    ///
    /// - Throws: ``ModelDecodingError`` when the key columns do not hold what their kinds say.
    public init(_ verb: WriteVerb, _ row: RowImage, of entity: EntityBinding) throws {
        self.verb = verb
        rowKey = try RowKey(row: row, entity: entity)
        columns = verb == .delete ? [] : entity.valueSet
        base = nil
        mine = verb == .delete ? nil : row
        skipsMissing = verb == .delete
        completed = nil
    }

    /// Sets some columns of a row, if they are what they were.
    ///
    /// - Parameters:
    ///   - columns: What is set. Columns of the key are left out: a key stays.
    ///   - entity: The entity of the row.
    ///   - mine: The row as it shall be, with all its columns.
    ///   - base: The row as it was; nil to write whatever is stored.
    ///   - skipsMissing: Whether nothing happens where the row is gone.
    /// - Throws: ``ModelDecodingError`` when the key columns do not hold what their kinds say.
    public init(
        updating columns: ColumnSet,
        of entity: EntityBinding,
        to mine: RowImage,
        from base: RowImage? = nil,
        skipsMissing: Bool = false
    ) throws {
        self.skipsMissing = skipsMissing
        verb = .update
        rowKey = try RowKey(row: mine, entity: entity)
        self.columns = columns.subtracting(entity.keySet)
        self.base = base
        self.mine = mine
        completed = nil
    }

    /// Changes of one row after the other that set some columns, if they are what they were, with rows that
    /// say nothing about others: only a conflict asks for them. To make a row and a change of each took a
    /// good part of a save.
    ///
    /// - Parameter completed: Makes the same change as ``turn(to:from:key:of:)`` has said last, of whole rows.
    package init(partsOf entity: EntityBinding, completed: @escaping () throws -> RowChange?) {
        verb = .update
        rowKey = RowKey([])
        columns = []
        base = nil
        mine = RowImage(unknown: entity.columnCount)
        skipsMissing = false
        self.completed = completed
    }

    /// The row in ``mine``, which says nothing, to be filled for ``turn(to:from:key:of:)``. It is another one
    /// where a store has kept the last one.
    package mutating func clearedRow() -> RowImage {
        if isKnownUniquelyReferenced(&mine), let mine {
            mine.clear()
            return mine
        }
        let row = RowImage(unknown: mine?.columnCount ?? 0)
        mine = row
        return row
    }

    /// Makes it the change of the row that ``mine`` is by now.
    ///
    /// - Parameters:
    ///   - columns: What is set, without columns of the key.
    ///   - base: These columns as they were.
    ///   - key: The key; nil where it is in the columns of ``mine``.
    /// - Throws: ``ModelDecodingError`` when the key columns do not hold what their kinds say.
    package mutating func turn(
        to columns: ColumnSet,
        from base: RowImage,
        key: RowKey?,
        of entity: EntityBinding
    ) throws {
        guard let mine else { return }
        rowKey = try key ?? RowKey(row: mine, entity: entity)
        self.columns = columns
        self.base = base
    }

    /// Deletes a row.
    ///
    /// - Parameters:
    ///   - key: The values of the key columns.
    ///   - base: The row as it was; nil to delete whatever is stored.
    ///   - columns: The columns in which it has to be what it was.
    public init(
        deleting key: [QueryValue],
        base: RowImage? = nil,
        comparing columns: ColumnSet = []
    ) {
        verb = .delete
        rowKey = RowKey(key)
        self.columns = columns
        self.base = base
        mine = nil
        skipsMissing = true
        completed = nil
    }

    /// Whether a ``RowWriter`` can write it, which writes all columns and looks at the key only.
    var isWhole: Bool { verb.adds || verb == .delete && base == nil }

    /// Sets the key of a change, the columns that it sets, and after all columns what these are compared
    /// with.
    ///
    /// - Throws: what `sink` throws.
    package func writeComparing(to sink: any RowSink, _ entity: EntityBinding) throws {
        try rowKey.write(to: sink, entity)
        let count = entity.columnCount
        try columns.forEach { column in
            try mine?.write(column, to: sink, at: column)
            try base?.write(column, to: sink, at: count + column)
        }
    }

    /// Sets the columns of a whole row, or of a deletion the key.
    func write(to sink: any RowSink, _ entity: EntityBinding) throws {
        if let mine { return try mine.write(to: sink) }
        try rowKey.write(to: sink, entity)
    }
}

/// A row that was not written, because somebody else has changed it.
///
/// It is an update of a column that has another value than when the row was read, an update of a row
/// that is gone, or the deletion of one that has changed. The row stays as it is.
public struct ChangeConflict: Hashable, Sendable {
    /// The table.
    public let table: String
    /// What was to happen.
    public let verb: WriteVerb
    /// The values of the key columns.
    public let key: [QueryValue]
    /// The columns that both sides have changed; those that were to be set, of a row that is gone.
    public let columns: ColumnSet
    /// The row as it was read, in the order of its columns.
    public let base: [QueryValue]
    /// The row as it should have become; nil for a deletion.
    public let mine: [QueryValue]?
    /// The row as it is stored; nil where it is gone.
    public let theirs: [QueryValue]?

    /// Makes a conflict, for stores of your own.
    public init(
        table: String,
        verb: WriteVerb,
        key: [QueryValue],
        columns: ColumnSet,
        base: [QueryValue],
        mine: [QueryValue]?,
        theirs: [QueryValue]?
    ) {
        self.table = table
        self.verb = verb
        self.key = key
        self.columns = columns
        self.base = base
        self.mine = mine
        self.theirs = theirs
    }
}
