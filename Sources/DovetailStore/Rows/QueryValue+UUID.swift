import DovetailModel
import Foundation

extension QueryValue {
    /// Whether it is the text of a UUID as a row has it, in capital letters.
    ///
    /// - Complexity: O(1).
    package var isUUID: Bool {
        guard case .text(var text) = self, text.utf8.count == UUIDText.length else { return false }
        return text.withUTF8 { UUIDText.isCanonical($0) }
    }
}
