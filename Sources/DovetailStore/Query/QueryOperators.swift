/// An order between two values.
public enum QueryComparison: Hashable, Sendable {
    /// The first is smaller.
    case less
    /// The first is smaller or equal.
    case lessOrEqual
    /// The first is greater.
    case greater
    /// The first is greater or equal.
    case greaterOrEqual
}

/// An operation on two numbers of one kind.
public enum QueryArithmetic: Int, Hashable, Sendable {
    /// The sum.
    case add
    /// The first without the second.
    case subtract
    /// The product.
    case multiply
    /// The quotient, of whole numbers without the part after the point.
    case divide
    /// What is left of a division of whole numbers. It has the sign of the first.
    case remainder
}

/// A function of values. Each has one meaning on all stores; text is taken by its bytes unless the
/// case says something else.
public enum QueryFunction: Int, Hashable, Sendable {
    /// Whether the first text contains the second. SQLite: `instr(a, b) > 0`.
    case contains
    /// Whether the first text starts with the second. SQLite: `instr(a, b) = 1`.
    case hasPrefix
    /// Whether the first text ends with the second.
    case hasSuffix
    /// The text in lower case, by the mappings of Unicode and without a locale.
    case lowercased
    /// The text in upper case, by the same rules.
    case uppercased
    /// Whether the first text contains the second without regard to case and diacritics
    /// (`localizedStandardContains`).
    case containsFolded
    /// The order of two texts without regard to case: -1, 0 or 1.
    case compareCaseInsensitive
    /// The order of two texts in a list that people read: -1, 0 or 1.
    case compareLocalized
    /// The number of characters of a text, of bytes, or of the elements of a document.
    case count
    /// Whether a text, bytes or a document has nothing in it.
    case isEmpty
    /// The beginning of the year that a date is in, in UTC.
    case startOfYear
    /// The beginning of the month, in UTC.
    case startOfMonth
    /// The beginning of the day, in UTC.
    case startOfDay
    /// The beginning of the hour, in UTC.
    case startOfHour
}

/// A step into an embedded document.
public enum QueryPathStep: Hashable, Sendable {
    /// The members of objects one in the other, as the path of an error spells them: `avatar.url`.
    case path(String)
    /// The member of an object with a name. Of a repeated one the last.
    case name(String)
    /// The element of an array at a place; -1 is the last one.
    case index(Int)
}

/// What is asked of all elements of an array together.
public enum QueryQuantifier: Hashable, Sendable {
    /// Whether the condition holds for one at least.
    case any
    /// Whether the condition holds for each.
    case all
    /// The array of those for which the condition holds.
    case filter
    /// The smallest of the values that are there.
    case minimum
    /// The largest of the values that are there.
    case maximum
}
