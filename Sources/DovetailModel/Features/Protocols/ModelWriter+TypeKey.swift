// How the name of a type gets into an object that is written as `any P`. The conformer's `encode`
// does not know of it: the writer is told to put the tag at the start of the next object, and
// afterwards checks that an object took it.

/// Where a value starts that is looked at again after it is written.
struct ValueScope {
    /// An offset into the writer's buffer.
    fileprivate let start: Int
    /// Whether the value is the document of a row's column.
    fileprivate let isColumn: Bool
}

extension ModelWriter {
    /// Lets the next object start with the type key of a conformer, which ``ConformerIndex`` keeps.
    @inlinable
    @inline(__always)
    mutating func tagNextObject(_ conformer: Unmanaged<Conformer>) {
        tag = conformer
        hasTag = true
    }

    /// Checks that an object took the type key.
    ///
    /// - Throws: ``ModelEncodingError`` with the kind `noObject` when the value was none.
    @inlinable
    @inline(__always)
    mutating func expectTagWritten() throws {
        if hasTag { throw noObjectForTag() }
    }

    /// Appends the type key to the object that was just opened.
    @usableFromInline
    mutating func writeTag() throws {
        hasTag = false
        guard let tag else { return }
        append(tag._withUnsafeGuaranteedRef { $0.token })
    }

    /// The error that a value is written as something else than an object.
    @usableFromInline
    mutating func noObjectForTag() -> ModelEncodingError {
        let name = tag?.takeUnretainedValue().typeName ?? ""
        return ModelEncodingError(
            kind: .noObject,
            explanation: "\(name) is not written as an object, which its type key needs"
        )
    }

    /// Starts a value that is looked at again: in a row, its column gets the document only in
    /// ``endValue(_:)``.
    mutating func beginValue() -> ValueScope {
        let isColumn = isRow
        if isColumn { enterColumnDocument() }
        return ValueScope(start: count, isColumn: isColumn)
    }

    /// Ends a value, and gives its document to the row.
    mutating func endValue(_ scope: ValueScope) throws {
        if scope.isColumn { try leaveColumnDocument() }
    }

    /// Removes the second one of two fields that are named like the type key: the conformer's own,
    /// after the one that the writer put first. Its value, a name or alias of the type, takes the
    /// place of the type's name, so that the property is read again as it was.
    ///
    /// - Complexity: linear in the object: its bytes are copied and gone over.
    /// - Throws: ``ModelEncodingError`` with the kind `typeKeyConflict` when the field holds no
    ///   name of the type. One field cannot hold both, so the value could not be read again.
    mutating func mergeTypeKey(
        of conformer: Conformer,
        among names: ConformerIndex,
        from scope: ValueScope
    ) throws {
        // Invariant: the first `count` bytes of the buffer are written, and `beginValue()` took
        // `start` from an earlier `count`.
        let written = Array(
            UnsafeBufferPointer(start: buffer + scope.start, count: count - scope.start)
        )
        guard let field = try Self.repeatedFirstField(in: written) else { return }
        guard names.isName(written[field.value], of: conformer) else {
            throw ModelEncodingError.typeKeyConflict(of: conformer)
        }
        let name = conformer.writtenNames.first?.count ?? 0
        // The token ends with the name and a comma.
        let nameEnd = conformer.token.count
        let merged =
            written[..<(nameEnd - name)] + written[field.value]
            + written[nameEnd..<field.all.lowerBound]
            + written[field.all.upperBound...]
        count = scope.start
        Array(merged).withUnsafeBufferPointer { append($0) }
    }

    /// Checks that the case of an enum, the one field after the type key, is not named like it.
    ///
    /// - Throws: ``ModelEncodingError`` with the kind `typeKeyConflict` when it is: the document
    ///   could not be read again.
    func expectNoRefusedCase(of conformer: Conformer, from scope: ValueScope) throws {
        guard !conformer.refusedCases.isEmpty else { return }
        let header = conformer.token.count + conformer.writtenVersion.count
        let start = min(scope.start + 1 + header, count)
        // Invariant: the first `count` bytes of the buffer are written, and `start` is at most
        // `count`.
        let field = UnsafeBufferPointer(start: buffer + start, count: count - start)
        guard let name = conformer.refusedCases.first(where: field.starts(with:)) else { return }
        throw ModelEncodingError.refusedCase(
            of: conformer,
            name: String(decoding: name.dropLast(), as: UTF8.self)
        )
    }

