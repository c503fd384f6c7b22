/// Text that is compared by its bytes. `String` compares after canonical normalization, which
/// would make one key of two that a document tells apart: "é" as one scalar and as two.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactText, right: ExactText) -> Bool {
        areSame(left.text, right.text)
    }

    /// Whether two texts have the same bytes. Complexity: linear, O(1) for different lengths.
    static func areSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }

    /// Whether the bytes of a text come before those of another one: the order of Unicode scalars.
    static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
