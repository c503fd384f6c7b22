public import DovetailModel
public import Foundation

// Files. All of these functions block the calling thread until the disk has answered, as the
// initializers and `save` of Foundation do. In async code call them on a queue, or use streams.

extension ModelValue {
    /// Writes a document into a file, which holds the old or the new document at every instant.
    ///
    /// ```swift
    /// try library.save(as: .json, to: url)
    /// let again = try AssetLibrary(contentsOf: url)
    /// ```
    ///
    /// The document is written into a temporary file in the same folder and brought to the disk
    /// before it takes the old one's place. Then the folder is brought to the disk. The old file's
    /// permissions are kept. Where `url` is a symbolic link, what it leads to is replaced.
    ///
    /// Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - format: The format of the document. The name of the file has no say in it.
    ///   - url: The file. Its folder has to exist.
    ///   - type: Leave it out, as with ``encoded(as:_:)``.
    /// - Complexity: linear in the size of the document, which is in memory as a whole.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for, and
    ///   ``ModelFileError``. The old file is untouched then, unless the last step failed: bringing
    ///   the folder to the disk.
    @inlinable
    public func save(
        as format: ModelFormat,
        to url: URL,
        _ type: Self.Type = Self.self
    ) throws {
        try AtomicFile.replace(url, with: try encoded(as: format))
    }
}

extension Array where Element: ModelValue {
    /// Writes an array into a file, as a model is saved.
    ///
    /// ```swift
    /// try [User(name: "Ann"), User(name: "Bob")].save(as: .plist, to: url)
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the document, which is in memory as a whole.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for, and
    ///   ``ModelFileError``. The old file is untouched then, unless the last step failed: bringing
    ///   the folder to the disk.
    @inlinable
    public func save(as format: ModelFormat, to url: URL) throws {
        try AtomicFile.replace(url, with: try encoded(as: format))
    }
}

extension Array {
    /// Writes an array of conformers of a model protocol into a file, as a model is saved.
    ///
    /// ```swift
    /// let assets: [any Asset] = [ColorAsset(name: "sky")]
    /// try assets.save(as: .json, to: url)         // [{"$type":"ColorAsset","name":"sky"}]
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the document, which is in memory as a whole.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for, and
    ///   ``ModelFileError``. The old file is untouched then, unless the last step failed: bringing
    ///   the folder to the disk.
    public func save(
        as format: ModelFormat,
        to url: URL,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        try AtomicFile.replace(url, with: try encoded(as: format, by: table))
    }

    /// Reads a file that holds an array of conformers of a model protocol, in the format that its
    /// content tells.
    ///
    /// ```swift
    /// let assets = try [any Asset](contentsOf: url)
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the file, which is in memory as a whole.
    /// - Throws: ``ModelFileError``, and ``ModelDecodingError`` with the file's path.
    public init(contentsOf url: URL, by table: RootCoding<Element> = #_rootCoding) throws {
        self = try ModelReader.decode(contentsOf: url) { try table.decodeArray(&$0) }
    }
}

extension Dictionary where Key: ModelKey {
    /// Writes an object whose members are conformers of a model protocol into a file, as a model is
    /// saved.
    ///
    /// ```swift
    /// let assets: [String: any Asset] = ["sky": ColorAsset(name: "sky")]
    /// try assets.save(as: .json, to: url)         // {"sky":{"$type":"ColorAsset","name":"sky"}}
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the document, which is in memory as a whole.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for, and
    ///   ``ModelFileError``. The old file is untouched then, unless the last step failed: bringing
    ///   the folder to the disk.
    public func save(
        as format: ModelFormat,
        to url: URL,
        by table: RootCoding<Value> = #_rootCoding
    ) throws {
        try AtomicFile.replace(url, with: try encoded(as: format, by: table))
    }

    /// Reads a file that holds an object whose members are conformers of a model protocol, in the
    /// format that its content tells.
    ///
    /// ```swift
    /// let assets = try [String: any Asset](contentsOf: url)
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the file, which is in memory as a whole.
    /// - Throws: ``ModelFileError``, and ``ModelDecodingError`` with the file's path.
    public init(contentsOf url: URL, by table: RootCoding<Value> = #_rootCoding) throws {
        self = try ModelReader.decode(contentsOf: url) { reader in
            try reader.readDictionary { try table.decodeMember(&$0) }
        }
    }
}

// `String` and `Data` are values too, and have an `init(contentsOf:)` of Foundation's. So this one
// is declared for each kind of document and not for all values.

