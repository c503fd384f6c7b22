public import DovetailModel

/// What a table holds, as a value that knows no Swift type: it can be kept in the database, compared
/// with a later one, written as SQL and read by a tool.
///
/// ```swift
/// let description = EntityBinding(User.self).description
/// description.columns.map(\.name)     // ["id", "name", "teamID"]
/// description.references[0].table     // "Team"
/// ```
///
/// ``EntityBinding`` says which model it belongs to. Columns are named by their positions.
public struct EntityDescription: Hashable, Codable, Sendable {
    /// One column.
    public struct Column: Hashable, Codable, Sendable {
        /// The name of the column, which is the attribute's name in documents.
        public var name: String
        /// The name of the property in Swift.
        public var property: String
        /// What it holds.
        public var type: ColumnType
        /// Whether it may be NULL.
        public var isOptional: Bool
        /// Whether the database gives the value when a row is inserted without one.
        public var isGenerated: Bool
        /// The name that the column had in an earlier version of the model, where that says one.
        public var originalName: String?
    }

    /// An index, or a group of columns that is unique.
    public struct Index: Hashable, Codable, Sendable {
        /// The positions of the columns, the most significant first.
        public var columns: [Int]
        /// Whether no two rows have the same values in all of them. NULL equals nothing.
        public var isUnique: Bool

        /// Describes an index over the columns at these positions.
        public init(columns: [Int], isUnique: Bool) {
            self.columns = columns
            self.isUnique = isUnique
        }
    }

    /// A column that holds the key of a row in another table, or in the same one.
    public struct Reference: Hashable, Codable, Sendable {
        /// The position of the column.
        public var column: Int
        /// The table of the row that is referred to.
        public var table: String
        /// The column of that table's key.
        public var key: String
        /// What becomes of a row when that one is deleted.
        public var deleteRule: DeleteRule
    }

    /// Columns of which at most one holds a value: those of a relationship to a protocol, one for each
    /// class that conforms.
    public struct Choice: Hashable, Codable, Sendable {
        /// The positions of the columns.
        public var columns: [Int]
        /// Whether one of them has to hold a value.
        public var isRequired: Bool
        /// The classes of the rows for which that is so; nil for all rows.
        public var classes: [String]?
    }

    /// What a table of several classes says of them.
    public struct Classes: Hashable, Codable, Sendable {
        /// The position of the column that names the class of a row.
        public var column: Int
        /// The positions of the columns that rows of a subclass have to have, by its name.
        public var required: [String: [Int]]
    }

    /// The table's name.
    public var table: String
    /// The model's name in documents.
    public var model: String
    /// The version of the model's shape.
    public var version: Int
    /// The columns in their order.
    public var columns: [Column]
    /// The positions of the columns of the primary key, in ascending order.
    public var key: [Int]
    /// Unique columns and groups first, then indexes for reading, each in the order of declaration.
    public var indexes: [Index]
    /// The foreign keys. A reference whose rule is `noAction` has none.
    public var references: [Reference]
    /// Columns of which at most one holds a value; nil for none.
    public var choices: [Choice]?
    /// The classes of the rows; nil where all are of one.
    public var classes: Classes?
    /// The position of the column with the date on which a row was deleted; nil where rows are removed. Of a
    /// unique group only rows count that have NULL there.
    public var mark: Int?
}

extension EntityDescription {
    /// Describes the table of a model.
    ///
    /// - Complexity: linear in the number of attributes, and of those of the models that it refers
    ///   to.
    public init(_ type: any Model.Type) {
        self = EntityBinding(type).description
    }

    /// The columns of a property: one, or of a relationship to a protocol one for each class.
    typealias PropertyColumns = (columns: [Int], property: String)

    /// - Parameter others: The columns of properties that several attributes stand for.
    init(
        _ type: any Model.Type,
        _ attributes: [ModelAttribute],
        others: [PropertyColumns] = []
    ) {
        let columns = attributes.enumerated().map { ([$0], $1.property) } + others
        self.init(type, attributes, indexes: type.modelIndexes.map { ($0, columns) })
    }

    /// - Parameter indexes: What is declared, with the columns of the properties that it may name.
    init(
        _ type: any Model.Type,
        _ attributes: [ModelAttribute],
        indexes all: [(index: ModelIndex, columns: [PropertyColumns])]
    ) {
        table = type.modelTable
        model = type.typeName
        version = type.modelVersion
        columns = attributes.map { attribute in
            Column(
                name: attribute.name,
                property: attribute.property,
                type: attribute.columnType,
                isOptional: attribute.isOptional,
                isGenerated: attribute.isGenerated,
                originalName: attribute.originalName
            )
        }
        key = attributes.indices.filter { attributes[$0].isPrimaryKey }
        references = attributes.indices.compactMap { column in
            guard let reference = attributes[column].reference, reference.deleteRule != .noAction
            else { return nil }
            return Reference(
                column: column,
                table: reference.target.modelTable,
                key: reference.key?.name ?? "",
                deleteRule: reference.deleteRule
            )
        }
        let single = attributes.indices.filter { attributes[$0].isUnique }
        let declared = all.flatMap { index, columns in
            Self.groups(index.properties, columns).map {
                Index(columns: $0, isUnique: index.isUnique)
            }
        }
        // A column that is a foreign key is searched whenever a row that it refers to is deleted.
        let searched = references.map { Index(columns: [$0.column], isUnique: false) }
        let unique =
            single.map { Index(columns: [$0], isUnique: true) } + declared.filter(\.isUnique)
        indexes = []
        for index in unique + declared.filter({ !$0.isUnique }) + searched
        where index.columns != key && !isCovered(index) {
            indexes.append(index)
        }
    }

