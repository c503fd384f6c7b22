/// Text that a macro writes, line by line, indented and within 100 columns, as people read it in
/// *Expand Macro*.
///
/// ```swift
/// let text = SourceText.at(depth: 0) { source in
///     source.block("var isEmpty: Bool") { $0.line("count == 0") }
/// }
/// ```
///
/// The text ends without a line break.
struct SourceText {
    private static let width = 100
    private static let indentation = "    "

    private(set) var text = ""
    private(set) var depth: Int

    init(depth: Int = 0) {
        self.depth = depth
    }

    /// The text that `write` adds to an empty one, indented by `depth` steps.
    static func at(depth: Int, _ write: (inout SourceText) -> Void) -> String {
        var source = SourceText(depth: depth)
        write(&source)
        return source.text
    }

    /// Adds a line, broken at its parentheses where it is too long. A line that cannot be broken
    /// stays long; a literal of several lines in it stays as it is.
    mutating func line(_ line: String) {
        let room = Self.width - depth * Self.indentation.utf8.count
        if line.utf8.count > room, let call = LongCall(line) {
            self.line(call.head)
            indented { source in
                for (index, argument) in call.arguments.enumerated() {
                    let isLast = index == call.arguments.count - 1
                    source.line(argument + (isLast ? "" : ","))
                }
            }
            self.line(call.tail)
            return
        }
        if !text.isEmpty { text += "\n" }
        for _ in 0..<depth { text += Self.indentation }
        text += line
    }

    /// Adds text of the program as it is.
    mutating func statements(_ statements: String) {
        if !text.isEmpty { text += "\n" }
        for _ in 0..<depth { text += Self.indentation }
        text += statements
    }

    /// Adds `head {`, what `body` writes one step further in, and `}`.
    mutating func block(_ head: String, _ body: (inout SourceText) -> Void) {
        line(head.isEmpty ? "{" : head + " {")
        indented(body)
        line("}")
    }

    /// Adds `head { parameter in`, what `body` writes one step further in, and `}`.
    mutating func closure(_ head: String, _ parameter: String, _ body: (inout SourceText) -> Void) {
        line("\(head) { \(parameter) in")
        indented(body)
        line("}")
    }

    /// Adds what `body` writes one step further in.
    mutating func indented(_ body: (inout SourceText) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }

    /// Adds a list with one element on each line, between `head` and `tail`.
    mutating func list(_ head: String, _ elements: [String], _ tail: String) {
        line(head)
        indented { source in
            for (index, element) in elements.enumerated() {
                source.line(element + (index == elements.count - 1 ? "" : ","))
            }
        }
        line(tail)
    }
}

/// A line that is broken at the parentheses or brackets that hold most of it.
private struct LongCall {
    /// Up to the opening parenthesis.
    let head: String
    /// What is between the commas inside.
    let arguments: [String]
    /// From the closing parenthesis on.
    let tail: String

    /// Finds the widest pair of parentheses or brackets that is in no other one, and the commas
    /// directly inside of it. What is in quotes does not count.
    ///
    /// Nil when there is no such pair, and for a line that this does not understand: one with a
    /// line break, a `#` as of a raw literal, a comment, or quotes that do not match.
    init?(_ line: String) {
        let bytes = Array(line.utf8)
        var groups: [(open: Int, commas: [Int], close: Int)] = []
        var open: [Int] = []
        var commas: [Int] = []
        var isText = false
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\n"), UInt8(ascii: "#"): return nil
            case UInt8(ascii: "\\") where isText: index += 1
            case UInt8(ascii: "\""): isText.toggle()
            case _ where isText: break
            case UInt8(ascii: "("), UInt8(ascii: "["):
                if open.isEmpty { commas = [] }
                open.append(index)
            case UInt8(ascii: ")"), UInt8(ascii: "]"):
                guard let start = open.popLast() else { return nil }
                if open.isEmpty { groups.append((start, commas, index)) }
            case UInt8(ascii: ",") where open.count == 1: commas.append(index)
            case UInt8(ascii: "/") where bytes[index...].starts(with: "//".utf8): return nil
            default: break
            }
            index += 1
        }
        guard open.isEmpty, !isText,
            let group = groups.max(by: { $0.close - $0.open < $1.close - $1.open }),
            group.close > group.open + 1
        else { return nil }
        func part(_ range: Range<Int>) -> String {
            String(decoding: bytes[range].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
        }
        head = part(0..<group.open + 1)
        tail = part(group.close..<bytes.count)
        let ends = group.commas + [group.close]
        let starts = [group.open + 1] + group.commas.map { $0 + 1 }
        arguments = zip(starts, ends).map { part($0..<$1) }
    }
}
