/// The kind of the value under the cursor of a reader, as far as its first byte, marker or tag
/// tells.
enum ValueKind {
    case null, bool, number, string, date, data, array, object
    /// A reference between the objects of a keyed archive (`CF$UID`).
    case reference
    /// No value of the format.
    case none
}

extension ModelReader {
    /// The kind of the value under the cursor; the reader does not move. `none` in a row, where the
    /// column knows.
    ///
    /// - Complexity: O(1); linear in the tag's length in XML.
    var valueKind: ValueKind {
        switch source {
        case .json: return jsonKind
        case .row: return .none
        case .tagged: return .object
        case .tree: return treeKind
        case .binaryPropertyList: return binaryKind
        case .xmlPropertyList: return xmlKind
        }
    }

    /// By the first byte: JSON needs no more (RFC 8259, section 3).
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
}
