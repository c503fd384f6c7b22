public import DovetailModel
public import Foundation

/// The error of ``checkGoldenDocument(_:_:isWriting:filePath:)``: a value's document differs from
/// the file that is kept beside the tests.
public struct GoldenDocumentChange: Error, Hashable, Sendable {
    /// The file's path.
    public let file: String
    /// The lines that differ, `-` in the file and `+` in the document, with two lines of context.
    /// `…` is written where lines without a difference are left out.
    public let difference: String
}

extension GoldenDocumentChange: CustomStringConvertible {
    /// The file, the command that brings it up to date, and the lines that differ.
    public var description: String {
        "the document is not the one in \(file); run once with DOVETAIL_WRITE_GOLDEN=1 if that is "
            + "meant\n\(difference)"
    }
}

/// Compares the document of a value with a file that is kept beside the tests, so that a change of
/// a model that changes its documents fails a test.
///
/// The document is pretty-printed JSON with sorted keys, so that a difference is a few lines.
///
/// ```swift
/// @Test func documentOfALibrary() throws {
///     try checkGoldenDocument(Library.sample, "Golden/library.json")
/// }
/// ```
///
/// With `DOVETAIL_WRITE_GOLDEN=1` in the environment the file is written instead of compared, and
/// the folder around it is created. Look at the change before you commit it.
///
/// - Complexity: linear in the document when nothing differs, at worst quadratic in its lines.
/// - Parameters:
///   - value: A value whose document is always the same: no current date, no random identifier.
///   - name: The path of the file, relative to the folder of the test's source.
///   - isWriting: Whether the file is written; by default the environment decides.
///   - filePath: The test's source. Leave it out.
/// - Throws: ``GoldenDocumentChange`` when the document differs, ``ModelEncodingError`` when the
///   value cannot be written, and Foundation's error when the file does not exist or cannot be
///   written.
public func checkGoldenDocument(
    _ value: some ModelValue,
    _ name: String,
    isWriting: Bool = ProcessInfo.processInfo.environment["DOVETAIL_WRITE_GOLDEN"] == "1",
    filePath: StaticString = #filePath
) throws {
    let folder = URL(fileURLWithPath: filePath.description).deletingLastPathComponent()
    let file = folder.appendingPathComponent(name)
    let format = ModelFormat.json(pretty: true, sortedKeys: true)
    let document = String(
        decoding: try ModelWriter.encode(as: format) { try value.encode(to: &$0) },
        as: UTF8.self
    )
    if isWriting {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        return try Data((document + "\n").utf8).write(to: file, options: .atomic)
    }
    let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let difference = LineDifference.text(from: kept, to: document)
    guard difference.isEmpty else {
        throw GoldenDocumentChange(file: file.path, difference: difference)
    }
}

/// A plain difference of two texts, line by line, by Myers' algorithm in the standard library
/// (`BidirectionalCollection.difference(from:)`).
enum LineDifference {
    /// Lines of context on either side of a change.
    private static let context = 2

    /// The differing lines with their context; empty when there are none. A line break at the end
    /// is ignored, because an editor may add or remove one.
    static func text(from old: String, to new: String) -> String {
        let (old, new) = (lines(of: old), lines(of: new))
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        // Both texts merged: removed lines come before the lines that replace them.
        var all: [(mark: String, line: Substring)] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if removed.contains(left) {
                all.append(("-", old[left]))
                left += 1
            } else if added.contains(right) {
                all.append(("+", new[right]))
                right += 1
            } else {
                all.append((" ", old[left]))
                (left, right) = (left + 1, right + 1)
            }
        }
        let changes = all.indices.filter { all[$0].mark != " " }
        var shown: Set<Int> = []
        for index in changes {
            shown.formUnion(max(index - context, 0)...min(index + context, all.count - 1))
        }
        var text = ""
        for index in shown.sorted() {
            if index > 0, !shown.contains(index - 1) { text += "…\n" }
            text += "\(all[index].mark) \(all[index].line)\n"
        }
        return text
    }

    private static func lines(of text: String) -> [Substring] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
