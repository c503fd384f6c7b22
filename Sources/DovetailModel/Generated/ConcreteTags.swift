// Structs that are written with the type key of their protocol also where their own type is declared:
// `@Model(writesTypeKey: true)`.

extension ModelWriter {
    /// Lets the object that is written next start with the type key of its protocol, unless it is
    /// written as `any P` and has one, or is a row. Called by generated code.
    ///
    /// - Throws: ``ModelEncodingError`` where the protocol has no type key inside of the object, or the
    ///   type is none of its conformers.
    public mutating func tagObject<Coding: ProtocolCoding>(
        of type: any Model.Type,
        by coding: Coding.Type
    ) throws {
        if hasTag || isRow && column < 0 { return }
        let conformer = try coding.conformers.names.conformer(of: type)
        if conformer._withUnsafeGuaranteedRef({ $0.isPlain }) { return tagNextObject(conformer) }
        let known = conformer.takeUnretainedValue()
        if let failure = known.failure { throw failure }
        // A property of the key's name writes it itself.
        if known.declaresTypeKey, known.path.isEmpty { return }
        guard known.isInternal, !known.mergesTags else {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "\(type) cannot write the type key of \(coding.conformers.names.name) "
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
    /// generated code.
    ///
    /// - Throws: ``ModelDecodingError`` where a closed list of conformers lacks the type.
    public mutating func expectTypeKey<Coding: ProtocolCoding>(
        in object: inout ObjectScope,
        of type: any Model.Type,
        by coding: Coding.Type
    ) throws {
        guard object.tag == nil, !object.isRow else { return }
        guard let conformer = try? coding.conformers.names.conformer(of: type) else { return }
        object.tag = ObjectTag(conformer: conformer, value: ReaderState.noBytes, isExpected: true)
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
    fileprivate final func isNamed(by value: ModelDocument) -> Bool {
        if !path.isEmpty { return true }
        if let list = value.arrayValue { return list.contains { isNamed(by: $0) } }
        if let text = value.stringValue { return names.contains(text) }
        if let flag = value.boolValue { return names.contains(flag ? "true" : "false") }
        return value.numberText.map { names.contains(ConformerTagging.scalar($0)) } ?? false
    }
}
