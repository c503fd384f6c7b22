// Unions without a tag: the kind of the value leaves the cases that can be meant, the fields of an
// object put those first whose field is there, and then they are tried in their order.

/// The cases of an untagged union that a value may still be. Made and asked by generated code.
public struct UnionScope {
    /// The most cases of one union.
    static let maximumCount = 64

    @usableFromInline let kind: DocumentKinds
    /// The cases that are not tried yet and take the kind, one bit for each.
    @usableFromInline var candidates: UInt64 = 0
    /// Those of them that are tried first.
    @usableFromInline var likely: UInt64 = .max
    /// The table of the union, where it was asked for.
    @usableFromInline var table: ObjectIdentifier?
    /// Why cases were not it; nil until one was not, as most values are the first case that is tried.
    @usableFromInline var failures: Failures?

    /// Why a case was not it.
    fileprivate struct Reason {
        let place: Int
        let error: any Error
        /// Whether it is that of a union further in.
        let isNested: Bool

        /// Whether the value at a path itself lacks a field that the case needs: it was never meant.
        func isAbsence(at path: String) -> Bool {
            guard let error = error as? ModelDecodingError, error.kind == .missingField else {
                return false
            }
            return !error.path(from: path).contains { $0 == "." || $0 == "[" }
        }
    }

    /// Why cases were not it.
    @usableFromInline
    final class Failures {
        fileprivate var reasons: [Reason] = []

        fileprivate init() {}
    }

    fileprivate init(_ kind: DocumentKinds) { self.kind = kind }

    /// Adds a case, if it takes the kind of the value.
    @inlinable
    @inline(__always)
    public mutating func add(_ place: Int, _ kinds: DocumentKinds) {
        if kinds.contains(kind) { candidates |= 1 << UInt64(place) }
    }

    /// Whether more than one case takes the kind, and the value can be looked into.
    @inlinable var isOpen: Bool {
        candidates & (candidates &- 1) != 0 && (kind == .object || kind == .array)
    }

    /// Whether no case is left, so that the one which is tried now has the last word.
    @inlinable var isLast: Bool { candidates == 0 && failures == nil }

    /// Tries only one of the cases, or none.
    mutating func keepOnly(_ place: Int?) { candidates = place.map { 1 << UInt64($0) } ?? 0 }

    /// Puts cases before the others.
    mutating func prefer(_ cases: UInt64) { likely = cases }

    /// The cases that are not tried yet.
    var open: UInt64 { candidates }

    /// The next case to try; nil after the last one.
    @inlinable
    public mutating func next() -> Int? {
        guard candidates != 0 else { return nil }
        let first = candidates & likely == 0 ? candidates : candidates & likely
        let place = first.trailingZeroBitCount
        candidates &= ~(1 << UInt64(place))
        return place
    }

    @usableFromInline
    @inline(never)
    mutating func note(_ place: Int, _ reason: any Error, isNested: Bool) {
        let failures = failures ?? Failures()
        failures.reasons.append(Reason(place: place, error: reason, isNested: isNested))
        self.failures = failures
    }

    /// The error of a union further in, where it is in the only case that the value can be: that one has
    /// the place, and names the cases that are to be told apart.
    ///
    /// - Parameter path: That of the value, if the errors have it.
    fileprivate func nested(at path: String) -> ModelDecodingError? {
        let meant = failures?.reasons.filter { !$0.isAbsence(at: path) } ?? []
        guard meant.count == 1, meant[0].isNested else { return nil }
        return meant[0].error as? ModelDecodingError
    }
}

extension ModelReader {
    /// Looks at the kind of the value under the cursor, which an untagged union is. Called by generated
    /// code.
    ///
    /// - Throws: ``ModelDecodingError`` where no value starts.
    public mutating func beginUnion() throws -> UnionScope {
        if source == .tagged { return UnionScope(.object) }
        return UnionScope(DocumentKinds(try peekKind()))
    }

