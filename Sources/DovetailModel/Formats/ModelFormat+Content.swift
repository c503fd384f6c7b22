public import Foundation

extension ModelFormat {
    /// The format that a document's first bytes tell: `bplist0` is ``binaryPlist``, a `<` after a
    /// byte order mark and white space is ``plist``, also in UTF-16 and UTF-32, and everything else is
    /// ``json``.
    ///
    /// - Complexity: linear in the white space before the document.
    public init(detectedIn content: Data) {
        if content.starts(with: "bplist0".utf8) {
            self = .binaryPlist
            return
        }
        // Of UTF-16 and UTF-32, the mark and the upper bytes are passed over.
        let first = content.first {
            ![0x00, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x20, 0x09, 0x0A, 0x0D].contains($0)
        }
        self = first == 0x3C ? .plist : .json
    }
}
