import Foundation

// How models are read from a ModelDocument. The cursor is the address of a value. Where in a
// container a reader is, the frame of its level says; so entering a container again is setting the
// cursor back, and skipping a value is doing nothing.

extension ModelReader {
    /// Makes a reader at the root of a document, which it shares.
    ///
    /// The ``ReaderState`` owns the tree and frees it. `end` means nothing in a tree.
    @usableFromInline
    init(tree document: ModelDocument) {
        let tree = UnsafeMutablePointer<TreeInput>.allocate(capacity: 1)
        tree.initialize(to: TreeInput(document, depth: ModelReader.maximumDepth))
        self.state = ReaderState(start: ReaderState.noBytes)
        self.row = nil
        self.fields = nil
        self.cells = ReaderState.noCells
        state.trees.current = tree
        self.cursor = tree.pointee.cursor
        self.end = ReaderState.noBytes
        self.source = .tree
        self.column = -1
        self.remainingDepth = ModelReader.maximumDepth
    }

    /// Reads a value from a document, which has nothing after its root.
    ///
    /// - Throws: what `body` throws.
    @inlinable
    static func decode<Value>(
        tree document: ModelDocument,
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value {
        var reader = ModelReader(tree: document)
        return try body(&reader)
    }

    /// The value under the cursor.
    ///
    /// Invariant: in a tree the cursor is the address of a value (``TreeInput``).
    @inline(__always)
    private var treeValue: UnsafePointer<ModelDocument> {
        UnsafeRawPointer(cursor).assumingMemoryBound(to: ModelDocument.self)
    }

    // MARK: Containers

    /// Enters the object under the cursor. Complexity: O(1), unless its members are still unread.
    mutating func enterTreeObject() throws {
        guard case .object(let node) = treeValue.pointee.storage else { throw mismatch("object") }
        try enterTree(node, isObject: true)
    }

    /// Enters the array under the cursor.
    mutating func enterTreeArray() throws {
        guard case .array(let node) = treeValue.pointee.storage else { throw mismatch("array") }
        try enterTree(node, isObject: false)
    }

    /// Pushes a frame over the elements of a node. The depth counts first: the place of the frame
    /// depends on it.
    @inline(__always)
    private mutating func enterTree(_ node: DocumentNode, isObject: Bool) throws {
        try descend()
        guard let tree = state.trees.current else { return }
        let elements = node.elements
        let keys = isObject ? elements.keys : nil
        tree.pointee.enter(
            TreeInput.Frame(
                container: cursor,
                keys: keys,
                fields: keys.flatMap { tree.pointee.names.keys(of: $0, count: elements.count) },
                values: elements.values,
                count: elements.count
            ),
            at: remainingDepth
        )
    }

    /// Moves to the value of the next member and gives its name, valid until the next one; nil
    /// after the last one.
    mutating func nextTreeKey() -> FieldKey? {
        guard let tree = state.trees.current, let index = nextTreeIndex(tree),
            let frame = tree.pointee.frame(at: remainingDepth), let keys = frame.pointee.keys
        else { return nil }
        if let fields = frame.pointee.fields { return fields[index] }
        return tree.pointee.key(of: keys[index])
    }

    /// Moves to the next element; false after the last one.
    mutating func nextTreeElement() -> Bool {
        guard let tree = state.trees.current else { return false }
        return nextTreeIndex(tree) != nil
    }

    /// Moves to the next value of the container; nil after the last one.
    @inline(__always)
    private mutating func nextTreeIndex(_ tree: UnsafeMutablePointer<TreeInput>) -> Int? {
        guard let frame = tree.pointee.frame(at: remainingDepth) else { return nil }
        let index = frame.pointee.next
        guard index < frame.pointee.count, let values = frame.pointee.values else {
            remainingDepth &+= 1
            return nil
        }
        frame.pointee.next = index &+ 1
        cursor = TreeInput.address(of: values + index)
        return index
    }

    /// The number of the member that is read, from 1, which errors find its name by.
    var treeMemberNumber: Int {
        get { state.trees.current?.pointee.frame(at: remainingDepth)?.pointee.next ?? 0 }
        set { state.trees.current?.pointee.frame(at: remainingDepth)?.pointee.next = newValue }
    }

    /// Moves to the member of a number, from 1; does nothing for one that the object does not have.
    mutating func moveToTreeMember(_ number: Int) {
        guard let frame = state.trees.current?.pointee.frame(at: remainingDepth),
            1...max(frame.pointee.count, 1) ~= number, let values = frame.pointee.values
        else { return }
        frame.pointee.next = number
        cursor = TreeInput.address(of: values + (number - 1))
    }

    /// How many elements the array that is read has.
    var treeElementCount: Int {
        state.trees.current?.pointee.frame(at: remainingDepth)?.pointee.count ?? 0
    }

    // MARK: Scalars
    //
    // The cursor does not move when a value is read.

    /// The kind of the value under the cursor. All numbers are one kind for a reader.
    var treeKind: ValueKind {
        switch treeValue.pointee.storage {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .date: .date
        case .data: .data
        case .array: .array
        case .object: .object
        }
    }

    /// Whether the value is null. The string `$null` is a string here.
    mutating func readTreeNull() -> Bool {
        if case .null = treeValue.pointee.storage { true } else { false }
    }

    mutating func readTreeBool() throws -> Bool {
        guard case .bool(let value) = treeValue.pointee.storage else { throw mismatch("Bool") }
        return value
    }

    mutating func readTreeString() throws -> String {
        guard case .string(let value) = treeValue.pointee.storage else { throw mismatch("String") }
        return value
    }

    /// The string under the cursor as a key, which is valid until the next one is read; nil for
    /// another value.
    mutating func treeName() -> FieldKey? {
        guard let tree = state.trees.current, case .string(let value) = treeValue.pointee.storage
        else { return nil }
        return tree.pointee.key(of: value)
    }

    /// The whole number under the cursor, however it is written.
    ///
    /// - Parameter type: the declared type, for messages; the caller checks whether it fits.
    mutating func readTreeInteger(_ type: Any.Type) throws -> Int128 {
        switch treeValue.pointee.storage {
        case .number(.integer(let value)): return Int128(value)
        case .number(.double(let value)):
            guard let whole = Int128(exactly: value) else { throw outOfRange(type) }
            return whole
        case .number(let number): return try integer(of: number.text, type)
        default: throw mismatch("\(type)")
        }
    }

    /// The nearest double. NaN and infinities only come from numbers that were doubles.
    mutating func readTreeDouble() throws -> Double {
        switch treeValue.pointee.storage {
        case .number(.double(let value)): return value
        case .number(.integer(let value)): return Double(value)
        case .number(.text(let text)): return try double(of: text)
        case .number(let number): return try double(of: number.text)
        default: throw mismatch("Double")
        }
    }

    /// Documents of property lists have decimal numbers as strings, or as Foundation's dictionary.
    mutating func readTreeDecimal() throws -> Decimal {
        switch treeValue.pointee.storage {
        case .number(.decimal(let value)): return value
        case .number(let number): return try decimal(of: number.text)
        case .string(let text): return try decimal(of: text)
        case .object: return try readCodable(Decimal.self, asInPropertyList: true)
        default: throw mismatch("Decimal")
        }
    }

    /// A date, or a string in ISO 8601.
    mutating func readTreeDate() throws -> Date {
        if case .date(let value) = treeValue.pointee.storage { return value }
        return try readDateText()
    }

    /// Bytes, or a string in base64.
    mutating func readTreeData() throws -> Data {
        if case .data(let value) = treeValue.pointee.storage { return value }
        return try readDataText()
    }

    /// The value under the cursor, shared.
    ///
    /// - Complexity: linear, because what is too deep to be written is refused.
    /// - Throws: ``ModelDecodingError`` for more levels than are left.
    mutating func readTreeDocument() throws -> ModelDocument {
        let document = treeValue.pointee
        guard document.fits(within: remainingDepth) else { throw tooDeep() }
        return document
    }

    /// The digits of the number under the cursor; nil where there are none.
    var treeNumberText: String? {
        switch treeValue.pointee.storage {
        case .number(.double), .number(.decimal): nil
        case .number(let number): number.text
        default: nil
        }
    }

    // MARK: Values that a migration put into an object

    /// Turns to a value that a migration put into an object. The reader reads it as a tree and
    /// comes back with ``leaveValue()``. Trees may lie in each other; each knows the one around it.
    ///
    /// - Parameters:
    ///   - value: The value, which stays there until it is left.
    ///   - name: The name of its member.
    ///   - object: The migrated object, for errors.
    @inline(never)
    mutating func enterValue(
        at value: UnsafeMutablePointer<ModelDocument>,
        named name: FieldKey,
        in object: UnsafePointer<UInt8>
    ) {
        state.migration.nesting += 1
        state.trees.enteredCount += 1
        let tree: UnsafeMutablePointer<TreeInput>
        if let spare = state.trees.spare {
            tree = spare
            state.trees.spare = nil
            tree.pointee.restart(at: value, depth: remainingDepth)
        } else {
            tree = .allocate(capacity: 1)
            tree.initialize(to: TreeInput(at: value, depth: remainingDepth))
        }
        // Made where it stays: a copy of what was just stored would be waited for.
        tree.pointee.outside = TreeInput.Outside(
            source: source,
            cursor: cursor,
            end: end,
            tree: state.trees.current,
            object: object,
            name: name,
            nesting: state.migration.nesting,
            number: state.trees.enteredCount,
            isPropertyList: isPropertyList
        )
        state.trees.current = tree
        source = .tree
        cursor = tree.pointee.cursor
    }

    /// Turns back to the document around a value, wherever the reader is in it. One tree is kept
    /// for the next value, so that a step in each of many records allocates once.
    @inline(__always)
    mutating func leaveValue() {
        guard let tree = state.trees.current, let outside = tree.pointee.outside else { return }
        remainingDepth = tree.pointee.depth
        source = outside.source
        cursor = outside.cursor
        end = outside.end
        state.trees.current = outside.tree
        state.migration.nesting = outside.nesting - 1
        tree.pointee.leave()
        if state.trees.spare == nil {
            state.trees.spare = tree
        } else {
            tree.pointee.deallocate()
            tree.deallocate()
        }
    }

    /// Whether plain `Codable` types are read as in property lists: by the source, and in a value
    /// that a migration put in by the source of the document around it.
    var isPropertyList: Bool {
        switch source {
        case .json, .row: false
        case .binaryPropertyList, .xmlPropertyList: true
        case .tree: state.trees.current?.pointee.outside?.isPropertyList ?? false
        case .tagged: state.tagged.map { $0.source != .json && $0.source != .row } ?? false
        }
    }

    // MARK: Errors

    /// An error about a value or a container of a tree. It has a path and no line; inside of a
    /// migrated object it has the place of that object, and the path goes through it.
    @inline(never)
    mutating func treeError(
        _ kind: ModelDecodingError.Kind,
        expected: String,
        found: String?,
        at position: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        guard let tree = state.trees.current else {
            return ModelDecodingError(kind: kind, path: "", expected: expected, found: "")
        }
        let path = tree.pointee.path(to: position, remainingDepth: remainingDepth)
        let inner = ModelDecodingError(
            kind: kind,
            path: path.text,
            expected: expected,
            found: found ?? describeTree(at: position)
        )
        guard let outside = tree.pointee.outside else { return inner }
        let name = DocumentPath.component(of: outside.name.text)
        return inner.inside(name).placed(at: place(of: outside, depth: tree.pointee.depth))
    }

    /// The place of the object that a value was put into.
    private mutating func place(of outside: TreeInput.Outside, depth: Int) -> ModelDecodingError {
        let here = (cursor, end, source, remainingDepth, state.trees.current)
        defer { (cursor, end, source, remainingDepth, state.trees.current) = here }
        (cursor, end, source, remainingDepth, state.trees.current) = (
            outside.cursor, outside.end, outside.source, depth, outside.tree
        )
        return error(.rejected, expected: "", found: "", at: outside.object)
    }

    /// Says in a few words what a value is.
    ///
    /// Invariant: `position` is the address of a value, as the cursor of a tree is.
    private mutating func describeTree(at position: UnsafePointer<UInt8>) -> String {
        let here = cursor
        defer { cursor = here }
        cursor = position
        switch treeValue.pointee.storage {
        case .null: return "null"
        case .bool(let value): return "\(value)"
        case .number(let number): return number.text
        case .string(let text): return DocumentExcerpt.quote(text)
        case .date: return "a date"
        case .data: return "data"
        case .array: return "array"
        case .object: return "object"
        }
    }
}

extension ModelDocument {
    /// Whether it has at most so many levels, at which the recursion ends.
    func fits(within depth: Int) -> Bool {
        switch storage {
        case .array(let node), .object(let node):
            depth > 0 && node.fits(within: depth - 1)
        default: true
        }
    }
}

extension DocumentNode {
    /// Whether all elements have at most so many levels. Complexity: linear in all below.
    fileprivate func fits(within depth: Int) -> Bool {
        let elements = elements
        guard let values = elements.values else { return true }
        for index in 0..<elements.count where !values[index].fits(within: depth) { return false }
        return true
    }
}
