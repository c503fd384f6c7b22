public import DovetailModel
public import Foundation

/// Checks that kept documents of every version are still read, as exactly the current model.
///
/// - Every document is read, and its `$version` is the one that is said of it.
/// - What is read is written as the current version, in the format of the document, and reading that
///   gives the same value.
/// - There is a document of every version from 1 to the model's own.
///
/// ```swift
/// @Test func oldDocuments() throws {
///     try checkMigrations(of: Library.self, documents: [(1, first), (2, second)])
/// }
/// ```
///
/// - Complexity: reads each document twice.
/// - Parameters:
///   - type: The model.
///   - documents: Kept documents and the versions in which they were written.
///   - format: The format of the documents; nil when each one's is told from its content, as
///     ``ModelFormat/init(detectedIn:)`` does: JSON and both forms of property lists.
///   - fileID: Left out: the place of the check.
///   - line: Left out: the place of the check.
/// - Throws: ``LawViolations`` with everything that was found.
public func checkMigrations<Value: Model>(
    of type: Value.Type,
    documents: [(version: Int, data: Data)],
    as format: ModelFormat? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws {
    try check(
        type,
        documents.enumerated().map { index, document in
            KeptDocument(name: "document \(index)", version: document.version, data: document.data)
        },
        format,
        place: "\(fileID):\(line)"
    )
}

/// The same with the documents of a folder, whose names say the version: `v1.json`, `v2-empty.plist`.
/// Files with other names are left alone.
///
/// - Throws: ``LawViolations`` with everything that was found, and the system's error when the
///   folder cannot be read.
public func checkMigrations<Value: Model>(
    of type: Value.Type,
    documents folder: URL,
    as format: ModelFormat? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line
) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let documents = try names.compactMap { name -> KeptDocument? in
        guard name.hasPrefix("v") else { return nil }
        let digits = name.dropFirst().prefix { $0.isASCII && $0.isNumber }
        let rest = name.dropFirst(digits.count + 1)
        guard let version = Int(digits), rest.hasPrefix(".") || rest.hasPrefix("-") else {
            return nil
        }
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        return KeptDocument(name: name, version: version, data: data)
    }
    try check(type, documents, format, place: "\(fileID):\(line)")
}

private struct KeptDocument {
    var name: String
    var version: Int
    var data: Data

    /// The document for a message: bytes that are no text as the JSON of what they hold.
    func text(as format: ModelFormat) -> String {
        if let text = String(validating: data, as: UTF8.self), !text.contains("\0") { return text }
        let document = try? ModelDocument(decoding: data, as: format)
        return document.map { "\($0)" } ?? "\(data.count) bytes"
    }
}

private func check<Value: Model>(
    _ type: Value.Type,
    _ documents: [KeptDocument],
    _ format: ModelFormat?,
    place: String
) throws {
    var violations: [LawViolation] = []
    func add(_ name: String, _ explanation: String, _ document: String = "") {
        violations.append(
            LawViolation(
                law: .migration,
                model: Value.typeName + (name.isEmpty ? "" : " in \(name)"),
                explanation: explanation,
                document: document,
                seed: 0
            )
        )
    }
    for document in documents {
        let format = format ?? ModelFormat(detectedIn: document.data)
        do {
            if let problem = try problem(of: document, type, format) {
                add(document.name, problem, document.text(as: format))
            }
        } catch {
            add(document.name, "\(error)", document.text(as: format))
        }
    }
    let kept = Set(documents.map(\.version))
    for version in 1...max(Value.modelVersion, 1) where !kept.contains(version) {
        add("", "there is no document of version \(version)")
    }
    guard violations.isEmpty else { throw LawViolations(violations: violations, place: place) }
}

/// What is wrong with a kept document; nil when it is read as it should.
private func problem<Value: Model>(
    of document: KeptDocument,
    _ type: Value.Type,
    _ format: ModelFormat
) throws -> String? {
    let kept = try ModelDocument(decoding: document.data, as: format)
    let version = kept[key: "$version"]?.intValue ?? 1
    guard version == document.version else {
        return "the document is of version \(version), not of \(document.version)"
    }
    let value = try Value(decoding: document.data, as: format)
    let current = try value.encoded(as: format)
    let written = try ModelDocument(decoding: current, as: format)[key: "$version"]?.intValue ?? 1
    guard written == Value.modelVersion else {
        return "it is written again as version \(written), not as \(Value.modelVersion)"
    }
    let again = try Value(decoding: current, as: format)
    let isSame =
        try LawChecker<Value>.areEqual(value, again)
        ?? (ModelDocument(decoding: again.encoded(as: format), as: format)
            == ModelDocument(decoding: current, as: format))
    return isSame ? nil : "what is written again is read as another value"
}
