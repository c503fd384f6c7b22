public import DovetailModel
import Synchronization

/// What a store has to know of one model: the description of its table, and how its properties
/// stand for the columns.
///
/// ```swift
/// let entity = EntityBinding(User.self)
/// entity.table                        // "User"
/// entity.attributes.map(\.name)       // ["id", "name", "age"]
/// entity.keyColumns                   // [0]
/// ```
///
/// A column is named by its position in ``attributes``, here and in ``RowSource``, ``RowSink`` and
/// ``QueryExpression``.
public struct EntityBinding: Sendable {
    /// A key path and its column.
    ///
    /// Invariant of the unchecked `Sendable`: nothing of a key path ever changes, and it is only
    /// compared.
    private struct Known: @unchecked Sendable {
        let path: AnyKeyPath
        let column: Int?
    }

    /// One reference, since every query holds a binding.
    private final class Content: Sendable {
        let type: any Model.Type
        let description: EntityDescription
        let attributes: [ModelAttribute]
        let fields: RowFields
        let generatedColumn: Int?
        let identifierColumn: Int?
        let hasPlainIdentifier: Bool
        let integerKeyColumn: Int?
        let hasTransforms: Bool
        let knownCases: [Int: KnownCases]
        let hiddenKeyColumn: Int?
        let keySet: ColumnSet
        let valueSet: ColumnSet
        let relationshipSet: ColumnSet
        let referenceSet: ColumnSet
        let uniqueSet: ColumnSet
        let deferrableColumns: ColumnSet
        /// The columns of key paths that were asked for, by the identity of their objects, which it
        /// holds. To compare two key paths takes longer than the rest of a translation, and a literal
        /// in the source is one object.
        private let columns = Mutex<[ObjectIdentifier: Known]>([:])
        /// Key paths that are made at run time are not kept without an end.
        private static let mostKnown = 256

        func column(of path: AnyKeyPath) -> Int? {
            let identifier = ObjectIdentifier(path)
            if let known = columns.withLock({ $0[identifier] }) { return known.column }
            let column =
                attributes.firstIndex { $0.isAttribute(path) }
                ?? attributes.firstIndex { $0.isFlattened(at: path) }
            let new = Known(path: path, column: column)
            columns.withLock {
                if $0.count >= Self.mostKnown { $0.removeAll() }
                $0[identifier] = new
            }
            return new.column
        }

        /// How many of the attributes the model itself reads and writes.
        let declaredCount: Int
        let relationshipColumns: [ModelRelationshipColumns]
        let links: [ModelRelationships.Link]
        let classTable: ClassTable?
        let classColumns: [Int]
        let classLevels: [[Int]]
        let foreignColumns: [Int]
        let classFilter: QueryExpression?
        let liveFilter: QueryExpression?
        let rowFilter: QueryExpression?
        let markColumn: Int?
        let tableIdentifier: ObjectIdentifier
        let flattenedProperties: [(name: String, columns: ColumnSet)]

