/// What was found out of the untagged unions inside of a case that is tried: the next case reads the same values
/// again, and would try all of theirs again. Without it, each level of a document whose cases are told apart by
/// what comes after a nested union took twice as long as the one below.
@usableFromInline
struct UnionMemory {
    /// A value, as a union.
    struct Place: Hashable {
        let position: UnsafePointer<UInt8>
        let table: ObjectIdentifier
        /// Which value of a migration it is in, or 0: another one may be at the same address later.
        let migrated: Int
    }

    /// What a value turned out to be.
    enum Outcome {
        case chosen(Int)
        case none(ModelDecodingError)
    }

    /// How many cases are being tried, each inside of the one before it.
    @usableFromInline var depth = 0
    /// The error of the last union that was none of its cases.
    var last: ModelDecodingError?
    private var outcomes: [Place: Outcome] = [:]

    @usableFromInline
    init() {}

    subscript(place: Place) -> Outcome? {
        outcomes.isEmpty ? nil : outcomes[place]
    }

    /// Keeps what a value is, as long as it may be read again.
    mutating func keep(_ outcome: Outcome, of place: Place) {
        if depth > 0 { outcomes[place] = outcome }
    }

    /// Whether an error is that of the union which was read last: one inside of what threw it.
    @usableFromInline
    func isLast(_ error: any Error) -> Bool {
        last != nil && error as? ModelDecodingError == last
    }

    /// Ends the try of a case.
    @usableFromInline
    mutating func leave() {
        depth -= 1
        if depth == 0, !outcomes.isEmpty { outcomes = [:] }
    }
}

extension ModelReader {
    /// The value at a position, as a union; nil where another one may be at the same address later.
    func unionPlace(
        of union: UnionScope,
        at position: UnsafePointer<UInt8>
    ) -> UnionMemory.Place? {
        guard let table = union.table, source != .tagged, source != .row else { return nil }
        let outside = source == .tree ? state.trees.current?.pointee.outside : nil
        return UnionMemory.Place(
            position: position,
            table: table,
            migrated: outside?.number ?? 0
        )
    }

    /// Keeps which case of a union the value at a position is.
    @usableFromInline
    @inline(never)
    mutating func keepChoice(_ place: Int, of union: UnionScope, at position: UnsafePointer<UInt8>)
    {
        if let value = unionPlace(of: union, at: position) {
            state.unions.keep(.chosen(place), of: value)
        }
    }
}
