import Dovetail

/// What a document lost, got and changed on its way through models and back.
struct DocumentDifferences {
    /// Where the first document has a member that the second has not: an undeclared field.
    var lost: [String] = []
    /// Where only the second document has a member.
    var added: [String] = []
    /// Where the values differ.
    var changed: [String] = []
    /// Members that are null at first and absent later. An optional property is nil for both, and
    /// nil is left out, so this is no loss.
    var absentNulls = 0

    /// Whether the documents are equal but for ``absentNulls``.
    var isEmpty: Bool { lost.isEmpty && added.isEmpty && changed.isEmpty }

    init(from before: ModelDocument, to after: ModelDocument, _ place: String = "") {
        compare(before, after, place)
    }

    private mutating func compare(_ before: ModelDocument, _ after: ModelDocument, _ place: String)
    {
        if let members = before.members, let others = after.members {
            for member in members {
                let inner = "\(place).\(member.key)"
                if let value = after[key: member.key] {
                    compare(member.value, value, inner)
                } else if member.value.isNull {
                    absentNulls += 1
                } else {
                    lost.append(inner)
                }
            }
            for member in others where before[key: member.key] == nil {
                added.append("\(place).\(member.key)")
            }
        } else if let elements = before.arrayValue, let others = after.arrayValue,
            elements.count == others.count
        {
            for (index, element) in elements.enumerated() {
                compare(element, others[index], "\(place)[\(index)]")
            }
        } else if before != after {
            changed.append("\(place): \(before) became \(after)")
        }
    }
}