    /// The ranges of the second field that has the name of the first one: from the comma before it
    /// to the end of its value, and the value alone; nil when there is none.
    private static func repeatedFirstField(
        in object: [UInt8]
    ) throws -> (all: Range<Int>, value: Range<Int>)? {
        try object.withUnsafeBufferPointer { bytes in
            var reader = ModelReader(json: bytes)
            let start = reader.cursor
            var scope = try reader.beginObject()
            var first: String?
            var end = reader.cursor
            while let key = try reader.nextField(in: &scope) {
                let name = key.text
                let value = reader.cursor - start
                try reader.skipValue()
                if first == name {
                    return (end - start..<reader.cursor - start, value..<reader.cursor - start)
                }
                first = first ?? name
                end = reader.cursor
            }
            return nil
        }
    }

    /// The bytes that `body` appends to a writer of its own.
    static func bytes(_ body: (inout ModelWriter) -> Void) -> [UInt8] {
        var writer = ModelWriter()
        body(&writer)
        return Array(UnsafeBufferPointer(start: writer.buffer, count: writer.count))
    }

    /// Appends a string of JSON.
    mutating func appendQuoted(_ text: String) {
        var text = text
        text.withUTF8 { appendQuoted($0) }
    }
}

extension ModelDocument {
    /// The same as ``ModelWriter/mergeTypeKey(of:among:from:)`` for other destinations than JSON
    /// and rows: an object that starts with a type key, without the later field of the same name,
    /// whose value takes the place of the type's name.
    ///
    /// - Throws: ``ModelEncodingError`` with the kind `typeKeyConflict` when the field holds no
    ///   name of the type.
    func mergingTypeKey(
        of conformer: Conformer,
        among names: ConformerIndex
    ) throws -> ModelDocument {
        guard conformer.declaresTypeKey, var members, let first = members.first,
            let place = members.dropFirst().firstIndex(where: { $0.key == first.key })
        else { return self }
        let name = Array(try members[place].value.encoded(as: .json))
        guard names.isName(name[...], of: conformer) else {
            throw ModelEncodingError.typeKeyConflict(of: conformer)
        }
        members[0].value = members[place].value
        members.remove(at: place)
        return .object(members)
    }
}

extension ModelDocument {
    /// Checks that the case of an enum, the one field after the type key, is not named like it.
    ///
    /// - Throws: ``ModelEncodingError`` with the kind `typeKeyConflict` when it is: the document
    ///   could not be read again.
    func expectNoRefusedCase(of conformer: Conformer, among names: ConformerIndex) throws {
        let place = conformer.outer.count + (conformer.writtenVersion.isEmpty ? 1 : 2)
        guard !conformer.refusedCases.isEmpty, let members, members.count > place else { return }
        var name = members[place].key
        let isRefused = name.withUTF8 { bytes in
            conformer.typeKey(
                named: FieldKey(start: bytes.baseAddress ?? ReaderState.noBytes, count: bytes.count)
            ) != nil
        }
        if isRefused { throw ModelEncodingError.refusedCase(of: conformer, name: "\"\(name)\"") }
    }
}

extension ModelEncodingError {
    fileprivate static func refusedCase(of conformer: Conformer, name: String) -> Self {
        ModelEncodingError(
            kind: .typeKeyConflict,
            explanation: "\(conformer.type) has a case that is named like the type key "
                + "\(name); give it another name with @Attribute(name:)"
        )
    }

    static func typeKeyConflict(of conformer: Conformer) -> ModelEncodingError {
        ModelEncodingError(
            kind: .typeKeyConflict,
            explanation: "\(conformer.type) has a field of its own that is named like its type "
                + "key, and the field holds none of the type's names; give it another name "
                + "with @Attribute(name:), or the type with @Model(typeName:)"
        )
    }
}
