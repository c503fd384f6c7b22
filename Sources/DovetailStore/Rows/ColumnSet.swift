/// Some columns of an entity, by their positions in ``EntityBinding/attributes``.
///
/// ```swift
/// var changed: ColumnSet = [1, 4]
/// changed.insert(2)
/// Array(changed)      // [1, 2, 4]
/// ```
///
/// A set of the first 64 columns, which most entities have, takes no array.
public struct ColumnSet: Hashable, Sendable {
    private var first: UInt64 = 0
    /// The columns from 64 on, 64 in each. Invariant: the last one is not 0, so that equal sets are
    /// the same.
    private var rest: [UInt64] = []

    /// Makes a set of no columns.
    public init() {}

    /// Makes a set of some columns.
    public init(_ columns: some Sequence<Int>) {
        for column in columns { insert(column) }
    }

    /// Whether no column is in it.
    public var isEmpty: Bool { first == 0 && rest.isEmpty }

    /// How many columns are in it.
    public var count: Int { rest.reduce(first.nonzeroBitCount) { $0 + $1.nonzeroBitCount } }

    /// Whether a column is in it.
    public func contains(_ column: Int) -> Bool {
        if column < 64 { return column >= 0 && first & 1 << column != 0 }
        let word = column / 64 - 1
        return word < rest.count && rest[word] & 1 << (column % 64) != 0
    }

    /// Adds a column. There is none at a position below 0.
    public mutating func insert(_ column: Int) {
        guard column >= 64 else {
            if column >= 0 { first |= 1 << column }
            return
        }
        let word = column / 64 - 1
        while rest.count <= word { rest.append(0) }
        rest[word] |= 1 << (column % 64)
    }

    /// The columns that are in it or in another set.
    public func union(_ other: ColumnSet) -> ColumnSet {
        var all = self
        all.first |= other.first
        if !other.rest.isEmpty { for column in other { all.insert(column) } }
        return all
    }
}

extension ColumnSet: Sequence, ExpressibleByArrayLiteral {
    /// Makes a set of the columns of a literal.
    public init(arrayLiteral columns: Int...) {
        self.init(columns)
    }

    /// Goes over the columns in ascending order.
    public func makeIterator() -> Iterator { Iterator(word: 0, bits: first, rest: rest) }

    /// Goes over the columns in ascending order, without an iterator that holds the set.
    func forEach(_ body: (Int) throws -> Void) rethrows {
        var bits = first
        while bits != 0 {
            try body(bits.trailingZeroBitCount)
            bits &= bits - 1
        }
        for (word, var bits) in rest.enumerated() {
            while bits != 0 {
                try body((word + 1) * 64 + bits.trailingZeroBitCount)
                bits &= bits - 1
            }
        }
    }

    /// Goes over the columns of a set.
    public struct Iterator: IteratorProtocol {
        fileprivate var word: Int
        fileprivate var bits: UInt64
        fileprivate let rest: [UInt64]

        /// The next column; nil after the last one.
        public mutating func next() -> Int? {
            while bits == 0 {
                guard word < rest.count else { return nil }
                bits = rest[word]
                word += 1
            }
            defer { bits &= bits - 1 }
            return word * 64 + bits.trailingZeroBitCount
        }
    }

    /// The columns of this set that are not in another one.
    package func subtracting(_ other: ColumnSet) -> ColumnSet {
        guard !rest.isEmpty else {
            var left = self
            left.first &= ~other.first
            return left
        }
        return ColumnSet(lazy.filter { !other.contains($0) })
    }

    /// The columns of this set that are in another one, too.
    package func intersection(_ other: ColumnSet) -> ColumnSet {
        subtracting(subtracting(other))
    }

    /// Makes a set of some of the first 64 columns, each a bit.
    package init(firstBits: UInt64) { first = firstBits }

    /// Those of the first 64 columns that are in it, each a bit.
    package var firstBits: UInt64 { first }

    /// Whether both sets have a column.
    package func meets(_ other: ColumnSet) -> Bool {
        first & other.first != 0 || !rest.isEmpty && contains { $0 >= 64 && other.contains($0) }
    }
}
