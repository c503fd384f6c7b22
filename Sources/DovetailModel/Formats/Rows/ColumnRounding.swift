/// How a store rounds what a column is given, so that a value is compared as it comes back.
///
/// A row tells it of each column (``RowSource/rounding(of:)``). Of values of another kind it says nothing.
///
/// ```swift
/// // numeric(10, 2)
/// func rounding(of column: Int) -> ColumnRounding? { column == 1 ? .decimals(digits: 2) : nil }
/// ```
public enum ColumnRounding: Hashable, Sendable {
    /// Dates to so many digits of a second, 0 to 6: of two that are equally near the even microsecond, and then
    /// the one farther from the beginning of the year 2000, as PostgreSQL has it.
    case dates(digits: Int)
    /// Dates to the beginning of their day in UTC.
    case days
    /// Decimal numbers to so many digits after the point, below 0 before it; a half away from zero.
    case decimals(digits: Int)
    /// Numbers to 32 bits, each given as the shortest decimal that is read as it.
    case singles
    /// Text without the spaces at its end.
    case trimmedText
}
