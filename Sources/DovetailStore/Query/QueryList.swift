import Synchronization

/// The constants of ``QueryExpression/isIn(_:_:)``: a list, and for one who asks often the set of
/// them.
///
/// ```swift
/// let keys: QueryList = [.integer(1), .integer(2)]
/// ```
public struct QueryList: Hashable, Sendable, ExpressibleByArrayLiteral, RandomAccessCollection {
    /// Shared by copies, so that the set is made once.
    private final class Content: Sendable {
        let values: [QueryValue]
        private let set = Mutex<Set<QueryValue>?>(nil)

        init(_ values: [QueryValue]) {
            self.values = values
        }

        func contains(_ value: QueryValue) -> Bool {
            set.withLock {
                let known = $0 ?? Set(values)
                $0 = known
                return known.contains(value)
            }
        }
    }

    private let content: Content

    /// The constants in their order.
    public var values: [QueryValue] { content.values }

    /// Makes a list of constants.
    public init(_ values: [QueryValue]) {
        content = Content(values)
    }

    /// Makes a list of the constants of a literal.
    public init(arrayLiteral values: QueryValue...) {
        self.init(values)
    }

    /// Where the list begins.
    public var startIndex: Int { 0 }
    /// Where the list ends.
    public var endIndex: Int { values.count }
    /// The constant at a place.
    public subscript(place: Int) -> QueryValue { values[place] }

    /// Whether a constant is in the list, in the case that it has there.
    ///
    /// - Complexity: linear for a few, and O(1) for many, of which a set is made the first time.
    public func contains(_ value: QueryValue) -> Bool {
        count > 16 ? content.contains(value) : values.contains(value)
    }

    /// The constants but for ``QueryValue/null``, which a list of SQL cannot hold.
    ///
    /// - Complexity: linear, without a set.
    package var present: [QueryValue] {
        let isNull = { (value: QueryValue) in if case .null = value { true } else { false } }
        return values.contains(where: isNull) ? values.filter { !isNull($0) } : values
    }

    /// Whether both have the same constants in the same order.
    public static func == (left: QueryList, right: QueryList) -> Bool {
        left.content === right.content || left.values == right.values
    }

    /// Feeds the constants to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
    }
}
