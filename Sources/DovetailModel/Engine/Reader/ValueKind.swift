/// What stands under the cursor of a reader.
enum ValueKind {
    case null, bool, number, string, date, data, array, object
    /// A reference between the objects of an archive.
    case reference
    /// Nothing of the format.
    case none
}

/// The string that stands for null in property lists, which have none. It is the one that
/// `PropertyListEncoder` writes for nil.
enum PropertyListNull {
    static let text = "$null"
    /// Its five bytes as one number.
    static let word: UInt64 = 0x24_6E75_6C6C

    static func isOne(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count == 5 && bytes.first == 0x24 && bytes.elementsEqual(text.utf8)
    }
}

/// How an archive's reference between objects is spelt where there is no form of its own: the one
/// member of a dictionary.
enum PropertyListReference {
    static let key = "CF$UID"
}

extension ModelReader {
    /// What stands under the cursor, by its first byte or its marker; nothing in a row.
    var valueKind: ValueKind {
        switch source {
        case .json: return jsonKind
        case .row: return .none
        case .tagged: return .object
        case .tree: return treeKind
        case .binaryPropertyList: return binaryKind
        case .xmlPropertyList:
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
    }

    private var jsonKind: ValueKind {
        switch byte {
        case 0x22: .string
        case 0x7B: .object
        case 0x5B: .array
        case 0x74, 0x66: .bool
        case 0x6E: .null
        case 0x2D, 0x30...0x39: .number
        default: .none
        }
    }

    private var binaryKind: ValueKind {
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