    /// Tries one case, and goes back to the value when it is none. A case that no other one stands
    /// beside is read at once, so that its errors are those of the document. Called by generated code.
    ///
    /// - Throws: what `body` throws for the only case.
    @inlinable
    public mutating func attempt<Value>(
        _ union: inout UnionScope,
        _ place: Int,
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value? {
        if union.isLast { return try body(&self) }
        let start = cursor
        state.unions.depth += 1
        let result = attempt(body)
        state.unions.leave()
        switch result {
        case .success(let value):
            if union.table != nil, state.unions.depth > 0 {
                keepChoice(place, of: union, at: start)
            }
            return value
        case .failure(let reason):
            union.note(place, reason, isNested: state.unions.isLast(reason))
            return nil
        }
    }

    /// Puts those cases first whose fields an object has, or the first element of an array. Called by
    /// generated code.
    ///
    /// - Complexity: linear in the object, once, where more than one case takes the kind.
    @inlinable
    public mutating func narrow(_ union: inout UnionScope, _ shapes: () -> UnionShapes) {
        if union.isOpen { narrow(&union, by: shapes()) }
    }

    @usableFromInline
    @inline(never)
    mutating func narrow(_ union: inout UnionScope, by shapes: UnionShapes) {
        union.table = shapes.shapes.first.map { ObjectIdentifier($0) }
        if let place = unionPlace(of: union, at: cursor), let known = state.unions[place] {
            if case .chosen(let place) = known {
                union.keepOnly(place)
            } else {
                union.keepOnly(nil)
            }
            return
        }
        let open = union.open
        let found = lookAhead { $0.fitting(shapes.shapes, open) }
        if found != 0 { union.prefer(found) }
    }

    /// Reads the value under the cursor, and stays before it. Errors count from the value.
    private mutating func lookAhead<Found>(
        _ body: (inout ModelReader) throws -> Found
    ) rethrows -> Found {
        let tagged = source == .tagged ? state.tagged : nil
        let scope = beginElement()
        defer {
            goBack(to: scope)
            state.tagged = tagged
        }
        forgetTaggedObject()
        return try body(&self)
    }

    /// The error of a value that is none of the format, or is too deep, whichever case reads it.
    private mutating func breach() -> ModelDecodingError? {
        do {
            try lookAhead { try $0.skipValue() }
            return nil
        } catch { return (error as? ModelDecodingError).map { found($0, at: place(at: cursor)) } }
    }

    /// Where a value is.
    private mutating func place(at start: UnsafePointer<UInt8>) -> ModelDecodingError {
        error(.unknownCase, expected: "", found: "", at: start)
    }

    /// Whether errors of what is tried count from the value (``beginElement()``).
    private var countsFromValue: Bool { source == .json || source == .xmlPropertyList }

    /// The error of something in the value under the cursor, as one of the whole document.
    private func found(
        _ inner: ModelDecodingError,
        at place: ModelDecodingError
    ) -> ModelDecodingError {
        guard countsFromValue else { return inner }
        return inner.moved(
            to: DocumentPosition(path: place.path, line: place.line, column: place.column)
        )
    }

    /// Those of the cases that the value under the cursor looks like; none where that is not known. What
    /// is no value of the format is left to the cases to find.
    private mutating func fitting(_ shapes: [UnionShape], _ open: UInt64) -> UInt64 {
        guard let kind = try? DocumentKinds(peekKind()) else { return 0 }
        let cases = Self.cases(of: open) { shapes[$0].kinds.contains(kind) }
        switch kind {
        case .object:
            var missing = Self.cases(of: cases) { shapes[$0].required != nil }
            let free = cases & ~missing
            var found: UInt64 = 0
            guard var object = try? beginObject() else { return 0 }
            // No case that is still missed may come before the first one that can be meant.
            while missing != 0,
                missing.trailingZeroBitCount < (found | free).trailingZeroBitCount,
                let key = (try? nextDocumentField(in: &object)) ?? nil
            {
                let text = key.text
                let here = Self.cases(of: missing) { shapes[$0].required == text }
                (found, missing) = (found | here, missing & ~here)
                guard (try? skipValue()) != nil else { return 0 }
            }
            return Self.adding(free, before: found)
        case .array:
            guard var array = try? beginArray(), (try? nextElement(in: &array)) == true else {
                return 0
            }
            let known = Self.cases(of: cases) { shapes[$0].element != nil }
            let elements = shapes.map { $0.element ?? $0 }
            return Self.adding(cases & ~known, before: fitting(elements, known))
        default: return cases
        }
    }

    /// The cases that were found, with those of the others that stand before all of them: these keep
    /// their place, as nothing is known of them.
    private static func adding(_ others: UInt64, before found: UInt64) -> UInt64 {
        guard found != 0 else { return 0 }
        return found | others & (1 << UInt64(found.trailingZeroBitCount) &- 1)
    }

    /// The bits of those cases for which a condition holds.
    private static func cases(of all: UInt64, where holds: (Int) -> Bool) -> UInt64 {
        var (rest, result): (UInt64, UInt64) = (all, 0)
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            if holds(place) { result |= 1 << UInt64(place) }
            rest &= rest &- 1
        }
        return result
    }

