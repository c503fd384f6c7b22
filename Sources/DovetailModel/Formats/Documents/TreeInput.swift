/// A ``ModelDocument`` that is read where it is in memory: its root, and which containers are
/// entered.
///
/// A ``ReaderState`` owns it through a pointer and frees it.
///
/// The cursor of a reader over a tree is the address of a value. Invariant: `root` shares the
/// document as one of its owners, also where it is a value of the members of a migrated object,
/// which do not change while that is read. Whoever changes another copy meanwhile copies each node
/// on the way first (``ModelDocument/uniqueNode()``), so no node below `root` changes, and the
/// elements of each stay where they are as long as `root` holds it.
struct TreeInput {
    /// A container that is entered.
    struct Frame: BitwiseCopyable {
        /// The address of the container.
        let container: UnsafePointer<UInt8>
        /// The names of an object's members; nil for an array.
        let keys: UnsafePointer<String>?
        /// The same as keys; nil when they are made one by one.
        let fields: UnsafePointer<FieldKey>?
        let values: UnsafePointer<ModelDocument>?
        let count: Int
        /// How many of the elements were handed out.
        var next = 0
    }

    /// Where a reader goes on after a value that a migration put into an object: what
    /// `ModelReader.enterValue(_:named:in:)` saves and `leaveValue()` restores.
    struct Outside {
        let source: ModelReader.Source
        let cursor: UnsafePointer<UInt8>
        let end: UnsafePointer<UInt8>
        let tree: UnsafeMutablePointer<TreeInput>?
        /// The migrated object, and the name of the value in it; valid as long as that is read.
        let object: UnsafePointer<UInt8>
        let name: FieldKey
        /// The place in ``ReaderState/Migration/nesting``.
        let nesting: Int
        /// Which value that a migration put in it is for the reader, from 1.
        let number: Int
        /// Whether plain `Codable` types are read as in property lists.
        let isPropertyList: Bool
    }

    /// The document, whose address is the first cursor. A value that a migration put into an object
    /// is where ``LazyMembers/values`` has it, any other document is in memory of its own.
    private(set) var root: UnsafeMutablePointer<ModelDocument>
    private let ownsRoot: Bool
    /// The remaining depth at the root.
    private(set) var depth: Int
    /// Nil for a document that is read as a whole.
    var outside: Outside?
    /// A frame for each level below the root.
    private(set) var frames = GrowingBuffer<Frame>(capacity: 8)
    /// The keys of lists that were met before.
    var names = TreeNames()
    /// Holds the name that was read last. Invariant: `nameCapacity + 8` initialized bytes, so that
    /// ``key(of:)`` can load eight whatever the name's length.
    private var name: UnsafeMutablePointer<UInt8>
    private var nameCapacity = 64

    init(_ document: consuming ModelDocument, depth: Int) {
        root = .allocate(capacity: 1)
        root.initialize(to: document)
        ownsRoot = true
        self.depth = depth
        name = .allocate(capacity: nameCapacity + 8)
        name.initialize(repeating: 0, count: nameCapacity + 8)
    }

    /// Makes one for a value that a migration put into an object, whose `outside` is set next. The
    /// members of the object keep the value until it is left.
    init(at root: UnsafeMutablePointer<ModelDocument>, depth: Int) {
        self.root = root
        ownsRoot = false
        self.depth = depth
        name = .allocate(capacity: nameCapacity + 8)
        name.initialize(repeating: 0, count: nameCapacity + 8)
    }

    /// Turns to another value that a migration put in, whose `outside` is set next, with the memory
    /// that was used for the one before.
    @inline(__always)
    mutating func restart(at root: UnsafeMutablePointer<ModelDocument>, depth: Int) {
        names.removeAll()
        self.root = root
        frames.truncate(to: 0)
        self.depth = depth
    }

    /// Leaves a value that a migration put in. A container, which may be large, is released.
    @inline(__always)
    mutating func leave() {
        if root.pointee.isContainer { root.pointee = .null }
        outside = nil
    }

