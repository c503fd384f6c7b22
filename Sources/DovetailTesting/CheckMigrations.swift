public import DovetailModel
public import Foundation

/// Checks that kept documents of every version of a model can still be read.
///
/// - Every document has the `$version` that the list says of it, and the current model reads it.
/// - The value is written as the current version, in the format of the document, and is read from
///   that as an equal value.
/// - There is a document of every version from 1 to the model's own, so a new version without a
///   kept document fails.
///
/// ```swift
/// @Test func oldDocuments() throws {
///     try checkMigrations(of: Library.self, documents: [(1, first), (2, second)])
/// }
/// ```
///
/// All documents are checked, also after one that fails.
///
/// - Complexity: reads each document as a `ModelDocument` and as the model, writes the value, and
///   reads both again from what was written.
/// - Parameters:
///   - type: The model.
///   - documents: Kept documents and the versions in which they were written.
///   - format: The format of the documents. By default the content of each tells its format, as in
///     ``ModelFormat/init(detectedIn:)``: JSON and both forms of property lists.
///   - fileID: The place of the check in messages. Leave it out.
///   - line: The same.
/// - Throws: ``LawViolations`` with all violations that were found. Its law is
///   ``LawViolation/Law/migration``.
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

/// Checks the kept documents of a folder. The name of a file says its version: `v1.json`,
/// `v2-empty.plist`. Files with other names are ignored.
///
/// ```swift
/// @Test func keptDocuments() throws {
///     let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
///     try checkMigrations(of: Library.self, documents: folder.appendingPathComponent("Kept"))
/// }
/// ```
///
/// Keep a document of each version when it is released, and never change it afterwards.
///
/// - Complexity: as for a list of documents, which are all in memory at once.
/// - Parameters:
///   - type: The model.
///   - folder: The folder. Folders inside of it are not searched.
///   - format: The format of the documents. By default the content of each tells its format.
///   - fileID: The place of the check in messages. Leave it out.
///   - line: The same.
/// - Throws: ``LawViolations`` with all violations that were found, and Foundation's error when the
///   folder or a file in it cannot be read.
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

/// One document that the check was given, with the name that messages use.
private struct KeptDocument {
    var name: String
    var version: Int
    var data: Data

    /// The document for a message. A binary property list is shown as JSON of the same content;
    /// what cannot be read at all is shown as its size.
    func text(as format: ModelFormat) -> String {
        if let text = String(validating: data, as: UTF8.self), !text.contains("\0") { return text }
        let document = try? ModelDocument(decoding: data, as: format)
        return document.map { "\($0)" } ?? "\(data.count) bytes"
    }
}

/// Checks all documents and throws one error for all of them, so that a run shows every kept
/// document that a change broke.
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

/// What is wrong with a kept document; nil when the model reads it and writes it again as the
/// current version.
///
/// A model without `==` is compared by what it writes, as a `ModelDocument`.
///
/// - Throws: what reading or writing throws, which the caller reports as a violation.
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