        init(_ type: any Model.Type, _ relationships: ModelRelationships, roundsDates: Bool) {
            func inStore(_ attributes: [ModelAttribute]) -> [ModelAttribute] {
                roundsDates ? attributes.map(\.roundingDates) : attributes
            }
            self.type = type
            tableIdentifier = type.tableIdentifier
            let managed = type as? any ManagedModel.Type
            let classes = managed.map { relationships.hierarchy(of: $0.modelRoot) } ?? []
            links = relationships.links(of: type)
            if let managed, classes.count > 1 {
                let table = ClassTable(classes, relationships)
                classTable = table
                attributes = inStore(table.attributes(of: managed).map { $0.identifying(managed) })
                declaredCount = table.declaredCount
                relationshipColumns = table.parts(of: managed)
                description = table.description
                classColumns = table.columns(of: managed)
                classLevels = table.levels(of: managed)
                classFilter = table.names(of: managed).map { names in
                    .isIn(
                        .attribute(table.typeColumn, isOptional: false),
                        QueryList(names.map { .text($0) })
                    )
                }
                markColumn = table.description.mark
            } else {
                let declared = type.modelAttributes
                let hidden = relationships.columns(of: classes, after: declared.count)
                let isMarked = type.modelDeletion == .mark
                let all =
                    declared + hidden.columns.map(\.attribute)
                    + (managed?.hiddenKey.map { [$0] } ?? [])
                    + (isMarked ? [.deletionMark] : [])
                markColumn = isMarked ? all.count - 1 : nil
                attributes = inStore(
                    managed.map { model in all.map { $0.identifying(model) } } ?? all
                )
                declaredCount = declared.count
                relationshipColumns = hidden.parts.map(\.columns)
                let others = managed.map { relationships.propertyColumns(of: $0, in: hidden.parts) }
                var description = EntityDescription(type, attributes, others: others ?? [])
                description.choices = relationships.choices(of: hidden.parts, in: classes)
                description.mark = markColumn
                self.description = description
                classTable = nil
                classColumns = Array(0..<declared.count)
                classLevels = [classColumns]
                classFilter = nil
            }
            liveFilter = markColumn.map {
                .equal(.attribute($0, isOptional: true), .value(.null))
            }
            rowFilter = QueryExpression.all([classFilter, liveFilter])
            var related = Set<Int>()
            for part in relationshipColumns {
                switch part {
                case .key(_, let column): related.insert(column)
                case .member(_, _, let key, let order):
                    related.formUnion([order] + (key.map { [$0] } ?? []))
                }
            }
            relationshipSet = ColumnSet(related)
            let written = related.union(classColumns)
            foreignColumns =
                classTable.map { table in (0..<table.typeColumn).filter { !written.contains($0) } }
                ?? []
            fields = RowFields(
                Array(attributes.prefix(declaredCount)),
                table: description.table
            )
            generatedColumn = attributes.firstIndex(where: \.isGenerated)
            let key = description.key
            let isIdentifier = key.count == 1 && attributes[key[0]].isIdentifier
            identifierColumn = isIdentifier ? key[0] : nil
            integerKeyColumn =
                key.count == 1 && attributes[key[0]].columnType == .integer ? key[0] : nil
            let parts = Dictionary(
                grouping: attributes.indices.filter { [attributes] in
                    attributes[$0].flattenedProperty != nil
                }
            ) { [attributes] in attributes[$0].flattenedProperty?.name ?? "" }
            flattenedProperties = parts.map { (name: $0, columns: ColumnSet($1)) }
            hasTransforms = attributes.contains { $0.transform != nil }
            var knownCases: [Int: KnownCases] = [:]
            for (column, attribute) in attributes.enumerated() where attribute.transform == nil {
                let type = Swift.type(of: attribute.keyPath as AnyKeyPath).valueType
                knownCases[column] = KnownCases.of(type)
            }
            self.knownCases = knownCases
            hiddenKeyColumn = managed?.hiddenKey == nil ? nil : key.first
            keySet = ColumnSet(key)
            valueSet = ColumnSet(attributes.indices).subtracting(keySet)
            referenceSet = ColumnSet(
                attributes.indices.filter { [attributes] in attributes[$0].reference != nil }
            )
            uniqueSet = ColumnSet(description.indexes.filter(\.isUnique).flatMap(\.columns))
            // A hook sees the values of a row as soon as the object is there.
            let isHooked = (classes + [type]).contains { $0 is any ModelLifecycle.Type }
            let looked = Set(description.indexes.flatMap(\.columns) + key)
            // An object knows which of the first 64 columns it is without.
            deferrableColumns = ColumnSet(
                attributes.indices.prefix(64).filter { [attributes] column in
                    attributes[column].isDeferrable && !isHooked && !looked.contains(column)
                }
            )
            hasPlainIdentifier = isIdentifier && attributes[key[0]].transform == nil
        }
    }

    private let content: Content

    /// The model.
    public var type: any Model.Type { content.type }
    /// The table, without a word about Swift.
    public var description: EntityDescription { content.description }
    /// The attributes in the order of their columns.
    public var attributes: [ModelAttribute] { content.attributes }
    /// How many columns it has.
    package var columnCount: Int { content.attributes.count }
    /// How many of them make the key.
    package var keyCount: Int { content.description.key.count }
    /// The field keys of the columns, which readers of rows take.
    public var fields: RowFields { content.fields }
    /// The table's name.
    public var table: String { content.description.table }
    /// The positions of the attributes that make the primary key, in ascending order.
    public var keyColumns: [Int] { content.description.key }
    /// The column whose values the database gives; nil without one.
    public var generatedColumn: Int? { content.generatedColumn }
    /// The column of the model's `id`, where that alone is the key; nil for a key of several columns,
    /// and for one that is not `id`.
    public var identifierColumn: Int? { content.identifierColumn }

    /// The column of a key that is one whole number; nil for other keys.
    package var integerKeyColumn: Int? { content.integerKeyColumn }

    /// The flattened enums and optionals, each in several columns.
    var flattenedProperties: [(name: String, columns: ColumnSet)] { content.flattenedProperties }

    /// Whether any attribute has a transform.
    package var hasTransforms: Bool { content.hasTransforms }

    /// What is stored for the cases of each attribute that is an enum with `@Fallback`, by columns.
    var knownCases: [Int: KnownCases] { content.knownCases }

    /// Whether ``identifierColumn`` is one without a transform.
    public var hasPlainIdentifier: Bool { content.hasPlainIdentifier }

    /// Whether a key path is that of the key, which is one column and never nil.
    package func isPlainKey(_ path: AnyKeyPath) -> Bool {
        guard let column = content.identifierColumn else { return false }
        let attribute = content.attributes[column]
        return !attribute.isOptional && attribute.isAttribute(path)
    }

    /// Describes a model. ``validate()`` says whether it can be stored. A class that others refer to
    /// in relationships has further columns in a ``Schema`` with them.
    ///
    /// - Complexity: O(number of attributes).
    public init(_ type: any Model.Type) {
        self.init(type, ModelRelationships([type]))
    }

    /// Describes a model among others.
    init(
        _ type: any Model.Type,
        _ relationships: ModelRelationships,
        roundsDates: Bool = false
    ) {
        content = Content(type, relationships, roundsDates: roundsDates)
    }

