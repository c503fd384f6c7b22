package import DovetailTesting

/// What can be wrong with a message of a server.
package enum Malformation: Hashable, Sendable {
    /// The length that it says.
    case length(Int)
    /// The length that it says, and that of what follows differ by so much.
    case lengthOff(by: Int)
    /// Another letter.
    case type(UInt8)
    /// The number of columns that a row or a description of rows says.
    case count(Int)
    /// A column of a row has a value of so many bytes, and says so.
    case value(column: Int, size: Int)
    /// A column of a row says that it has so many bytes, and has what it had.
    case valueLength(column: Int, Int)
    /// A column of a row is NULL.
    case null(column: Int)
    /// All columns of a description have another type.
    case columnType(Int)
    /// Only so many bytes of the body are there, and it says so.
    case body(Int)
    /// Some bytes of the body are others.
    case bytes(seed: UInt64)
    /// It comes twice.
    case twice
    /// It does not come.
    case missing

    /// One at random.
    package static func random(_ random: inout SeededRandom) -> Malformation {
        switch random.below(12) {
        case 0: .length(random.pick([-1, 0, 3, 4, 0x3FFF_FFFF, Int(Int32.max), Int(Int32.min)]))
        case 1: .lengthOff(by: random.pick([-5, -1, 1, 2, 1000]))
        case 2: .type(UInt8(random.below(256)))
        case 3: .count(random.pick([-1, 0, 1, 2, 100, 1664, 32_767]))
        case 4: .value(column: random.below(5), size: random.pick([0, 1, 2, 3, 5, 7, 9, 200]))
        case 5: .valueLength(column: random.below(5), random.pick([-2, 1, 3, 100, 0x7FFF_FFFF]))
        case 6: .null(column: random.below(5))
        case 7:
            .columnType(random.pick([16, 17, 20, 23, 25, 114, 701, 1184, 1700, 2950, 3802, 999]))
        case 8: .body(random.below(12))
        case 9, 10: .bytes(seed: random.next())
        default: random.isOne(in: 2) ? .twice : .missing
        }
    }

    /// The bytes of a message that is wrong in this way. One that it does not apply to stays as it is.
    package func applied(to message: WireMessage) -> [UInt8] {
        switch self {
        case .length(let length): [message.type] + WireMessage.int32(length) + message.body
        case .lengthOff(let difference):
            [message.type] + WireMessage.int32(message.body.count + 4 + difference) + message.body
        case .type(let type): WireMessage(type: type, body: message.body).bytes
        case .count(let count): counted(message, count).bytes
        case .value(let column, let size):
            Self.edited(message, column) {
                Array((($0 ?? []) + Array(repeating: 0xA5, count: size)).prefix(size))
            }
            .bytes
        case .null(let column): Self.edited(message, column) { _ in nil }.bytes
        case .valueLength(let column, let length): lengthened(message, column, length).bytes
        case .columnType(let type): Self.retyped(message, type).bytes
        case .body(let count):
            WireMessage(type: message.type, body: Array(message.body.prefix(count))).bytes
        case .bytes(let seed): Self.scrambled(message, seed).bytes
        case .twice: message.bytes + message.bytes
        case .missing: []
        }
    }

    private func counted(_ message: WireMessage, _ count: Int) -> WireMessage {
        guard [UInt8(ascii: "D"), UInt8(ascii: "T"), UInt8(ascii: "t")].contains(message.type),
            message.body.count >= 2
        else { return message }
        var message = message
        message.body.replaceSubrange(0..<2, with: WireMessage.int16(count))
        return message
    }

    /// The places of the values in a row: where the length of each stands, and its size, -1 for NULL.
    private static func fields(_ message: WireMessage) -> [(place: Int, size: Int)] {
        guard message.type == UInt8(ascii: "D"), message.body.count >= 2 else { return [] }
        var fields: [(Int, Int)] = []
        var place = 2
        while place + 4 <= message.body.count {
            let size = WireParser.int32(message.body[place...])
            guard place + 4 + size <= message.body.count else { break }
            fields.append((place, size))
            place += 4 + max(0, size)
        }
        return fields
    }

    private static func edited(
        _ message: WireMessage,
        _ column: Int,
        _ edit: ([UInt8]?) -> [UInt8]?
    ) -> WireMessage {
        let fields = fields(message)
        guard !fields.isEmpty else { return message }
        let values = fields.enumerated().map { number, field in
            let start = field.place + 4
            let old = field.size < 0 ? nil : Array(message.body[start..<(start + field.size)])
            return number == column % fields.count ? edit(old) : old
        }
        return .row(values)
    }

    private func lengthened(_ message: WireMessage, _ column: Int, _ length: Int) -> WireMessage {
        let fields = Self.fields(message)
        guard !fields.isEmpty else { return message }
        let place = fields[column % fields.count].place
        var message = message
        message.body.replaceSubrange(place..<(place + 4), with: WireMessage.int32(length))
        return message
    }

    /// The type of a column stands six bytes after the end of its name, and 12 bytes before the next one.
    private static func retyped(_ message: WireMessage, _ type: Int) -> WireMessage {
        guard message.type == UInt8(ascii: "T") else { return message }
        var message = message
        var place = 2
        while place < message.body.count, let end = message.body[place...].firstIndex(of: 0),
            end + 18 < message.body.count
        {
            message.body.replaceSubrange((end + 7)..<(end + 11), with: WireMessage.int32(type))
            place = end + 19
        }
        return message
    }

    private static func scrambled(_ message: WireMessage, _ seed: UInt64) -> WireMessage {
        var random = SeededRandom(seed: seed)
        var message = message
        guard !message.body.isEmpty else { return message }
        for _ in 0...random.below(4) {
            message.body[random.below(message.body.count)] = UInt8(random.below(256))
        }
        return message
    }
}