    /// The error that a value is no case of an untagged union. It says of each case why not; of a union
    /// further in, where that is in the only case that can be meant; and what breaks the format is told
    /// as such. Called by generated code.
    ///
    /// - Parameters:
    ///   - names: the names of the cases.
    ///   - shapes: what they take.
    @inline(never)
    public mutating func noCase(
        of type: Any.Type,
        _ union: UnionScope,
        _ names: [String],
        _ shapes: UnionShapes
    ) -> ModelDecodingError {
        let place = unionPlace(of: union, at: cursor)
        if let place, case .none(let error)? = state.unions[place] {
            state.unions.last = error
            return error
        }
        let here = self.place(at: cursor)
        // Whence the paths of the reasons count.
        let start = countsFromValue ? "" : here.path
        let error =
            breach() ?? union.nested(at: start).map { found($0, at: here) }
            ?? failure(of: type, union, names, shapes, from: start)
        state.unions.last = error
        if let place { state.unions.keep(.none(error), of: place) }
        return error
    }

    private mutating func failure(
        of type: Any.Type,
        _ union: UnionScope,
        _ names: [String],
        _ shapes: UnionShapes,
        from start: String
    ) -> ModelDecodingError {
        let reasons = zip(names, shapes.shapes).enumerated().map { place, entry in
            let reason = union.failures?.reasons.first { $0.place == place }?.error
            guard let reason else { return "\(entry.0) (expected \(entry.1.kinds.words))" }
            guard let reason = reason as? ModelDecodingError else {
                return "\(entry.0) (\(reason))"
            }
            let inner = reason.path(from: start)
            let path = inner.isEmpty ? "" : "\(inner): "
            return
                "\(entry.0) (\(path)expected \(reason.expected), found \(Self.short(reason.found)))"
        }
        let list = reasons.joined(separator: ", ")
        return error(
            .unknownCase,
            expected: "a case of \(type)",
            found: "\(union.kind.words) that is none: \(list)",
            at: cursor
        )
    }

    /// What a case has found. That of a union says why it is none of its cases, with what these have found: all
    /// of it would be twice as long with each level.
    private static func short(_ found: String) -> String {
        let limit = 400
        return found.utf8.count <= limit ? found : found.prefix(limit) + "…"
    }
}

extension ModelDecodingError {
    /// The path from a value that is at another one.
    fileprivate func path(from start: String) -> Substring {
        guard path.hasPrefix(start) else { return path[...] }
        return path.dropFirst(start.count).drop { $0 == "." }
    }
}
