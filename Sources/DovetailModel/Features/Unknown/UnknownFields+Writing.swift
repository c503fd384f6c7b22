// How fields that are not declared are written back, beside those of the model.

/// The type key that the next object starts with. Generated code takes it before it writes the
/// object and hands it back, as unknown fields may hold the list of names that takes its place.
public struct PendingTag {
    fileprivate let conformer: Unmanaged<Conformer>?
    /// The list of names that was read, which takes the place of the type's name.
    fileprivate let names: ModelDocument?

    @usableFromInline var hasNames: Bool { names != nil }
}

extension ModelWriter {
    /// Closes an object around attributes. When all of its fields were left out it is written as it
    /// was kept, or not at all. Called by generated code.
    ///
    /// - Parameters:
    ///   - name: the field's name as JSON, as in ``beginObjectField(_:)``.
    ///   - fields: the undeclared fields of the model.
    ///   - path: the names of the objects around it, and its own.
    /// - Throws: ``ModelEncodingError`` when the object is nested too deep.
    public mutating func endObjectField(
        _ scope: ObjectFieldScope,
        _ name: StaticString,
        in fields: UnknownFields,
        at path: [String]
    ) throws {
        let isEmpty = !isRow && elementPosition == scope.content
        endObjectField(scope)
        guard isEmpty, let kept = fields.value(at: path) else { return }
        guard kept.isNull || kept.kind == .object else { return }
        beginField(name)
        try (kept.isNull ? kept : .object([])).encode(to: &self)
        endField()
    }

    /// The type key that the next object starts with. Called by generated code.
    ///
    /// - Parameter fields: those of the object, which may hold the list of names that it had, and
    ///   the members beside its tag.
    public mutating func pendingTag(of fields: UnknownFields) -> PendingTag {
        guard hasTag, let tag else {
            if contentDepth == remainingDepth {
                contentDepth = -1
                besideTag = fields.besideTag
            }
            return PendingTag(conformer: nil, names: nil)
        }
        let names =
            fields.isEmpty ? nil : tag._withUnsafeGuaranteedRef { $0.nameList(in: fields) }
        // The list is written in place of the tag.
        if names != nil { hasTag = false }
        return PendingTag(conformer: tag, names: names)
    }

    /// Opens an object that starts with a type key or a list of names. Called by generated code.
    ///
    /// - Throws: ``ModelEncodingError`` when it is nested too deep.
    @inlinable
    public mutating func beginObject(_ tag: PendingTag) throws -> WriterScope {
        let scope = try beginObject()
        if tag.hasNames { try writeNames(of: tag) }
        return scope
    }

    @usableFromInline
    mutating func writeNames(of tag: PendingTag) throws {
        guard let names = tag.names, let conformer = tag.conformer else { return }
        for outer in conformer.takeUnretainedValue().outer {
            try beginField(named: outer.key.bytes)
            try ConformerTagging.document(of: outer.name.description, outer.kind).encode(to: &self)
            putComma()
        }
        try beginField(named: conformer._withUnsafeGuaranteedRef { $0.typeKey.bytes })
        try names.encode(to: &self)
        putComma()
    }

    /// Writes fields that the model does not declare; a row has them in one column. Called by
    /// generated code.
    ///
    /// - Parameters:
    ///   - path: the names of the objects around the fields.
    ///   - objects: names of objects around attributes, which are written on their own.
    ///   - tag: the type key that was written, which no field may repeat.
    /// - Throws: ``ModelEncodingError`` for what the format has no form for.
    @inline(never)
    public mutating func write(
        _ fields: UnknownFields,
        under path: [String] = [],
        except objects: [String] = [],
        beside tag: PendingTag
    ) throws {
        if isRow {
            guard path.isEmpty else { return }
            column += 1
            return try fields.encode(to: &self)
        }
        guard !fields.isEmpty else { return }
        for member in fields.inner(path) where !objects.contains(member.key) {
            var key = member.key
            let isTypeKey = path.isEmpty && key.withUTF8 { tag.isTypeKey($0) }
            if isTypeKey { continue }
            try key.withUTF8 { try beginField(named: $0) }
            try member.value.encode(to: &self)
            putComma()
        }
    }
}

extension Conformer {
    /// The list of names among the fields of an object, if it names this type; nil for one that
    /// another protocol's documents had, or that was changed and does not name the type any more.
    fileprivate func nameList(in fields: UnknownFields) -> ModelDocument? {
        if keepsAliases, let name = fields[typeKey.description], name.arrayValue == nil,
            isNamed(by: name)
        {
            return name
        }
        guard takesNameLists, let list = fields[typeKey.description],
            let elements = list.arrayValue, elements.allSatisfy({ $0.stringValue != nil }),
            elements.contains(where: { $0.stringValue.map(names.contains) ?? false })
        else { return nil }
        return list
    }
}

extension PendingTag {
    fileprivate func isTypeKey(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let conformer else { return false }
        let key = FieldKey(start: name.baseAddress ?? ReaderState.noBytes, count: name.count)
        return conformer._withUnsafeGuaranteedRef { $0.typeKey(named: key) } != nil
    }
}
