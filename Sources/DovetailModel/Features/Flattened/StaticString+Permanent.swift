// Names that are made at run time, once for each type, in the form that names of the source have. So
// every format takes them without a second path.

extension StaticString {
    /// A text in memory that is never freed.
    ///
    /// Invariant: `StaticString` is `@frozen`: the address, the count of bytes, and flags, which are
    /// those of any other one that has an address and is no ASCII for sure.
    static func permanent(_ text: String) -> StaticString {
        var bytes = Array(text.utf8)
        let count = bytes.count
        // `ExpectedNames` loads eight bytes at a time.
        bytes += [UInt8](repeating: 0, count: 8)
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = memory.initialize(from: bytes)
        var result: StaticString = "no ASCII: \u{E9}"
        withUnsafeMutableBytes(of: &result) {
            $0.storeBytes(of: UInt(bitPattern: memory.baseAddress), as: UInt.self)
            $0.storeBytes(of: count, toByteOffset: MemoryLayout<UInt>.size, as: Int.self)
        }
        return result
    }

    /// The name of a field as JSON, with quotes and colon, and with escapes where it needs them (RFC
    /// 8259, section 7).
    static func token(_ name: String) -> StaticString {
        var json = "\""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        return permanent(json + "\":")
    }

    /// The names as ``ExpectedNames`` goes through them: as `FieldCode.expected(_:)` in DovetailSyntax
    /// writes them for names of the source.
    static func expected(_ names: [String]) -> StaticString {
        let plain = names.filter { name in
            1...63 ~= name.utf8.count
                && name.utf8.allSatisfy {
                    0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
                }
        }
        let lines = plain.map { name in
            String(Unicode.Scalar(UInt8(name.utf8.count))) + "\"\(name)\""
        }
        return permanent(lines.joined() + String(repeating: "\0", count: 8))
    }
}