    /// Whether its store keeps whole microseconds of dates, by which they are compared.
    package var roundsDates: Bool { content.attributes.first?.roundsDates == true }

    /// A constant as its store compares it.
    package func compared(_ constant: QueryValue) -> QueryValue {
        if roundsDates, case .date(let date) = constant { return .date(date.inMicroseconds) }
        return constant
    }

    /// How many of the first attributes the model itself reads and writes, or the classes whose table it
    /// is. The columns after them are the context's: of relationships, of the class's name, and of the
    /// key that it gives.
    package var declaredCount: Int { content.declaredCount }

    /// What tells the table from others: the type, or the class at the top where classes share a table.
    package var tableIdentifier: ObjectIdentifier { content.tableIdentifier }

    /// The table of several classes, one of which this is; nil where the table is of one model.
    package var classTable: ClassTable? { content.classTable }

    /// The columns that the model itself reads and writes, in the order of its attributes.
    package var classColumns: [Int] { content.classColumns }

    /// The columns of the table that are not written for an object of the class.
    package var foreignColumns: [Int] { content.foreignColumns }

    /// The same by the classes that declare them, that of the model first.
    package var classLevels: [[Int]] { content.classLevels }

    /// What holds of the rows that are of the class, and of none below it; nil where all rows are.
    package var ownClassFilter: QueryExpression? {
        classTable.map { table in
            .isIn(
                .attribute(table.typeColumn, isOptional: false),
                QueryList((type.typeAliases + [type.typeName]).map { .text($0) })
            )
        }
    }

    /// What holds of the rows that are asked for where nothing else is said: that they are of the class, or
    /// of one below it, or that they were not deleted; nil where all rows are.
    package var rowFilter: QueryExpression? { content.rowFilter }

    /// What holds of the rows of the class and of those below it; nil where all rows are.
    package var classFilter: QueryExpression? { content.classFilter }

    /// What holds of the rows that were not deleted; nil where none is marked.
    package var liveFilter: QueryExpression? { content.liveFilter }

    /// The column with the date on which a row was deleted, the last one; nil for a model whose rows are
    /// removed.
    package var markColumn: Int? { content.markColumn }

    /// Whether a row is there for those who do not ask for deleted ones.
    package func isLive(_ row: any RowSource) -> Bool {
        // A method as an argument would be an object for each row.
        guard let markColumn else { return true }
        return row.isNull(markColumn)
    }

    /// The relationships of a class; none for other models.
    package var links: [ModelRelationships.Link] { content.links }

    /// Where the rows of a class keep their relationships.
    package var relationshipColumns: [ModelRelationshipColumns] { content.relationshipColumns }
    /// Whether the rows have a key that the library gives.
    package var hasHiddenKey: Bool { content.hiddenKeyColumn != nil }
    /// The column of that key.
    package var hiddenKeyColumn: Int? { content.hiddenKeyColumn }

    /// The columns of the key.
    package var keySet: ColumnSet { content.keySet }
    /// All other columns.
    package var valueSet: ColumnSet { content.valueSet }
    /// The columns of the relationships of a class, and those in which its rows say where they are in lists.
    package var relationshipSet: ColumnSet { content.relationshipSet }
    /// The columns that hold the key of another row.
    package var referenceSet: ColumnSet { content.referenceSet }
    /// The columns of unique groups.
    package var uniqueSet: ColumnSet { content.uniqueSet }

    /// The columns whose values an object may be without until somebody reads them.
    package var deferrableColumns: ColumnSet { content.deferrableColumns }

    /// Those of them whose values a row is without.
    package func deferredColumns(in row: any RowSource) -> ColumnSet {
        var deferred = ColumnSet()
        if deferrableColumns.isEmpty { return deferred }
        for column in deferrableColumns where row.cell(column).isDeferred {
            deferred.insert(column)
        }
        return deferred
    }

    /// The column of a property; nil for a property without a column of its own, such as a computed
    /// one or a part of an embedded model.
    ///
    /// ```swift
    /// EntityBinding(User.self).column(of: \User.age)       // 2
    /// ```
    ///
    /// - Complexity: O(number of attributes) the first time, then O(1).
    public func column(of keyPath: AnyKeyPath) -> Int? {
        content.column(of: keyPath)
    }
}

extension ModelAttribute {
    /// Whether the property is `id`, or the macro has made one that stands for it.
    fileprivate var isIdentifier: Bool { property == "id" || !aliases.isEmpty }

    /// Whether a key path through optionals, `\.head?.name`, to which no path that is made at run time
    /// is equal, is that of an attribute of a flattened model: by the names of its components.
    fileprivate func isFlattened(at path: AnyKeyPath) -> Bool {
        guard property.contains(".") else { return false }
        let start = "\\\(Swift.type(of: path).rootType)."
        let text = "\(path)".filter { $0 != "?" && $0 != "!" }
        return text == start + property
    }

    /// Whether a key path is that of the attribute's property, or of one that stands for it.
    package func isAttribute(_ path: AnyKeyPath) -> Bool {
        keyPath == path || aliases.contains { $0 == path }
    }
}
