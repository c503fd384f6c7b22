package import DovetailStore
import Foundation

/// A key as text: a JSON array with an object for each column, `[{"integer":7}]`.
package enum KeyText {
    /// The values of a key as text.
    package static func text(of values: [QueryValue]) throws -> String {
        String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
    }

    /// The values; nil for another text.
    package static func values(of text: String) -> [QueryValue]? {
        let values = try? JSONDecoder().decode([QueryValue].self, from: Data(text.utf8))
        guard let values, !values.isEmpty, !values.contains(.null) else { return nil }
        return values
    }
}
