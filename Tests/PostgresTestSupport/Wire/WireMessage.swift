/// A message of a server, as the protocol writes it: a letter, a length and a body
/// (https://www.postgresql.org/docs/current/protocol-message-formats.html).
package struct WireMessage: Hashable, Sendable {
    /// The letter; what it says is the comment at each message below.
    package var type: UInt8
    package var body: [UInt8]

    package init(_ type: Character, _ body: [UInt8] = []) {
        self.init(type: type.asciiValue ?? 0, body: body)
    }

    init(type: UInt8, body: [UInt8]) {
        self.type = type
        self.body = body
    }

    /// The letter, the length, which counts itself, and the body.
    package var bytes: [UInt8] { [type] + Self.int32(body.count + 4) + body }

    package static func int16(_ number: Int) -> [UInt8] {
        let bits = UInt16(truncatingIfNeeded: number)
        return [UInt8(bits >> 8), UInt8(bits & 0xFF)]
    }

    package static func int32(_ number: Int) -> [UInt8] {
        let bits = UInt32(truncatingIfNeeded: number)
        return (0..<4).map { UInt8(truncatingIfNeeded: bits >> UInt32(24 - 8 * $0)) }
    }

    package static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
}

extension WireMessage {
    /// A column of an answer.
    package struct Column: Hashable, Sendable {
        package var name: String
        /// The number of its type in `pg_type`.
        package var type: Int
        /// Bytes of a value; -1 where they differ.
        package var size: Int
        /// Whether values come in binary.
        package var isBinary: Bool

        package init(_ name: String, type: Int = 25, size: Int = -1, isBinary: Bool = false) {
            self.name = name
            self.type = type
            self.size = size
            self.isBinary = isBinary
        }
    }

    package static let authenticationOk = WireMessage("R", int32(0))
    package static let parseComplete = WireMessage("1")
    package static let bindComplete = WireMessage("2")
    package static let closeComplete = WireMessage("3")
    package static let noData = WireMessage("n")
    package static let emptyQuery = WireMessage("I")
    package static let ready = WireMessage("Z", [UInt8(ascii: "I")])

    package static func parameterStatus(_ name: String, _ value: String) -> WireMessage {
        WireMessage("S", text(name) + text(value))
    }

    package static func backendKey(process: Int, secret: Int) -> WireMessage {
        WireMessage("K", int32(process) + int32(secret))
    }

    package static func parameters(_ types: [Int]) -> WireMessage {
        WireMessage("t", int16(types.count) + types.flatMap { int32($0) })
    }

    package static func columns(_ columns: [Column]) -> WireMessage {
        var body = int16(columns.count)
        for column in columns {
            body += text(column.name) + int32(0) + int16(0) + int32(column.type)
            body += int16(column.size) + int32(-1) + int16(column.isBinary ? 1 : 0)
        }
        return WireMessage("T", body)
    }

    /// The values of a row; nil is NULL.
    package static func row(_ values: [[UInt8]?]) -> WireMessage {
        var body = int16(values.count)
        for value in values { body += value.map { int32($0.count) + $0 } ?? int32(-1) }
        return WireMessage("D", body)
    }

    package static func complete(_ tag: String) -> WireMessage { WireMessage("C", text(tag)) }

    package static func error(state: String, _ words: String) -> WireMessage {
        WireMessage(
            "E",
            text("SERROR") + text("VERROR") + text("C" + state) + text("M" + words) + [0]
        )
    }
}

/// Puts messages together from the pieces that a socket gives.
struct WireParser {
    private var rest: [UInt8] = []

    /// The messages that are complete now. The first ones of a client have no letter: see ``FakeServer``.
    mutating func messages(adding bytes: [UInt8]) -> [WireMessage] {
        rest += bytes
        var messages: [WireMessage] = []
        var place = 0
        while rest.count - place >= 5 {
            let length = Self.int32(rest[(place + 1)...])
            guard length >= 4, rest.count - place > length else { break }
            let body = rest[(place + 5)..<(place + 1 + length)]
            messages.append(WireMessage(type: rest[place], body: Array(body)))
            place += 1 + length
        }
        rest.removeFirst(place)
        return messages
    }

    /// A number of four bytes at the start of these.
    static func int32(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(Int32(truncatingIfNeeded: bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }))
    }
}
