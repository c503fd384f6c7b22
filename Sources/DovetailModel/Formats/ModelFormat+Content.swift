public import Foundation

extension ModelFormat {
    /// The format that a document's first bytes tell.
    ///
    /// ```swift
    /// ModelFormat(detectedIn: Data("<?xml".utf8))       // .plist
    /// ModelFormat(detectedIn: Data("[1, 2]".utf8))      // .json
    /// ```
    ///
    /// `bplist0` is ``binaryPlist``. A `<` after a byte order mark and white space is ``plist``,
    /// also in UTF-16 and UTF-32. Everything else is ``json``, and a format of your own is never
    /// told.
    ///
    /// - Complexity: linear in the white space before the document.
    public init(detectedIn content: Data) {
        if content.starts(with: "bplist0".utf8) {
            self = .binaryPlist
            return
        }
        // The marks, and the zero bytes that UTF-16 and UTF-32 have beside ASCII, are skipped.
        let first = content.first {
            ![0x00, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x20, 0x09, 0x0A, 0x0D].contains($0)
        }
        self = first == 0x3C ? .plist : .json
    }
}
