import DovetailModel
import DovetailStore

/// A list that is asked for some of its values.
struct ListedValues<Value: Model & Identifiable> {
    /// Gives those that hold some values in some columns.
    let with: (_ values: [[QueryValue]], _ columns: [Int]) throws -> [Value]

    /// - Complexity: each question is linear in the number of values.
    init(_ values: [Value], _ entity: EntityBinding) {
        with = { wanted, columns in
            let wanted = Set(wanted.map { RowKey($0) })
            return try values.filter { value in
                let row = try RowImage(of: value, attributes: entity.attributes)
                return wanted.contains(RowKey(try entity.values(of: row, in: columns)))
            }
        }
    }

    init(_ list: CollectedList<Value>) { with = list.stagedValues }
}
