import Foundation

/// A ``ModelDocument`` that is written: the containers that are open, and what is in them so far.
///
/// A ``ModelWriter`` owns it through a pointer and frees it. Invariant: `levels` is never empty,
/// because ``end(isObject:)`` and ``discardField()`` leave the outermost level.
struct TreeOutput {
    /// An open container. The outermost one is no container, and holds the document in the end.
    private struct Level {
        /// One more than values between a key and its value; none in an array.
        var keys = MemberNames()
        var values: [ModelDocument] = []
    }

    /// The open containers, the outermost first.
    private var levels = [Level()]
    private var names = SharedNames()
    /// Whether plain `Codable` types are written as in property lists.
    let isPropertyList: Bool

    init(isPropertyList: Bool) {
        self.isPropertyList = isPropertyList
    }

    /// Frees the names. The rest is Swift's own.
    func deallocate() {
        names.deallocate()
    }

    /// The document; null when nothing was written. Complexity: O(1).
    func finish() -> ModelDocument {
        levels.first?.values.first ?? .null
    }

    // MARK: Containers

    /// Opens an object or an array; ``end(isObject:)`` says which it was.
    mutating func begin() {
        levels.append(Level())
    }

    /// Makes a value of what was written since the container was opened.
    mutating func end(isObject: Bool) {
        guard levels.count > 1, let level = levels.popLast() else { return }
        let keys = isObject ? names.all(of: level.keys) : []
        let node = DocumentNode(keys: keys, values: level.values)
        append(ModelDocument(isObject ? .object(node) : .array(node)))
    }

    /// Removes the container that was opened last, and the key before it: nested attributes that
    /// turned out to be empty.
    mutating func discardField() {
        guard levels.count > 1 else { return }
        levels.removeLast()
        names.removeLast(of: &levels[levels.count - 1].keys)
    }

    /// How many elements the container has that is open.
    var elementCount: Int { levels.last?.values.count ?? 0 }

    /// Adds a value, shared as it is, to the container that is open.
    mutating func append(_ value: ModelDocument) {
        levels[levels.count - 1].values.append(value)
    }

    // MARK: Names

    /// Appends a name that is a value of the program.
    mutating func appendKey(_ name: UnsafeBufferPointer<UInt8>) {
        names.append(FieldKey(name), to: &levels[levels.count - 1].keys)
    }

    /// Appends the name of a field of generated code, which is a token of JSON (``FieldToken``).
    ///
    /// - Complexity: linear in the name.
    mutating func appendKey(token: StaticString) {
        FieldToken.withName(token) { appendKey($0) }
    }

    /// Where in the document the next value goes.
    var path: String {
        var path = DocumentPath()
        for level in levels.dropFirst() {
            // A key without its value yet.
            let count = names.count(of: level.keys)
            if count > level.values.count, let key = names.last(of: level.keys) {
                path.append(key: key)
            } else if count == 0 {
                path.append(index: level.values.count)
            }
        }
        return path.text
    }

    // MARK: Sets

    /// Puts the elements from a place on in an order that only depends on what they are: that of
    /// their JSON. Sets have no order of their own.
    ///
    /// - Complexity: linear in the size of the elements, and O(*n* log *n*) comparisons.
    mutating func sortElements(from start: Int) {
        let last = levels.count - 1
        let elements = levels[last].values[start...]
        let sorted = elements.map { (text: $0.description, value: $0) }.sorted {
            ExactText.precedes($0.text, $1.text)
        }
        levels[last].values.replaceSubrange(start..., with: sorted.map(\.value))
    }
}
