package import Foundation

/// Text without regard to case and diacritics, by fixed rules of Unicode.
///
/// There is no locale in it: a text has the same fold in every process, so that a predicate means
/// the same in memory and in a store, and a stored fold stays right. All functions are linear in the
/// length of the text; text in ASCII is folded byte by byte.
package enum TextFolding {
    /// A text in lower case, by the mappings of Unicode. A capital sigma at the end of a word stays
    /// the one that is not final.
    package static func lowercased(_ text: String) -> String { text.lowercased() }

    /// A text without regard to case and diacritics: two texts with one fold are the same to
    /// `localizedStandardContains`.
    ///
    /// The text is decomposed, marks over and under letters are removed, and what remains is folded
    /// as in ``caseFolded(_:)``. Marks that make another letter remain: the voicing of Kana, the
    /// signs of Indic and Thai vowels, the nukta and the virama.
    package static func folded(_ text: String) -> String { fold(text, keepsMarks: false) }

    /// A text without regard to case: decomposed, and each scalar in lower case after it was in upper
    /// case, which makes "ss" of "ß" and one letter of both small sigmas.
    package static func caseFolded(_ text: String) -> String { fold(text, keepsMarks: true) }

    /// Whether a text contains another one without regard to case and diacritics. An empty text is in
    /// none.
    package static func contains(_ text: String, _ other: String) -> Bool {
        !other.isEmpty && containsFolded(folded(text), folded(other))
    }

    /// Whether a folded text contains another one, for those that fold the other one only once.
    ///
    /// - Complexity: the product of the lengths at worst, and in practice that of the text.
    package static func containsFolded(_ text: String, _ other: String) -> Bool {
        var text = text
        var other = other
        return text.withUTF8 { text in
            other.withUTF8 { other in
                guard let first = other.first else { return true }
                var index = 0
                while index + other.count <= text.count {
                    if text[index] == first,
                        text[index..<index + other.count].elementsEqual(other)
                    {
                        return true
                    }
                    index += 1
                }
                return false
            }
        }
    }

    /// The order of two texts without regard to case, by the scalars of what remains.
    package static func compareCaseInsensitive(_ left: String, _ right: String) -> ComparisonResult
    {
        compare(caseFolded(left), caseFolded(right))
    }

    /// The order of two texts in a list that people read: by their folds, where these are the same
    /// by diacritics, and then by case, lower case first. Only texts that are equal to Swift are the
    /// same.
    package static func compareLocalized(_ left: String, _ right: String) -> ComparisonResult {
        let byFold = compare(folded(left), folded(right))
        if byFold != .orderedSame { return byFold }
        let byDiacritics = compare(caseFolded(left), caseFolded(right))
        if byDiacritics != .orderedSame { return byDiacritics }
        // Upper case comes before lower case among the scalars.
        return compare(decomposed(right), decomposed(left))
    }

    /// The order of two texts by their bytes, which is that of their scalars.
    private static func compare(_ left: String, _ right: String) -> ComparisonResult {
        let (left, right) = (left.utf8, right.utf8)
        if left.elementsEqual(right) { return .orderedSame }
        return left.lexicographicallyPrecedes(right) ? .orderedAscending : .orderedDescending
    }

    private static func decomposed(_ text: String) -> String {
        isASCII(text) ? text : mapped(text)
    }

    /// The canonical decomposition. Foundation's is quadratic (6.3), so it gets a text in pieces, each of which
    /// begins with a scalar that no mark moves across.
    private static func mapped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        var result = ""
        var start = scalars.startIndex
        while start < scalars.endIndex {
            var end =
                scalars.index(start, offsetBy: 128, limitedBy: scalars.endIndex) ?? scalars.endIndex
            while end < scalars.endIndex, isMark(scalars[end]) { end = scalars.index(after: end) }
            result += String(scalars[start..<end]).decomposedStringWithCanonicalMapping
            start = end
        }
        return result
    }

    /// Whether a scalar may belong to the one before it.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    private static func fold(_ text: String, keepsMarks: Bool) -> String {
        if isASCII(text) { return text.lowercased() }
        var result = String.UnicodeScalarView()
        var isDecomposed = true
        for scalar in mapped(text).unicodeScalars {
            if scalar.isASCII {
                let isUpper = "A"..."Z" ~= scalar
                result.append(isUpper ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
            } else if keepsMarks || !isDiacritic(scalar) {
                let properties = scalar.properties
                if properties.changesWhenCaseFolded || properties.changesWhenLowercased {
                    appendFold(of: scalar, to: &result)
                    isDecomposed = false
                } else {
                    result.append(scalar)
                }
            }
        }
        if isDecomposed { return String(result) }
        // A mapping may give composed letters and further marks.
        let again = mapped(String(result))
        if keepsMarks { return again }
        return String(String.UnicodeScalarView(again.unicodeScalars.filter { !isDiacritic($0) }))
    }

    /// The scalar in lower case, then in upper case, then in lower case: the last step makes "ss" of
    /// "ẞ", which the first has made "ß". The dotless "ı" does not come here, as Unicode folds it to
    /// itself.
    private static func appendFold(
        of scalar: Unicode.Scalar,
        to result: inout String.UnicodeScalarView
    ) {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            for upper in lower.properties.uppercaseMapping.unicodeScalars {
                // All at once they would be given exact room, again and again.
                for scalar in upper.properties.lowercaseMapping.unicodeScalars {
                    result.append(scalar)
                }
            }
        }
    }

    /// Whether a scalar is a mark that a search passes over: an accent, a Hebrew or Arabic point, a
    /// stroke through a letter.
    ///
    /// The classes of combining characters tell them from the marks that make another letter: 7 is
    /// the nukta, 8 the voicing of Kana, 9 the virama, and 84 to 132 are vowels and tones. Vowels
    /// that follow their letter have class 0.
    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.canonicalCombiningClass.rawValue {
        case 1, 10...36, 200...240: return true
        default: return false
        }
    }
}
