import Foundation

// Equality goes by meaning, not by text. Neither equality nor hashing recurses without a limit.

extension ModelDocument: Hashable {
    /// Whether both hold the same.
    ///
    /// - Numbers are compared by value: `1`, `1.0` and `1e0` are equal, and so are `-0` and `0`.
    ///   NaN equals NaN.
    /// - Strings and keys are compared by their Unicode scalars, without normalization.
    /// - The order of an object's members does not matter (RFC 8259, section 4), except among
    ///   members of one repeated key. Compare `encoded(as:)` to compare the order, too.
    /// - A date or data is not equal to the string that JSON has for it.
    ///
    /// ```swift
    /// let left: ModelDocument = ["a": 1, "b": 2.0]
    /// let right = try ModelDocument(decoding: Data(#"{"b":2,"a":1}"#.utf8), as: .json)
    /// left == right  // true
    /// ```
    ///
    /// - Complexity: linear; O(1) for containers that share storage. Without recursion, so that
    ///   trees of any depth can be compared.
    public static func == (left: ModelDocument, right: ModelDocument) -> Bool {
        var pending: [(ModelDocument, ModelDocument)] = []
        var pair: (ModelDocument, ModelDocument)? = (left, right)
        while let (left, right) = pair {
            switch (left.storage, right.storage) {
            case (.null, .null): break
            case (.bool(let a), .bool(let b)): guard a == b else { return false }
            case (.number(let a), .number(let b)): guard a == b else { return false }
            case (.string(let a), .string(let b)):
                guard ExactText.areSame(a, b) else { return false }
            case (.date(let a), .date(let b)): guard a == b else { return false }
            case (.data(let a), .data(let b)): guard a == b else { return false }
            case (.array(let a), .array(let b)):
                if a === b { break }
                guard a.values.count == b.values.count else { return false }
                pending.append(contentsOf: zip(a.values, b.values))
            case (.object(let a), .object(let b)):
                if a === b { break }
                guard let order = matchingOrder(of: a, in: b) else { return false }
                for (index, other) in order.enumerated() {
                    pending.append((a.values[index], b.values[other]))
                }
            default: return false
            }
            pair = pending.popLast()
        }
        return true
    }

    /// For each member of `left` the place of its counterpart in `right`; nil when the names are
    /// not the same. The first member of a repeated key belongs to the first one, and so on.
    ///
    /// - Complexity: linear; without memory for names in the same order.
    private static func matchingOrder(
        of left: DocumentNode,
        in right: DocumentNode
    ) -> [Int]? {
        guard left.keys.count == right.keys.count else { return nil }
        if zip(left.keys, right.keys).allSatisfy(ExactText.areSame) {
            return Array(left.keys.indices)
        }
        var places: [ExactText: [Int]] = [:]
        for (place, key) in right.keys.enumerated().reversed() {
            places[ExactText(key), default: []].append(place)
        }
        var order: [Int] = []
        order.reserveCapacity(left.keys.count)
        for key in left.keys {
            guard let place = places[ExactText(key)]?.popLast() else { return nil }
            order.append(place)
        }
        return order
    }

    /// Below this depth only kinds and counts are hashed.
    private static let hashedLevels = 32

    /// Hashes what ``==(_:_:)`` compares, 32 levels deep.
    ///
    /// - Complexity: linear in what is that deep.
    public func hash(into hasher: inout Hasher) {
        hash(into: &hasher, levels: Self.hashedLevels)
    }

    /// Members are hashed one by one and added up, because their order does not count.
    private func hash(into hasher: inout Hasher, levels: Int) {
        switch storage {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(ExactText(value))
        case .date(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .array(let node):
            hasher.combine(node.values.count)
            guard levels > 0 else { return }
            for value in node.values { value.hash(into: &hasher, levels: levels - 1) }
        case .object(let node):
            hasher.combine(node.values.count)
            guard levels > 0 else { return }
            var sum = 0
            for (key, value) in zip(node.keys, node.values) {
                var member = Hasher()
                member.combine(ExactText(key))
                value.hash(into: &member, levels: levels - 1)
                sum &+= member.finalize()
            }
            hasher.combine(sum)
        }
    }
}
