public import DovetailModel

/// A statement in SQL whose values are parameters: what is interpolated is never a part of the text.
///
/// ```swift
/// let query: SQLQuery = "SELECT * FROM User WHERE name = \(name) AND age > \(18)"
/// // SELECT * FROM User WHERE name = ?1 AND age > ?2
/// ```
///
/// A table or column whose name is computed is interpolated as `\(identifier: name)`, in quotes.
public struct SQLQuery: Sendable, ExpressibleByStringInterpolation {
    /// A piece of the statement.
    public enum Part: Hashable, Sendable {
        /// SQL as it is.
        case text(String)
        /// A name, which the database quotes.
        case identifier(String)
        /// A value, which the database binds.
        case value(QueryValue)
    }

    /// The pieces in their order.
    public let parts: [Part]
    /// The value that has no form in a column, as an error says it.
    package let problem: String?

    /// Takes SQL without values.
    public init(stringLiteral text: String) {
        parts = [.text(text)]
        problem = nil
    }

    /// Takes SQL with values.
    public init(stringInterpolation pieces: Interpolation) {
        parts = pieces.parts
        problem = pieces.problem
    }

    /// Collects text and values.
    public struct Interpolation: StringInterpolationProtocol {
        var parts: [Part] = []
        var problem: String?

        /// Begins with nothing.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// SQL as it stands in the source.
        public mutating func appendLiteral(_ text: String) { parts.append(.text(text)) }

        /// A value, as a row would hold it.
        public mutating func appendInterpolation(_ value: some ModelValue) {
            do {
                parts.append(.value(try QueryValue(value)))
            } catch {
                parts.append(.value(.null))
                problem = problem ?? "\(error)"
            }
        }

        /// A value that may be nil, which is NULL.
        public mutating func appendInterpolation<Value: ModelValue>(_ value: Value?) {
            guard let value else { return parts.append(.value(.null)) }
            appendInterpolation(value)
        }

        /// The name of a table or a column.
        public mutating func appendInterpolation(identifier: String) {
            parts.append(.identifier(identifier))
        }
    }
}
