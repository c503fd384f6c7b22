/// Hooks of a model: what it does before it is written and after it was read.
///
/// ```swift
/// extension Engine: ModelLifecycle {
///     mutating func willEncode() throws { name = name.trimmingCharacters(in: .whitespaces) }
///     mutating func didDecode() throws { if power < 0 { throw Invalid.power } }
/// }
/// ```
///
/// Conform a struct, a final class or an enum without a raw type, in its declaration or in an
/// extension; both hooks may be left out. They are called wherever the model is written or read: at
/// the root, as a property or element, as `any P`, in every format and in the rows of a store. A
/// model that does not conform pays nothing.
///
/// An error that a hook throws ends the whole reading or writing. It arrives as a
/// ``ModelDecodingError`` or ``ModelEncodingError`` with the kind `rejected` and the place of the
/// model; one of these types keeps its reason, and its path is taken as one inside of the model.
public protocol ModelLifecycle {
    /// Called before the model is written, on a copy: what it changes is written and then gone.
    ///
    /// A class has no copy and changes itself. Of an object that a context has, each ``ModelContext`` save calls it
    /// once before it writes: what it changes is a change of the object, which a rollback takes back.
    mutating func willEncode() throws

    /// Called when all attributes are read, after a migration too; what it throws refuses the
    /// document.
    mutating func didDecode() throws

    /// Called by nobody. Generated code of a raw enum has an unavailable member of this name, so
    /// that the compiler refuses its conformance.
    static func _hasHooks()
}

extension ModelLifecycle {
    /// Changes nothing.
    public mutating func willEncode() throws {}

    /// Accepts everything.
    public mutating func didDecode() throws {}

    /// Nothing refuses the conformance.
    public static func _hasHooks() {}
}

extension ModelReader {
    /// The error of a hook or a migration as one about the object that was read.
    @usableFromInline
    @inline(never)
    mutating func refused(
        by hook: String,
        of type: Any.Type,
        _ cause: any Error,
        in object: ObjectScope
    ) -> ModelDecodingError {
        let inner = refusal(by: hook, of: type, cause)
        return object.isRow ? inner.withoutPosition : placed(inner, at: object.start)
    }

    /// The same about the object at `start`, in a document.
    mutating func refused(
        by hook: String,
        of type: Any.Type,
        _ cause: any Error,
        at start: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        placed(refusal(by: hook, of: type, cause), at: start)
    }

    private func refusal(
        by hook: String,
        of type: Any.Type,
        _ cause: any Error
    ) -> ModelDecodingError {
        // Errors about stores quote nothing that is stored, which a hook's own error might.
        if let error = cause as? ModelDecodingError {
            return state.isStored ? error.withoutValue : error
        }
        return ModelDecodingError(
            kind: .rejected,
            path: "",
            expected: "\(type) that \(hook) accepts",
            found: state.isStored ? "\(Swift.type(of: cause))" : "\(cause)"
        )
    }

    /// An error whose path starts at `start` and whose line and column mean nothing outside.
    mutating func placed(
        _ inner: ModelDecodingError,
        at start: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        inner.placed(at: error(inner.kind, expected: "", found: "", at: start))
    }
}

extension ModelWriter {
    /// The error of a hook, as one about the model that is about to be written.
    @usableFromInline
    @inline(never)
    mutating func refused(by type: Any.Type, _ cause: any Error) -> ModelEncodingError {
        Self.refusal(by: type, cause, isStored: row != nil).inside(path)
    }

    private static func refusal(
        by type: Any.Type,
        _ cause: any Error,
        isStored: Bool
    ) -> ModelEncodingError {
        cause as? ModelEncodingError
            ?? ModelEncodingError(
                kind: .rejected,
                explanation: "willEncode() of \(type) refused to write it: "
                    + (isStored ? "\(Swift.type(of: cause))" : "\(cause)")
            )
    }

    /// Calls the hook of an object that is written next.
    ///
    /// - Throws: ``ModelEncodingError`` when the hook throws.
    package mutating func callHook<Object: ModelLifecycle & AnyObject>(
        of object: Object
    ) throws {
        var object = object
        do { try object.willEncode() } catch { throw refused(by: Object.self, error) }
    }

    /// Calls the hook of an object whose row is written later.
    ///
    /// - Throws: ``ModelEncodingError`` when the hook throws.
    package static func callHook(of object: some ModelLifecycle) throws {
        var copy = object
        do {
            try copy.willEncode()
        } catch {
            throw refusal(by: type(of: object), error, isStored: true)
        }
    }

    /// The error that the next value, an object that a relationship holds, cannot be written.
    package func refused(
        _ kind: ModelEncodingError.Kind,
        _ explanation: String
    ) -> ModelEncodingError {
        ModelEncodingError(kind: kind, explanation: explanation, path: path)
    }

    /// Where in the document the next value goes. Empty in a row, and in a binary property list,
    /// where ``encode(as:_:)`` finds the path by writing JSON.
    private var path: String {
        // Invariant: the first `count` bytes of the buffer are written (ModelWriter+Bytes.swift).
        let written = UnsafeBufferPointer(start: UnsafePointer(buffer), count: count)
        switch destination {
        case .json: return DocumentPosition(offset: count, in: written).path
        case .xmlPropertyList: return DocumentPosition(offset: count, inXML: written).path
        case .tree: return tree?.pointee.path ?? ""
        case .row, .binaryPropertyList: return ""
        }
    }
}
