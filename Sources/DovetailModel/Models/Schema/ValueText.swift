import Foundation

/// What a value of a plain type holds, as text in which sets and dictionaries have one order.
enum ValueText {
    /// The text; nil where the value is nested too deeply to tell.
    ///
    /// - Complexity: linear in the size of the value, with its reflection.
    static func text(of value: Any, depth: Int = 0) -> String? {
        if depth > ModelReader.maximumDepth { return nil }
        // Their reflections say less than they hold.
        if let date = value as? Date { return "\(date.timeIntervalSinceReferenceDate)" }
        if let data = value as? Data { return data.base64EncodedString() }
        let mirror = Mirror(reflecting: value)
        if mirror.children.isEmpty { return String(reflecting: value) }
        var parts: [String] = []
        for child in mirror.children {
            guard let part = text(of: child.value, depth: depth + 1) else { return nil }
            let isListed = [.set, .dictionary, .collection].contains(mirror.displayStyle)
            parts.append(isListed ? part : "\(child.label ?? ""):\(part)")
        }
        if [.set, .dictionary].contains(mirror.displayStyle) { parts.sort() }
        return "\(parts.count)[\(parts.joined(separator: ","))]"
    }
}
