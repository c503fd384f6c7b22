import Foundation

/// A document that was brought to the model's version, and a reader over it. Made by generated
/// code, which reads the model from it with the same body that reads current documents.
///
/// Invariant of the pointers: `reader` reads the bytes of `writer` or `copy`, which live as long as
/// this value; `start` is an address in the document around it, valid as long as its reader.
public struct ModelMigration: ~Copyable {
    /// Stands on the migrated object.
    public var reader: ModelReader
    fileprivate let start: UnsafePointer<UInt8>
    private let writer: ModelWriter
    private let copy: UnsafeMutableBufferPointer<UInt8>?

    /// Takes a document that was written as JSON.
    private init(written writer: consuming ModelWriter, from start: UnsafePointer<UInt8>) {
        self.start = start
        reader = ModelReader(
            json: UnsafeBufferPointer(start: UnsafePointer(writer.buffer), count: writer.count)
        )
        self.writer = writer
        copy = nil
    }

    /// Takes a document that was written as objects.
    private init(
        objects writer: consuming ModelWriter,
        from start: UnsafePointer<UInt8>
    ) throws {
        let data = try writer.finishBinary()
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: data.count)
        _ = copy.initialize(from: data)
        let bytes = UnsafeBufferPointer(copy)
        do {
            reader = try ModelReader(binaryPropertyList: bytes, isCarrier: true)
        } catch {
            copy.deallocate()
            throw error
        }
        self.start = start
        self.writer = writer
        self.copy = copy
    }

    /// Lays a document out as JSON, or where it holds what JSON lacks as objects that keep it.
    ///
    /// - Throws: ``ModelEncodingError`` when the document is nested too deep.
    fileprivate static func of(
        _ document: ModelDocument,
        from start: UnsafePointer<UInt8>,
        within depth: Int
    ) throws -> ModelMigration {
        guard document.isPlain(within: depth) else {
            var writer = ModelWriter(carrierWithin: depth)
            try document.encode(to: &writer)
            return try ModelMigration(objects: writer, from: start)
        }
        var writer = ModelWriter(.json)
        writer.remainingDepth = depth
        try document.encode(to: &writer)
        var migration = ModelMigration(written: writer, from: start)
        migration.reader.remainingDepth = depth
        return migration
    }

    deinit {
        reader.handOverReport()
        copy?.deallocate()
    }
}

extension ModelReader {
    /// How many migrated objects may lie in each other. Each is a copy of what it holds, so without
    /// a limit a document of n bytes could take 512 times as many.
    public static let maximumMigrations = 100

    /// Reads the object under the cursor as a document and migrates it to the model's version.
    /// Called by generated code.
    ///
    /// - Complexity: linear in the object, and the model's own steps.
    /// - Throws: ``ModelDecodingError`` when a step throws, when the type key or the version is
    ///   repeated, and for more than ``maximumMigrations`` objects in each other.
    @inline(never)
    public mutating func migrate(
        _ type: any Model.Type,
        from version: Int
    ) throws -> ModelMigration {
        guard state.migrations < ModelReader.maximumMigrations else {
            throw error(
                .tooDeep,
                expected: "at most \(ModelReader.maximumMigrations) migrations in each other",
                found: "one more",
                at: cursor
            )
        }
        let depth = remainingDepth
        if isRow { try enterColumnDocument() }
        var tag: ObjectTag?
        if cursor == state.enteredAt, let entered = state.entered {
            state.enteredAt = nil
            tag = entered.tag
            cursor = entered.start
        }
        let start = cursor
        var document = try ModelDocument(modelValue: &self)
        let names = try takeHeader(of: &document, tag, at: start)
        for step in version..<max(type.modelVersion, version) {
            do {
                try type.migrate(&document, from: step)
            } catch {
                throw refused(by: "migrate(_:from: \(step))", of: type, error, at: start)
            }
        }
        if let names, document.kind == .object { document[key: names.key] = names.value }
        do {
            let migration = try ModelMigration.of(document, from: start, within: depth)
            migration.reader.state.migrations = state.migrations + 1
            migration.reader.state.report = reportOfMigration(at: start)
            return migration
        } catch let cause as ModelEncodingError {
            throw error(
                cause.reason == .tooDeep ? .tooDeep : .rejected,
                expected: "at most \(ModelReader.maximumDepth) levels",
                found: cause.explanation,
                at: start
            )
        }
    }

    /// Takes out what is no attribute, the type key and the version, so that a migration sees the
    /// same document whatever the model is declared as.
    private func header(
        _ key: String,
        _ tag: ObjectTag?
    ) -> StaticString? {
        guard key.utf8.first != nil else { return nil }
        if ExactText.areSame(key, VersionField.name.description) { return VersionField.name }
        guard let tag else { return nil }
        var key = key
        return key.withUTF8 { bytes in
            let key = FieldKey(
                start: bytes.baseAddress ?? ReaderState.noBytes,
                count: bytes.count
            )
            return tag.conformer._withUnsafeGuaranteedRef { $0.typeKey(named: key) }
        }
    }

    /// - Returns: the type key with a list of names, which the model keeps.
    private mutating func takeHeader(
        of document: inout ModelDocument,
        _ tag: ObjectTag?,
        at start: UnsafePointer<UInt8>
    ) throws -> ModelDocument.Member? {
        guard let node = document.uniqueNode() else { return nil }
        let keepsNames = tag?.conformer._withUnsafeGuaranteedRef { $0.keepsNameLists } ?? false
        var names: ModelDocument.Member?
        var hasVersion = false
        var hasTypeKey = false
        var place = 0
        while place < node.keys.count {
            guard let name = header(node.keys[place], tag) else {
                place += 1
                continue
            }
            let isVersion = name.utf8Start == VersionField.name.utf8Start
            if isVersion ? hasVersion : hasTypeKey {
                throw error(
                    .repeatedField,
                    expected: "each field once",
                    found: "\"\(name)\" again",
                    at: start
                )
            }
            if isVersion { hasVersion = true } else { hasTypeKey = true }
            let value = node.remove(at: place)
            if keepsNames, !isVersion, value.kind == .array {
                names = ModelDocument.Member(key: name.description, value: value)
            }
        }
        return names
    }

    /// An error of a reader over a migrated document, as one about the object that it was made of.
    /// Called by generated code.
    @inline(never)
    public mutating func placed(
        _ cause: any Error,
        by migration: borrowing ModelMigration
    ) -> any Error {
        guard let inner = cause as? ModelDecodingError else { return cause }
        let place = placed(inner, at: migration.start)
        guard state.row != nil, inner.reason != .missingField else { return place }
        return ModelDecodingError(
            reason: place.reason,
            path: place.path,
            expected: place.expected,
            found: "another value"
        )
    }
}

extension ModelDocument {
    /// Whether JSON brings back all of it. The recursion ends at `depth`.
    fileprivate func isPlain(within depth: Int) -> Bool {
        switch storage {
        case .null, .bool, .string, .number(.integer), .number(.text): true
        case .number(.double(let value)): value.isFinite
        case .number(.decimal(let value)): value.isFinite
        case .date, .data: false
        case .array(let node), .object(let node):
            depth > 0 && node.values.allSatisfy { $0.isPlain(within: depth - 1) }
        }
    }
}