    /// The lists of columns that a list of properties stands for: where one has several columns, of which a
    /// row has a value in one at most, a list for each of them.
    private static func groups(_ names: [String], _ columns: [PropertyColumns]) -> [[Int]] {
        names.reduce([[]]) { groups, name in
            // A name that is no property becomes -1, which `EntityBinding.validate()` refuses.
            let own = columns.first { $0.property == name }?.columns ?? [-1]
            return groups.flatMap { group in own.map { group + [$0] } }
        }
    }

    /// Whether there is such an index, or one for reading would be the beginning of another.
    private func isCovered(_ index: Index) -> Bool {
        if index.isUnique { return indexes.contains(index) }
        return key.starts(with: index.columns)
            || indexes.contains { $0.columns.starts(with: index.columns) }
    }

    /// The names of an index's columns, in its order.
    package func names(_ index: Index) -> [String] {
        index.columns.map { columns[$0].name }
    }

    /// Which columns get a value of their own where rows give up their unique values, and which become NULL:
    /// of the columns of a relationship to a protocol at most one holds a value.
    ///
    /// - Parameter unique: The columns of unique indexes that are no part of the key.
    package func parked(_ unique: [Int]) -> (values: [Int], nulls: [Int]) {
        var (values, nulls) = (unique, Set<Int>())
        for choice in choices ?? [] where choice.columns.contains(where: unique.contains) {
            values.removeAll { choice.columns.dropFirst().contains($0) }
            if let first = choice.columns.first, !values.contains(first) { values.append(first) }
            nulls.formUnion(choice.columns.dropFirst())
        }
        return (values, nulls.sorted())
    }

    /// The names of columns, as the errors of a store give them: `"city, name"` for a unique group.
    public func names(of columns: [Int]) -> String {
        columns.map { self.columns.indices.contains($0) ? self.columns[$0].name : "?" }
            .joined(separator: ", ")
    }
}

extension EntityDescription {
    /// What differs from another description of the same table, each in a few words with the name of
    /// what differs; empty when both make the same table. Names of properties and indexes for
    /// reading make no difference.
    ///
    /// ```swift
    /// now.differences(from: stored)       // ["age: the column is new", "name: may be NULL now"]
    /// ```
    ///
    /// - Complexity: linear in the number of columns and indexes.
    public func differences(from other: EntityDescription) -> [String] {
        var differences: [String] = []
        let known = Dictionary(
            other.columns.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        var renamed: Set<String> = []
        for column in columns {
            guard let old = known[column.name] else {
                if let name = column.originalName, known[name] != nil {
                    renamed.insert(name)
                    differences.append("\(column.name): the column is still named \(name)")
                    continue
                }
                differences.append("\(column.name): the column is new")
                continue
            }
            if old.type != column.type {
                differences.append("\(column.name): \(old.type) became \(column.type)")
            }
            if old.isOptional != column.isOptional {
                differences.append(
                    "\(column.name): " + (column.isOptional ? "may be NULL now" : "is required now")
                )
            }
            if old.isGenerated != column.isGenerated {
                differences.append("\(column.name): who gives the value changed")
            }
        }
        let names = renamed.union(columns.map(\.name))
        for column in other.columns where !names.contains(column.name) {
            differences.append("\(column.name): the column is gone")
        }
        if key.map({ columns[$0].name }) != other.key.map({ other.columns[$0].name }) {
            differences.append(
                "the key is \(self.names(of: key)), was \(other.names(of: other.key))"
            )
        }
        if version != other.version {
            differences.append("the version is \(version), was \(other.version)")
        }
        let unique = Set(indexes.filter(\.isUnique).map { self.names(of: $0.columns) })
        let knownUnique = Set(other.indexes.filter(\.isUnique).map { other.names(of: $0.columns) })
        for group in unique.symmetricDifference(knownUnique).sorted() {
            differences.append(
                "\(group): " + (unique.contains(group) ? "is unique now" : "is no longer unique")
            )
        }
        let links = Set(references.map { link($0) })
        let knownLinks = Set(other.references.map { other.link($0) })
        for link in links.symmetricDifference(knownLinks).sorted() {
            differences.append(link + (links.contains(link) ? " is new" : " is gone"))
        }
        let required = requirements
        for requirement in required.symmetricDifference(other.requirements).sorted() {
            differences.append(
                requirement + (required.contains(requirement) ? " now" : " no longer")
            )
        }
        return differences
    }

    /// What rows of subclasses have to have, in words.
    private var requirements: Set<String> {
        Set(
            (classes?.required ?? [:]).flatMap { name, columns in
                columns.map { "\(names(of: [$0])): is required of \(name)" }
            }
                + (choices ?? []).filter(\.isRequired).flatMap { choice in
                    (choice.classes ?? [model]).map {
                        "\(names(of: choice.columns)): one is required of \($0)"
                    }
                }
        )
    }

    /// A reference in words.
    private func link(_ reference: Reference) -> String {
        "\(names(of: [reference.column])): the reference to \(reference.table) "
            + "(\(reference.deleteRule))"
    }
}
