/// Makes identifiers for new objects, one after the other.
///
/// Whether one is taken already is asked by ``Repository/nextID(from:attempts:)``.
public protocol IdentifierGenerator<Identifier> {
    /// What it makes.
    associatedtype Identifier

    /// The next identifier; nil when there are no more.
    mutating func next() -> Identifier?
}

/// Whole numbers, one after the other.
///
/// ```swift
/// var numbers = SequentialIdentifiers<Int64>()
/// numbers.next()      // 1
/// var boxes = SequentialIdentifiers(startingAt: 100, as: BoxID.init(rawValue:))
/// boxes.next()        // BoxID(rawValue: 100)
/// ```
public struct SequentialIdentifiers<Identifier>: IdentifierGenerator {
    /// The number that comes next; nil after the greatest one.
    private var number: Int64?
    private let make: (Int64) -> Identifier

    /// Counts from a number on.
    ///
    /// - Parameters:
    ///   - first: The first number.
    ///   - make: Makes an identifier of a number.
    public init(startingAt first: Int64 = 1, as make: @escaping (Int64) -> Identifier) {
        number = first
        self.make = make
    }

    /// The next number's identifier; nil after that of `Int64.max`.
    public mutating func next() -> Identifier? {
        guard let number else { return nil }
        self.number = number == .max ? nil : number + 1
        return make(number)
    }
}

extension SequentialIdentifiers where Identifier == Int64 {
    /// Counts from a number on.
    public init(startingAt first: Int64 = 1) {
        self.init(startingAt: first) { $0 }
    }
}
