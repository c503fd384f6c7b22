/// Where a value is in the one that is read or written: which containers it is in. It becomes a coding path when
/// somebody asks, which most never do.
final class CodablePath: Sendable {
    private let outer: CodablePath?
    private let key: any CodingKey

    init(_ outer: CodablePath?, _ key: any CodingKey) {
        self.outer = outer
        self.key = key
    }

    /// The keys from the outside in. Complexity: linear in their number.
    static func keys(of path: CodablePath?) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var place = path
        while let here = place {
            keys.append(here.key)
            place = here.outer
        }
        return keys.reversed()
    }
}

/// The same with the last key beside it: most values are in no need of a path of their own.
struct CodablePlace: Sendable {
    let outer: CodablePath?
    let key: (any CodingKey)?

    /// That of what is read or written as a whole.
    static let root = CodablePlace(outer: nil, key: nil)

    /// The path of what is inside.
    var path: CodablePath? { key.map { CodablePath(outer, $0) } ?? outer }
    var keys: [any CodingKey] { CodablePath.keys(of: outer) + (key.map { [$0] } ?? []) }
}

/// A key of a container: the name of a member, or the place of an element.
enum CodableKey: CodingKey {
    case element(Int)
    /// Where a class keeps the fields of its superclass.
    case `super`

    init?(stringValue: String) {
        if stringValue != "super" { return nil }
        self = .super
    }

    init(intValue: Int) { self = .element(intValue) }

    var stringValue: String { intValue.map { "\($0)" } ?? "super" }
    var intValue: Int? { if case .element(let place) = self { place } else { nil } }
}
