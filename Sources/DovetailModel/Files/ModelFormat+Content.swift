public import Foundation

extension ModelFormat {
    /// The format that a document's first bytes tell: `bplist0` is ``binaryPlist``, a `<` behind a
    /// byte order mark and white space is ``plist``, and everything else is ``json``.
    ///
    /// - Complexity: linear in the white space before the document.
    public init(toldFrom content: Data) {
        if content.starts(with: "bplist0".utf8) {
            self = .binaryPlist
            return
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = content.starts(with: mark) ? content.dropFirst(3) : content
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        self = first == 0x3C ? .plist : .json
    }
}
