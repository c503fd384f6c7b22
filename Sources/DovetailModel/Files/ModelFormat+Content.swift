public import Foundation

extension ModelFormat {
    /// The format that a document's first bytes tell: JSON, whatever they are.
    ///
    /// - Complexity: O(1).
    public init(toldFrom content: Data) {
        self = .json
    }
}
