package import DovetailModel
import DovetailStore

/// A table or view that somebody else has made, as a database describes it: compared with a model and never
/// changed. There may be further columns, as long as a row can do without them. Indexes and constraints are not
/// looked at.
package struct SQLForeignTable {
    /// What is compared of a column.
    package struct Column {
        package let name: String
        /// The type, as the database calls it.
        package let type: String
        /// What the type is declared with, such as a number of digits, in a form of the database.
        package let modifier: Int?
        /// Whether it refuses NULL.
        let isNotNull: Bool
        let hasDefault: Bool
        let isPrimaryKey: Bool
        /// Whether text in it is known to be compared by its bytes.
        package let comparesBytes: Bool

        /// Describes a column.
        package init(
            name: String,
            type: String,
            modifier: Int? = nil,
            isNotNull: Bool,
            hasDefault: Bool,
            isPrimaryKey: Bool,
            comparesBytes: Bool
        ) {
            self.name = name
            self.type = type
            self.modifier = modifier
            self.isNotNull = isNotNull
            self.hasDefault = hasDefault
            self.isPrimaryKey = isPrimaryKey
            self.comparesBytes = comparesBytes
        }
    }

    /// The columns by their names, as the database compares names.
    private let columns: [String: Column]
    private let isView: Bool
    /// Whether the table as a whole has no key, and its parts do.
    package let lacksKey: Bool
    private let location: String
    /// A name as the database compares it.
    private let folded: (String) -> String
    /// Whether a column gives back what was written, of a view whatever it is.
    private let keeps: (ColumnType, Column) -> Bool
    /// How a column is taken; nil where it is what Dovetail would make.
    private let form: (ColumnType, Column) -> SQLColumnForm?
    /// How a column rounds what it is given; nil where it does as those that Dovetail would make.
    private let rounding: (ColumnType, Column) -> ColumnRounding?

    /// Describes a table.
    ///
    /// - Parameters:
    ///   - columns: Its columns, of which there is at least one.
    ///   - isView: Whether it is a view, whose rows need not fit the model's key.
    ///   - lacksKey: Whether it is distributed, so that only its parts can have a key.
    ///   - location: Where the database is, for messages.
    ///   - folded: Gives a name as the database compares it.
    ///   - keeps: Whether a column gives back what was written of a kind.
    ///   - form: How a column of a kind is taken.
    ///   - rounding: How a column rounds what it is given.
    package init(
        _ columns: [Column],
        isView: Bool,
        lacksKey: Bool = false,
        location: String,
        folded: @escaping (String) -> String,
        keeps: @escaping (ColumnType, Column) -> Bool,
        form: @escaping (ColumnType, Column) -> SQLColumnForm?,
        rounding: @escaping (ColumnType, Column) -> ColumnRounding? = { _, _ in nil }
    ) {
        self.columns = Dictionary(
            columns.map { (folded($0.name), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        self.isView = isView
        self.lacksKey = lacksKey
        self.location = location
        self.folded = folded
        self.keeps = keeps
        self.form = form
        self.rounding = rounding
    }

    /// Compares the table with what a model needs.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema` when a column is missing, of a type that would
    ///   change its values, or part of another key; when the table requires a value where the model's may
    ///   be nil, or in a column that the model does not have.
    func compare(with entity: EntityDescription) throws {
        var unknown = columns
        for (index, attribute) in entity.columns.enumerated() {
            func mismatch(_ explanation: String) -> StoreError {
                self.mismatch(entity, attribute.name, explanation)
            }
            guard let column = unknown.removeValue(forKey: folded(attribute.name)) else {
                throw mismatch("the table that exists lacks this column")
            }
            if !isView {
                guard lacksKey || column.isPrimaryKey == entity.key.contains(index) else {
                    throw mismatch("the table that exists has another key")
                }
                // A default does not help: nil is written as NULL. A key that is NULL is generated.
                guard !attribute.isOptional || !column.isNotNull || attribute.isGenerated else {
                    throw mismatch(
                        "the table that exists requires a value, and the model's may be nil"
                    )
                }
            }
            guard keeps(attribute.type, column) else {
                throw mismatch(
                    "a column of type \(column.type) does not keep values of kind \(attribute.type)"
                )
            }
        }
        if isView { return }
        for column in unknown.values.sorted(by: { $0.name < $1.name })
        where column.isNotNull && !column.hasDefault && !column.isPrimaryKey {
            throw mismatch(entity, column.name, "the table that exists requires this column")
        }
        if let key = unknown.values.first(where: \.isPrimaryKey) {
            throw mismatch(entity, key.name, "the table that exists has another key")
        }
    }

    /// The columns that a query has to take in another form, so that it compares them as it compares those
    /// of our own tables.
    func forms(of entity: EntityDescription) -> [Int: SQLColumnForm] {
        found(in: entity, form)
    }

    /// The columns that round what they are given, each in its way.
    func roundings(of entity: EntityDescription) -> [Int: ColumnRounding] {
        found(in: entity, rounding)
    }

    private func found<Found>(
        in entity: EntityDescription,
        _ find: (ColumnType, Column) -> Found?
    ) -> [Int: Found] {
        var found: [Int: Found] = [:]
        for (index, attribute) in entity.columns.enumerated() {
            guard let column = columns[folded(attribute.name)] else { continue }
            found[index] = find(attribute.type, column)
        }
        return found
    }

    private func mismatch(
        _ entity: EntityDescription,
        _ column: String,
        _ explanation: String
    ) -> StoreError {
        StoreError(
            .invalidSchema,
            table: entity.table,
            column: column,
            location: location,
            explanation: explanation
        )
    }
}
