// Elements that are not lost when they cannot be read: a reader notes where an element starts, and
// on an error goes back there and looks at it as a document.
//
// While an element is read, errors find their place from its start, not from the document's, so
// that many errors that are caught cost no more than the elements they are about.

/// The place of a reader at the start of an element that may be read twice.
@frozen
public struct ElementScope {
    @usableFromInline let cursor: UnsafePointer<UInt8>
    @usableFromInline let start: UnsafePointer<UInt8>
    @usableFromInline let remainingDepth: Int
    /// What a binary property list may still describe.
    @usableFromInline let budget: Int
    /// How many migrated objects lie around it.
    @usableFromInline let migrations: Int
    @usableFromInline let source: ModelReader.Source
    /// Whether no element of this kind stands around it.
    @usableFromInline let isOutermost: Bool

    @inlinable
    init(
        cursor: UnsafePointer<UInt8>,
        start: UnsafePointer<UInt8>,
        remainingDepth: Int,
        budget: Int,
        migrations: Int,
        source: ModelReader.Source,
        isOutermost: Bool
    ) {
        self.cursor = cursor
        self.start = start
        self.remainingDepth = remainingDepth
        self.budget = budget
        self.migrations = migrations
        self.source = source
        self.isOutermost = isOutermost
    }
}

extension ModelReader {
    /// Notes where an element starts.
    @inlinable
    mutating func beginElement() -> ElementScope {
        guard source == .json else { return beginOtherElement() }
        let isOutermost = state.documentStart == nil
        let scope = ElementScope(
            cursor: cursor,
            start: state.start,
            remainingDepth: remainingDepth,
            budget: 0,
            migrations: state.migrations,
            source: .json,
            isOutermost: isOutermost
        )
        if isOutermost { state.documentStart = state.start }
        state.start = cursor
        return scope
    }

    @usableFromInline
    @inline(never)
    mutating func beginOtherElement() -> ElementScope {
        let isOutermost = source != .row && state.documentStart == nil
        let scope = ElementScope(
            cursor: cursor,
            start: state.start,
            remainingDepth: remainingDepth,
            budget: state.binary?.pointee.budget ?? 0,
            migrations: state.migrations,
            source: source,
            isOutermost: isOutermost
        )
        if isOutermost { state.documentStart = state.start }
        // The references of a binary property list are offsets from its start.
        if source == .xmlPropertyList { state.start = cursor }
        return scope
    }

    /// Notes that an element was read.
    @inlinable
    @inline(__always)
    mutating func endElement(_ scope: ElementScope) {
        // The document of a column has a start of its own.
        if scope.source != .row { state.start = scope.start }
        if scope.isOutermost { state.documentStart = nil }
    }

    /// Goes back to the start of an element and reads it as a document.
    ///
    /// - Throws: ``ModelDecodingError`` when it is none, which ends every element around it too.
    @usableFromInline
    @inline(never)
    mutating func preserve(
        _ scope: ElementScope,
        because failure: any Error,
        tagging: ConformerTagging,
        outerName: String? = nil
    ) throws -> PreservedElement {
        try goBack(to: scope, because: failure) { reader in
            let document = try ModelDocument(modelValue: &reader)
            return PreservedElement(
                document: document,
                error: failure,
                tagging: outerName == nil ? tagging : nil,
                outerName: outerName
            )
        }
    }

    /// Runs `body` at the start of an element that could not be read.
    mutating func goBack<Value>(
        to scope: ElementScope,
        because failure: any Error,
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value {
        let wasBroken = state.isBroken
        leaveMigrations(above: scope.migrations)
        defer {
            endElement(scope)
            if scope.isOutermost || scope.source == .row { state.isBroken = false }
        }
        // Every element around a broken one would go over it again.
        if wasBroken { throw failure }
        cursor = scope.cursor
        source = scope.source
        remainingDepth = scope.remainingDepth
        state.binary?.pointee.budget = scope.budget
        forgetReports(inside: scope)
        // What is wrong with the document itself is told with its place in the whole of it.
        if source != .row { state.start = state.documentStart ?? scope.start }
        do {
            return try body(&self)
        } catch {
            state.isBroken = true
            throw error
        }
    }
}