    /// Lets go of everything. No function may be called afterwards.
    mutating func deallocate() {
        names.deallocate()
        if ownsRoot {
            root.deinitialize(count: 1)
            root.deallocate()
        }
        frames.deallocate()
        name.deallocate()
    }

    /// The cursor at the root.
    var cursor: UnsafePointer<UInt8> { Self.address(of: UnsafePointer(root)) }

    /// The address of a value as a cursor, which is a pointer to bytes for all sources.
    @inline(__always)
    static func address(of value: UnsafePointer<ModelDocument>) -> UnsafePointer<UInt8> {
        UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self)
    }

    /// Enters a container, at a remaining depth that counts it. Frames of containers that were left
    /// are dropped here, so leaving costs nothing.
    @inline(__always)
    mutating func enter(_ frame: Frame, at remainingDepth: Int) {
        frames.truncate(to: depth &- remainingDepth &- 1)
        frames.append(frame)
    }

    /// The frame of the container that was entered last; nil outside of all.
    @inline(__always)
    func frame(at remainingDepth: Int) -> UnsafeMutablePointer<Frame>? {
        let level = depth &- remainingDepth
        guard level > 0, level <= frames.count else { return nil }
        return frames.storage + (level &- 1)
    }

    /// The key of a name, valid until the next one: a copy of the bytes, because a short `String`
    /// has none that could be pointed at.
    ///
    /// - Complexity: linear in the name.
    @inline(__always)
    mutating func key(of text: String) -> FieldKey {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { copyName($0) }
        if isDone == nil {
            var text = text
            text.withUTF8 { copyName($0) }
        }
        let count = text.utf8.count
        let bits = UInt64(truncatingIfNeeded: min(count, 7)) &* 8
        let length = UInt64(truncatingIfNeeded: min(count, 255))
        let word = UInt64(littleEndian: UnsafeRawPointer(name).load(as: UInt64.self))
        return FieldKey(
            code: word & ((1 &<< bits) &- 1) | length &<< 56,
            start: UnsafePointer(name),
            count: count
        )
    }

    /// Copies a name to the front of `name`. The bytes after it are left over and masked out.
    @inline(__always)
    private mutating func copyName(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.count > nameCapacity { growName(to: bytes.count) }
        guard let start = bytes.baseAddress else { return }
        name.update(from: start, count: bytes.count)
    }

    /// Makes room for a longer name. The old one is dropped.
    @inline(never)
    private mutating func growName(to count: Int) {
        name.deallocate()
        nameCapacity = count * 2
        name = .allocate(capacity: nameCapacity + 8)
        name.initialize(repeating: 0, count: nameCapacity + 8)
    }

    /// The path from the root to a container that is entered, or to the value that is read.
    ///
    /// - Complexity: linear in the depth.
    func path(to container: UnsafePointer<UInt8>, remainingDepth: Int) -> DocumentPath {
        var path = DocumentPath()
        let levels = min(depth - max(remainingDepth, 0), frames.count)
        for level in 0..<max(levels, 0) {
            let frame = frames[level]
            if frame.container == container { break }
            guard frame.next > 0 else { continue }
            if let keys = frame.keys {
                path.append(key: keys[frame.next - 1])
            } else {
                path.append(index: frame.next - 1)
            }
        }
        return path
    }
}

extension ReaderState {
    /// The trees that a reader is in, one around the other, and one to spare.
    struct Trees {
        /// The tree that is read; nil in other sources.
        var current: UnsafeMutablePointer<TreeInput>?
        /// Kept for the next value that a migration puts in.
        var spare: UnsafeMutablePointer<TreeInput>?
        /// How many values were entered that a migration put in.
        var enteredCount = 0

        /// Frees all, from the innermost outwards.
        mutating func deallocate() {
            while let inner = current ?? spare {
                if current == nil { spare = nil } else { current = inner.pointee.outside?.tree }
                inner.pointee.deallocate()
                inner.deallocate()
            }
        }
    }
}
