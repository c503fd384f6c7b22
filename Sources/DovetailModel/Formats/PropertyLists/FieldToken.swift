/// The names of fields as generated code has them: tokens of JSON, `"name":` with quotes and colon,
/// so that the writer of JSON copies them as they are. Other writers take the name out of them.
enum FieldToken {
    /// Hands out the name of a token without quotes, escapes and colon.
    ///
    /// - Complexity: linear in the name. Writers that meet the same tokens again keep what they
    ///   made of them by the token's address (``AddressTable``).
    static func withName<Result>(
        _ token: StaticString,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let bytes = UnsafeBufferPointer(start: token.utf8Start, count: token.utf8CodeUnitCount)
        guard bytes.count >= 3 else { return body(bytes) }
        let name = UnsafeBufferPointer(rebasing: bytes[1..<bytes.count - 2])
        guard name.contains(0x5C) else { return body(name) }
        var reader = ModelReader(json: bytes)
        var text = (try? reader.readString()) ?? String(decoding: name, as: UTF8.self)
        return text.withUTF8 { body($0) }
    }
}