extension Model {
    /// Reads a file in the format that its content tells: JSON, or a property list of either kind.
    ///
    /// ```swift
    /// let library = try AssetLibrary(contentsOf: url)
    /// ```
    ///
    /// A format of your own cannot be told from the content; read the `Data` and use
    /// ``ModelValue/init(decoding:as:)``. Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the file, which is in memory as a whole.
    /// - Throws: ``ModelFileError``, and ``ModelDecodingError`` with the file's path.
    @inlinable
    public init(contentsOf url: URL) throws {
        self = try ModelReader.decode(contentsOf: url) { try Self(modelValue: &$0) }
    }
}

extension ModelDocument {
    /// Reads a file in the format that its content tells, whatever is in it.
    ///
    /// ```swift
    /// let document = try ModelDocument(contentsOf: url)
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the file, which is in memory as a whole.
    /// - Throws: ``ModelFileError``, and ``ModelDecodingError`` with the file's path.
    public init(contentsOf url: URL) throws {
        self = try ModelReader.decode(contentsOf: url) { try Self(modelValue: &$0) }
    }
}

extension Array where Element: ModelValue {
    /// Reads a file that holds an array, in the format that its content tells.
    ///
    /// ```swift
    /// let users = try [User](contentsOf: url)
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the file, which is in memory as a whole.
    /// - Throws: ``ModelFileError``, and ``ModelDecodingError`` with the file's path.
    @inlinable
    public init(contentsOf url: URL) throws {
        self = try ModelReader.decode(contentsOf: url) { try Self(modelValue: &$0) }
    }
}

extension Set where Element: ModelValue {
    /// Reads a file that holds an array, in the format that its content tells.
    ///
    /// ```swift
    /// let names = try Set<String>(contentsOf: url)
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the file, which is in memory as a whole.
    /// - Throws: ``ModelFileError``, and ``ModelDecodingError`` with the file's path.
    public init(contentsOf url: URL) throws {
        self = try ModelReader.decode(contentsOf: url) { try Self(modelValue: &$0) }
    }
}

extension Dictionary where Key: ModelKey, Value: ModelValue {
    /// Writes an object into a file, its members in the order of their names, as a model is saved.
    ///
    /// ```swift
    /// try ["ann": User(name: "Ann")].save(as: .json, to: url)        // {"ann":{"name":"Ann"}}
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the document, which is in memory as a whole.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for, and
    ///   ``ModelFileError``. The old file is untouched then, unless the last step failed: bringing
    ///   the folder to the disk.
    public func save(as format: ModelFormat, to url: URL) throws {
        try AtomicFile.replace(url, with: try encoded(as: format))
    }

    /// Reads a file that holds an object, in the format that its content tells.
    ///
    /// ```swift
    /// let users = try [String: User](contentsOf: url)
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the file, which is in memory as a whole.
    /// - Throws: ``ModelFileError``, and ``ModelDecodingError`` with the file's path.
    public init(contentsOf url: URL) throws {
        self = try ModelReader.decode(contentsOf: url) { try Self(modelValue: &$0) }
    }
}

extension ProtocolCoding {
    /// Reads a file that holds one conformer, in the format that its content tells.
    ///
    /// ```swift
    /// let asset = try AssetModel.decode(contentsOf: url)
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the file, which is in memory as a whole.
    /// - Throws: ``ModelFileError``, and ``ModelDecodingError`` with the file's path.
    public static func decode(contentsOf url: URL) throws -> Value {
        try ModelReader.decode(contentsOf: url) { try decode(from: &$0) }
    }

    /// Writes one conformer with the name of its type into a file, as a model is saved.
    ///
    /// ```swift
    /// try AssetModel.save(asset, as: .json, to: url)
    /// ```
    ///
    /// Blocks the calling thread.
    ///
    /// - Complexity: linear in the size of the document, which is in memory as a whole.
    /// - Throws: ``ModelEncodingError`` for values that the format has no form for, and
    ///   ``ModelFileError``. The old file is untouched then, unless the last step failed: bringing
    ///   the folder to the disk.
    public static func save(_ value: Value, as format: ModelFormat, to url: URL) throws {
        try AtomicFile.replace(url, with: try encode(value, as: format))
    }
}

extension ModelReader {
    /// Reads a file as a whole, in the format that its content tells.
    ///
    /// - Throws: ``ModelFileError``, and what `body` throws, with the file's path in a
    ///   ``ModelDecodingError``.
    @usableFromInline
    @inline(__always)
    static func decode<Value>(
        contentsOf url: URL,
        _ body: (inout ModelReader) throws -> Value
    ) throws -> Value {
        let data = try FileContent.read(url)
        do {
            return try decode(data, as: ModelFormat(detectedIn: data), body)
        } catch let error as ModelDecodingError {
            throw error.inFile(url.path)
        }
    }
}
