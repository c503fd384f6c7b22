import DovetailStore
import Foundation

// What Foundation says of a predicate ends the program where that has an expression of Dovetail's, as of `.all`,
// `.not`, `hasSuffix` or `evaluate`: its `description` knows its own expressions only. So a descriptor says by
// itself what it is, wherever it is printed, dumped or shown by a test.

extension FetchDescriptor: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The predicate, the order and the page, for people: with the values that the predicate compares with.
    public var description: String {
        let parts = parts.map { "\($0.label ?? ""): \($0.value)" }.joined(separator: ", ")
        return "FetchDescriptor<\(T.self)>(\(parts))"
    }

    /// The same.
    public var debugDescription: String { description }

    /// The predicate as text, the order and the page.
    public var customMirror: Mirror { Mirror(self, children: parts, displayStyle: .struct) }

    /// What is asked for; what is not is left out.
    private var parts: [Mirror.Child] {
        var parts: [Mirror.Child] = []
        if let predicate { parts.append((label: "predicate", value: "\(predicate.expression)")) }
        if !sortBy.isEmpty { parts.append((label: "sortBy", value: sortBy)) }
        if let fetchLimit { parts.append((label: "fetchLimit", value: fetchLimit)) }
        if let fetchOffset { parts.append((label: "fetchOffset", value: fetchOffset)) }
        if !includePendingChanges { parts.append((label: "includePendingChanges", value: false)) }
        if deletedValues != .excluded {
            parts.append((label: "deletedValues", value: deletedValues))
        }
        if start != nil { parts.append((label: "isAfterAPage", value: true)) }
        return parts
    }
}
