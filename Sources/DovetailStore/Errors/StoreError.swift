/// Why a store refused.
///
/// ```swift
/// do {
///     try context.save()
/// } catch let error as StoreError where error.kind == .uniqueViolation {
///     print(error)        // User.id: a row with this key exists already (code 1555)
/// }
/// ```
///
/// ``description`` never holds stored data, so it can go into a log. ``debugDescription`` adds what
/// the database itself said, which may hold some.
public struct StoreError: Error, Sendable {
    /// What went wrong, by what a caller can do about it.
    public enum Kind: Hashable, Sendable {
        /// A row with this key, or another unique value, exists already.
        case uniqueViolation
        /// A required column would be NULL.
        case notNullViolation
        /// A row refers to one that does not exist.
        case foreignKeyViolation
        /// Another constraint of the database.
        case constraintViolation
        /// The row to be updated does not exist.
        case notFound
        /// Somebody else has changed a row since it was read.
        case conflict
        /// Another transaction has changed what this one has read. Nothing was stored; begin it again.
        case serializationFailure
        /// Two transactions waited for each other, and this one was ended. Nothing was stored; begin it
        /// again.
        case deadlock
        /// The connection was lost while the server stored a transaction: nobody knows whether it has.
        case commitUnknown
        /// Rows have changed since they were compared with those that a plan or a list would write, or the
        /// token of a list of changes has.
        case planOutdated
        /// The file is no database of this store.
        case notADatabase
        /// The database is damaged.
        case corrupt
        /// The database cannot be written to.
        case readOnly
        /// Another connection held the database for longer than the busy timeout.
        case locked
        /// The database cannot be opened.
        case cannotOpen
        /// The disk is full or failed, the connection was lost, or the file is not where it was opened.
        case storageFailure
        /// The models cannot be stored, or do not match the tables that exist.
        case invalidSchema
        /// An object cannot be saved as it is, such as one that refers to an object of another context.
        case invalidObject
        /// A newer version of Dovetail has made the database, in a form that this one does not know.
        case newerFormat
        /// A context was to write while it goes over the rows of a fetch of its own.
        case writeInsideRead
        /// A context was to write inside of another context's transaction on the same thread, which
        /// would wait for itself.
        case wouldDeadlock
        /// Two threads were in calls of one context at the same time. Debug builds notice it.
        case concurrentUse
        /// The task was cancelled while the store worked for it. Nothing of that was stored.
        case cancelled
        /// The deadline was over while the store worked. Nothing of that was stored.
        case deadlineExceeded
        /// History was asked for, and the configuration does not switch it on.
        case historyDisabled
        /// History was asked for after a commit, and some that came after it were removed for their age.
        case historyPruned
        /// A copy of a store does not hold the same rows.
        case copyDiffers
        /// A number that was computed does not fit into its type.
        case outOfRange
        /// The store cannot do this: see ``StoreCapabilities``.
        case unsupported
        /// Anything else that the database reports.
        case other
    }

    /// The kind of failure.
    public let kind: Kind
    /// The table, when one is concerned.
    public let table: String?
    /// The column, when one is concerned.
    public let column: String?
    /// Where the database is: a path, or "in memory". Nil when the error is not about the database
    /// as a whole, as of a constraint.
    public let location: String?
    /// The keys of the rows that were refused, as far as they are known: the values of the key columns
    /// of each. Where one was refused for a unique value that another row has, the key of that row comes
    /// after it. They are stored data, and not part of ``description``.
    public private(set) var keys: [[QueryValue]] = []
    /// The cause and the remedy, without stored data.
    public let explanation: String
    /// The database's own code, of SQLite the extended result code; 0 when there is none.
    public let code: Int
    /// The database's own words, which may hold stored data.
    let detail: String?

    /// Makes an error, for stores of your own.
    ///
    /// ```swift
    /// throw StoreError(.notFound, table: "User", explanation: "there is no row with this key")
    /// // User: there is no row with this key
    /// ```
    ///
    /// - Parameters:
    ///   - kind: The kind of failure.
    ///   - table: The table, when one is concerned.
    ///   - column: The column, when one is concerned.
    ///   - location: Where the database is, when it could not be used.
    ///   - explanation: The cause and the remedy, without stored data.
    ///   - code: The database's own code; 0 when there is none.
    ///   - detail: The database's own words, for ``debugDescription``. They may hold stored data.
    public init(
        _ kind: Kind,
        table: String? = nil,
        column: String? = nil,
        location: String? = nil,
        explanation: String,
        code: Int = 0,
        detail: String? = nil
    ) {
        self.kind = kind
        self.table = table
        self.column = column
        self.location = location
        self.explanation = explanation
        self.code = code
        self.detail = detail
    }

    /// The same error with the key of the row that it is about, unless it names one already.
    public func naming(_ key: [QueryValue]) -> StoreError {
        guard keys.isEmpty else { return self }
        var error = self
        error.keys = [key]
        return error
    }

    /// The same error with the keys of several rows that it is about.
    package func naming(all keys: [[QueryValue]]) -> StoreError {
        var error = self
        error.keys = keys
        return error
    }
}

extension StoreError: CustomStringConvertible, CustomDebugStringConvertible {
    /// Where and why in one line, without stored data.
    public var description: String {
        let place = [location, [table, column].compactMap { $0 }.joined(separator: ".")]
            .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
        let number = code == 0 ? "" : " (code \(code))"
        return (place.isEmpty ? "" : place + ": ") + explanation + number
    }

    /// The description, the database's own words, which may hold stored data, and the keys.
    public var debugDescription: String {
        let words = detail.map { description + " — " + $0 } ?? description
        return keys.isEmpty ? words : words + "; keys: \(keys)"
    }
}
