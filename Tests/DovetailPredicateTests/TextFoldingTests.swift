import DovetailStore
import Foundation
import Testing

/// The one meaning of text without case and diacritics.
struct TextFoldingTests {
    static let folds: [(String, String)] = [
        ("", ""), ("Plain ASCII 42!", "plain ascii 42!"), ("Straße", "strasse"), ("ẞ", "ss"),
        ("Élan", "elan"), ("E\u{301}lan", "elan"), ("Zoë", "zoe"), ("Ångström", "angstrom"),
        ("ﬁne", "fine"), ("ŒUVRE", "œuvre"), ("Øre", "øre"), ("İstanbul", "istanbul"),
        ("ısı", "ısı"), ("ΟΔΥΣΣΕΎΣ", "οδυσσευσ"), ("Ὀδυσσεύς", "οδυσσευσ"), ("Ёлка", "елка"),
        ("ЙОД", "иод"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد", "محمد"), ("Việt Nam", "viet nam"),
        ("Łódź", "łodz"), ("ǅ", "ǆ"), ("Ǆ", "ǆ"), ("K", "k"), ("ԱՐԵՎ", "արեվ"), ("ᏣᎳᎩ", "ꮳꮃꭹ"),
        ("𐐀𐐨", "𐐨𐐨"), ("ﬀ", "ff"), ("ŉ", "ʼn"),
    ]

    @Test(arguments: folds)
    func `a text has one fold`(_ text: String, _ fold: String) {
        #expect(TextFolding.folded(text).unicodeScalars.elementsEqual(fold.unicodeScalars))
        #expect(TextFolding.folded(fold).unicodeScalars.elementsEqual(fold.unicodeScalars))
    }

    @Test(arguments: ["が", "ぱ", "प्र", "फ़", "ก่", "กุ", "한글", "中文", "ɐ", "^`´¨", "🇩🇪👩‍👩‍👧"])
    func `marks that make another letter remain`(_ text: String) {
        let decomposed = text.decomposedStringWithCanonicalMapping
        #expect(TextFolding.folded(text).unicodeScalars.elementsEqual(decomposed.unicodeScalars))
    }

    @Test
    func `canonically equal texts have equal folds`() {
        for (text, fold) in Self.folds {
            let forms = [
                text.decomposedStringWithCanonicalMapping,
                text.precomposedStringWithCanonicalMapping,
            ]
            for form in forms {
                #expect(TextFolding.folded(form).unicodeScalars.elementsEqual(fold.unicodeScalars))
                #expect(TextFolding.compareLocalized(form, text) == .orderedSame)
                #expect(TextFolding.compareCaseInsensitive(form, text) == .orderedSame)
            }
        }
    }

    @Test
    func `a fold does not change when it is folded`() {
        var scalars = 0
        for value in UInt32(0)...0x1FFFF {
            guard let scalar = Unicode.Scalar(value),
                scalar.properties.generalCategory != .unassigned
            else { continue }
            let fold = TextFolding.folded(String(scalar))
            #expect(TextFolding.folded(fold).unicodeScalars.elementsEqual(fold.unicodeScalars))
            scalars += 1
        }
        #expect(scalars > 80_000)
    }

    @Test
    func `texts are found whatever their case and diacritics`() {
        #expect(TextFolding.contains("Caffè Latte", "caffe l"))
        #expect(TextFolding.contains("Ärger", "ARGER"))
        #expect(TextFolding.contains("οδός", "ΟΔΟΣ"))
        #expect(!TextFolding.contains("abc", "abcd"))
        #expect(!TextFolding.contains("abab", "abc"))
        #expect(TextFolding.contains("aabaabaaab", "aaab"))
        #expect(!TextFolding.contains("abc", ""))
        #expect(!TextFolding.contains("", "a"))
    }

    @Test
    func `Foundation finds the same in letters of Europe`() {
        let texts = ["Élan", "elan", "STRASSE", "Ärger", "arger", "wolf", "", "Zoë", "ÎLE", "x"]
        for text in texts {
            for part in texts {
                #expect(
                    TextFolding.contains(text, part) == text.localizedStandardContains(part),
                    "\(text) \(part)"
                )
            }
        }
    }

    @Test
    func `texts are in the order of their letters, then of diacritics, then of case`() {
        let order = ["a", "A", "á", "Á", "ab", "b", "B", "z", "é́", "日"]
        let sorted = ["日", "z", "B", "b", "ab", "Á", "á", "A", "a"].sorted {
            TextFolding.compareLocalized($0, $1) == .orderedAscending
        }
        #expect(sorted == order.filter { $0 != "é́" })
        #expect(TextFolding.compareLocalized("é", "f") == .orderedAscending)
        #expect(TextFolding.compareLocalized("é", "e") == .orderedDescending)
        #expect(TextFolding.compareCaseInsensitive("É", "é") == .orderedSame)
        #expect(TextFolding.compareCaseInsensitive("e", "é") == .orderedAscending)
        #expect(TextFolding.compareCaseInsensitive("STRASSE", "straße") == .orderedSame)
    }

    @Test
    func `both orders are total`() {
        let texts = [
            "", "a", "A", "á", "Á", "a\u{301}b", "AB", "ab", "ß", "SS", "ss", "σ", "ς", "Σ",
        ]
        for compare in [TextFolding.compareLocalized, TextFolding.compareCaseInsensitive] {
            for left in texts {
                for right in texts {
                    #expect(compare(left, right).rawValue == -compare(right, left).rawValue)
                    for third in texts where compare(left, right) != .orderedDescending {
                        let isBetween = compare(right, third) != .orderedDescending
                        #expect(!isBetween || compare(left, third) != .orderedDescending)
                    }
                }
            }
        }
    }

    @Test(arguments: ["éxß", "e\u{301}\u{323}ß", "한글ﬁ", "🇩🇪x̂", "\u{F73}\u{F71}ß", "Ǆa\u{345}"])
    func `long texts are folded as their parts`(part: String) {
        for count in [1, 40, 41, 63, 64, 65, 127, 500] {
            // What begins with a mark belongs to what is before it, so each part begins with a letter.
            let whole = String(repeating: "o" + part, count: count)
            let folded = String(repeating: TextFolding.folded("o" + part), count: count)
            #expect(TextFolding.folded(whole) == folded)
            #expect(
                Array(TextFolding.caseFolded(whole).unicodeScalars)
                    == Array(
                        String(repeating: TextFolding.caseFolded("o" + part), count: count)
                            .unicodeScalars
                    )
            )
        }
    }
}
