import Foundation

// Structs that are written with the type key of their protocol also where their own type is declared:
// `@Model(writesTypeKey: true)`.

extension ModelWriter {
    /// Lets the object that is written next start with the type key of its protocol, unless it is
    /// written as `any P` and has one, or is a row. Called by generated code.
    ///
    /// - Throws: ``ModelEncodingError`` where the protocol has no type key inside of the object, or the
    ///   type is none of its conformers.
    @inlinable
    public mutating func tagObject<Coding: ProtocolCoding>(
        of type: any Model.Type,
        by coding: Coding.Type
    ) throws {
        if hasTag || isRow && column < 0 { return }
        let conformer = try coding.conformers.conformer(of: type)
        if conformer._withUnsafeGuaranteedRef({ $0.isPlain }) { return tagNextObject(conformer) }
        try tagObjectOnSlowPath(conformer, among: coding.conformers.names)
    }

    /// The same for tags that are not plain: at a path, at several levels, or in a property.
    @usableFromInline
    mutating func tagObjectOnSlowPath(
        _ conformer: Unmanaged<Conformer>,
        among names: ConformerIndex
    ) throws {
        let known = conformer.takeUnretainedValue()
        if let failure = known.failure { throw failure }
        // A property of the key's name writes it itself.
        if known.declaresTypeKey, known.path.isEmpty { return }
        guard known.isInternal, !known.mergesTags else {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "\(known.type) cannot write the type key of \(names.name) "
                    + "itself, which is not a field of its own; remove writesTypeKey:"
            )
        }
        tagNextObject(conformer)
    }

    /// There is no type key.
    @available(
        *,
        unavailable,
        message: "none of the protocols is a model type; put @ModelProtocol on one of them"
    )
    public mutating func tagObject(of type: any Model.Type, by coding: _NoCoding.Type) throws {}
}

extension ModelReader {
    /// Notes that the object may have a type key, which is then no field of the model. Called by
    /// generated code, where the object was just entered.
    ///
    /// - Throws: ``ModelDecodingError`` where a closed list of conformers lacks the type.
    @inlinable
    public mutating func expectTypeKey<Coding: ProtocolCoding>(
        in object: inout ObjectScope,
        of type: any Model.Type,
        by coding: Coding.Type
    ) throws {
        guard object.tag == nil, !object.isRow else { return }
        guard let conformer = try? coding.conformers.conformer(of: type) else { return }
        expectTypeKey(of: conformer, in: &object)
    }

    /// Passes over the type key where the object begins with it as it is written, and notes that it may
    /// be there where it does not.
    @usableFromInline
    mutating func expectTypeKey(of conformer: Unmanaged<Conformer>, in object: inout ObjectScope) {
        let isWritten = conformer._withUnsafeGuaranteedRef { conformer -> Bool in
            guard object.kind == .plain, object.isFirst, cursor == object.start + 1,
                conformer.isPlain, !conformer.meetsTypeKey
            else { return false }
            let count = conformer.token.count - 1  // without the comma
            guard count > 0, count < end - cursor, let token = conformer.token.baseAddress,
                memcmp(cursor, token, count) == 0, cursor[count] == 0x2C || cursor[count] == 0x7D
            else { return false }
            cursor += count
            return true
        }
        if isWritten { object.isFirst = false }
        object.tag = ObjectTag(
            conformer: conformer,
            value: ReaderState.noBytes,
            isExpected: !isWritten
        )
    }

    /// There is no type key.
    @available(
        *,
        unavailable,
        message: "none of the protocols is a model type; put @ModelProtocol on one of them"
    )
    public mutating func expectTypeKey(
        in object: inout ObjectScope,
        of type: any Model.Type,
        by coding: _NoCoding.Type
    ) throws {}

    /// Checks that the type key under the cursor names the type that is read.
    @inline(never)
    mutating func checkTypeKey(of tag: ObjectTag) throws {
        if source == .json, tag.conformer._withUnsafeGuaranteedRef({ hasName(of: $0) }) { return }
        let start = cursor
        let value = try ModelDocument(modelValue: &self)
        cursor = start
        let name = tag.conformer._withUnsafeGuaranteedRef { conformer in
            conformer.isNamed(by: value) ? nil : conformer.typeName
        }
        guard let name else { return }
        throw error(.unknownType, expected: "the type \(name)", at: start)
    }
}

extension ModelReader {
    /// Whether JSON has the type's own name under the cursor, as it is written.
    private borrowing func hasName(of conformer: Conformer) -> Bool {
        guard conformer.path.isEmpty, let name = conformer.writtenNames.first,
            name.count < end - cursor
        else { return false }
        for (place, byte) in name.enumerated() where cursor[place] != byte { return false }
        // A number may go on; a string ends with its quote.
        return name.last == 0x22
    }
}

extension Conformer {
    /// Whether the value of a type key is one of the names. What is around a type key that is a path is
    /// not looked at.
    @inline(never)
    final func isNamed(by value: ModelDocument) -> Bool {
        if !path.isEmpty { return true }
        if let list = value.arrayValue { return list.contains { isNamed(by: $0) } }
        if let text = value.stringValue { return names.contains(text) }
        if let flag = value.boolValue { return names.contains(flag ? "true" : "false") }
        return value.numberText.map { names.contains(ConformerTagging.scalar($0)) } ?? false
    }
}
