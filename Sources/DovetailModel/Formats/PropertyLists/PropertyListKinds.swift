// What is under the cursor of a reader of property lists, and what stands for kinds that they lack.

/// The string that means null in property lists, which have no null of their own.
/// `PropertyListEncoder` writes the same for nil.
enum PropertyListNull {
    static let text = "$null"
    /// Its five bytes as one number.
    static let word: UInt64 = 0x24_6E75_6C6C

    /// Whether a string is that one.
    static func isNull(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count == 5 && bytes.first == 0x24 && bytes.elementsEqual(text.utf8)
    }
}

/// How the reference of a keyed archive is spelled in formats that have no form for it: a
/// dictionary with this one member.
enum PropertyListReference {
    static let key = "CF$UID"
}

extension ModelReader {
    /// By the tag.
    var xmlKind: ValueKind {
        guard let tag = XMLTag(at: cursor, end: end) else { return .none }
        switch tag.name {
        case .dict: return .object
        case .array: return .array
        case .string: return .string
        case .integer, .real: return .number
        case .yes, .no: return .bool
        case .date: return .date
        case .data: return .data
        case .key, .plist, .unknown: return .none
        }
    }

    /// By the marker: the high four bits are the type, the low four a size or a value.
    var binaryKind: ValueKind {
        let marker = cursor.pointee
        switch marker & 0xF0 {
        case 0x00:
            switch marker {
            case BinaryPropertyListMarker.null: return .null
            case BinaryPropertyListMarker.no, BinaryPropertyListMarker.yes: return .bool
            default: return .none
            }
        case BinaryPropertyListMarker.integer: return marker & 0x0F <= 4 ? .number : .none
        case BinaryPropertyListMarker.real:
            return marker & 0x0F == 2 || marker & 0x0F == 3 ? .number : .none
        case BinaryPropertyListMarker.date & 0xF0:
            return marker == BinaryPropertyListMarker.date ? .date : .none
        case BinaryPropertyListMarker.data: return .data
        case BinaryPropertyListMarker.ascii, BinaryPropertyListMarker.utf16: return .string
        case BinaryPropertyListMarker.reference: return .reference
        case BinaryPropertyListMarker.array, BinaryPropertyListMarker.orderedSet,
            BinaryPropertyListMarker.set:
            return .array
        case BinaryPropertyListMarker.object: return .object
        default: return .none
        }
    }
}
