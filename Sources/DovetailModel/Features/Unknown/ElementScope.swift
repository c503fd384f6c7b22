// Elements that may be kept or left out: a reader notes where an element starts, and on an error
// goes back there and reads it as a document, or skips it.
//
// While an element of JSON or of an XML property list is read, `state.start` is the element's
// start. Errors find their line and path by going over the text from there, so many errors that are
// caught cost no more than the elements they are about. In a binary property list and in a tree
// errors find their path from the containers that are entered, and `state.start` stays.

/// The place of a reader at the start of an element that may be read twice: all that
/// `ModelReader.goBack` needs to be where it was.
///
/// It lives on the stack of the collection or coding that reads the element. Scopes nest like
/// elements do.
///
/// Invariant of the pointers: positions in the reader's document, valid as long as the reader.
@frozen
public struct ElementScope {
    @usableFromInline let cursor: UnsafePointer<UInt8>
    /// ``ReaderState/start`` before the element.
    @usableFromInline let start: UnsafePointer<UInt8>
    @usableFromInline let remainingDepth: Int
    /// How many more values a binary property list may describe; 0 in other sources.
    @usableFromInline let budget: Int
    /// ``ReaderState/Migration/nesting`` around the element.
    @usableFromInline let migrations: Int
    @usableFromInline let source: ModelReader.Source
    /// Whether no other scope is around it in the document, so that this one clears
    /// ``ReaderState/Elements/documentStart``. Never in a row.
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

extension ReaderState {
    /// What is remembered about elements that may be kept or left out.
    @usableFromInline
    struct Elements {
        /// The first byte of the whole document while `start` is that of such an element; nil
        /// otherwise.
        @usableFromInline var documentStart: UnsafePointer<UInt8>?
        /// Whether such an element was found to be no value of the format, so that nothing after
        /// it can be read.
        var isBroken = false
        /// The elements that were left out; nil when nobody asks for them.
        var report: SkipReport?
    }
}

extension ModelReader {
    /// Notes where an element starts. Each call is followed by ``endElement(_:)``, or on an error
    /// by ``goBack(to:because:_:)``, which ends the element too.
    @inlinable
    mutating func beginElement() -> ElementScope {
        guard source == .json else { return beginNonJSONElement() }
        let isOutermost = state.elements.documentStart == nil
        let scope = ElementScope(
            cursor: cursor,
            start: state.start,
            remainingDepth: remainingDepth,
            budget: 0,
            migrations: state.migration.nesting,
            source: .json,
            isOutermost: isOutermost
        )
        if isOutermost { state.elements.documentStart = state.start }
        state.start = cursor
        return scope
    }

    /// The same in non-JSON sources.
    @usableFromInline
    @inline(never)
    mutating func beginNonJSONElement() -> ElementScope {
        let isOutermost = source != .row && state.elements.documentStart == nil
        let scope = ElementScope(
            cursor: cursor,
            start: state.start,
            remainingDepth: remainingDepth,
            budget: state.binary?.pointee.budget ?? 0,
            migrations: state.migration.nesting,
            source: source,
            isOutermost: isOutermost
        )
        if isOutermost { state.elements.documentStart = state.start }
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
        if scope.isOutermost { state.elements.documentStart = nil }
    }

    /// Goes back to the start of an element and reads it as a document.
    ///
    /// - Parameter outerName: the type's name, when it came from outside of the document.
    /// - Complexity: linear in the element.
    /// - Throws: ``ModelDecodingError`` when it is no document, which ends every element around it
    ///   too.
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

    /// Goes back to the start of an element that could not be read, runs `body` there, and ends the
    /// element.
    ///
    /// - Throws: what `body` throws. Then the document is broken, and elements around this one do
    ///   not try again: they would fail at the same place.
    mutating func goBack<Value>(
        to scope: ElementScope,
        because failure: any Error,
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value {
        let wasBroken = state.elements.isBroken
        leaveMigrations(above: scope.migrations)
        defer {
            endElement(scope)
            if scope.isOutermost || scope.source == .row { state.elements.isBroken = false }
        }
        // Otherwise every element around a broken one would go over it once more.
        if wasBroken { throw failure }
        cursor = scope.cursor
        source = scope.source
        remainingDepth = scope.remainingDepth
        state.binary?.pointee.budget = scope.budget
        forgetReports(inside: scope)
        // An error of `body` is about the document itself, so its place is that in the document.
        if source != .row { state.start = state.elements.documentStart ?? scope.start }
        do {
            return try body(&self)
        } catch {
            state.elements.isBroken = true
            throw error
        }
    }
}
