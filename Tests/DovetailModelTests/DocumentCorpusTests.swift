import Dovetail
import StoreTestSupport
import Testing

/// Documents that others wrote to find out what a parser accepts, at the root of a document.
struct DocumentCorpusTests {
    private static let suite = "json/JSONTestSuite/test_parsing"
    private static let foundation = "json/foundation"
    private static let suiteDocuments = SharedCorpora.documents(in: suite)
    private static let foundationDocuments = SharedCorpora.documents(in: foundation)

    private func outcome(
        of name: String,
        in folder: String
    ) throws -> Result<ModelDocument, any Error> {
        let data = try SharedCorpora.contents(of: name, in: folder)
        return Result { try ModelDocument(decoding: data, as: .json) }
    }

    @Test(.needsCorpora)
    func `every valid document is accepted`() throws {
        let valid = Self.suiteDocuments.filter { $0.hasPrefix("y_") }
        #expect(valid.count == 95)
        for name in valid {
            let document = try outcome(of: name, in: Self.suite).get()
            let written = try document.encoded(as: .json)
            let again = try ModelDocument(decoding: written, as: .json)
            #expect(again == document, "\(name)")
            #expect(again.hashValue == document.hashValue, "\(name)")
            let isStable = try again.encoded(as: .json) == written
            #expect(isStable, "\(name)")
        }
    }

    @Test(.needsCorpora)
    func `every invalid document is rejected`() throws {
        let invalid = Self.suiteDocuments.filter { $0.hasPrefix("n_") }
        #expect(invalid.count == 188)
        for name in invalid {
            let outcome = try outcome(of: name, in: Self.suite)
            #expect(throws: ModelDecodingError.self, "\(name)") { try outcome.get() }
        }
    }

    /// Our decisions, with their reasons, are in Documentation/JSONTestSuite.md.
    @Test(.needsCorpora)
    func `every other document is decided`() throws {
        let open = Self.suiteDocuments.filter { $0.hasPrefix("i_") }
        #expect(open.count == 35)
        for name in open {
            let kind: ModelDecodingError.Kind?
            switch try outcome(of: name, in: Self.suite) {
            case .success: kind = nil
            case .failure(let error): kind = try #require(error as? ModelDecodingError).kind
            }
            let isAccepted = Self.accepted.contains(name)
            #expect(isAccepted != Self.refused.contains(name), "\(name) is undecided")
            #expect(kind == (isAccepted ? nil : .invalidEncoding), "\(name)")
        }
    }

    /// Numbers of any size, because a document keeps their text; 500 levels, because the limit is
    /// 512; and a byte order mark.
    private static let accepted: Set<String> = Set(
        [
            "number_double_huge_neg_exp",
            "number_huge_exp",
            "number_neg_int_huge_exp",
            "number_pos_double_huge_exp",
            "number_real_neg_overflow",
            "number_real_pos_overflow",
            "number_real_underflow",
            "number_too_big_neg_int",
            "number_too_big_pos_int",
            "number_very_big_negative_int",
            "structure_500_nested_arrays",
            "structure_UTF-8_BOM_empty_object",
        ].map { "i_\($0).json" }
    )

    /// Other encodings than UTF-8, bytes that are no UTF-8, and lone surrogates.
    private static let refused: Set<String> = Set(
        [
            "object_key_lone_2nd_surrogate",
            "string_1st_surrogate_but_2nd_missing",
            "string_1st_valid_surrogate_2nd_invalid",
            "string_UTF-16LE_with_BOM",
            "string_UTF-8_invalid_sequence",
            "string_UTF8_surrogate_U+D800",
            "string_incomplete_surrogate_and_escape_valid",
            "string_incomplete_surrogate_pair",
            "string_incomplete_surrogates_escape_valid",
            "string_invalid_lonely_surrogate",
            "string_invalid_surrogate",
            "string_invalid_utf-8",
            "string_inverted_surrogates_U+1D11E",
            "string_iso_latin_1",
            "string_lone_second_surrogate",
            "string_lone_utf8_continuation_byte",
            "string_not_in_unicode_range",
            "string_overlong_sequence_2_bytes",
            "string_overlong_sequence_6_bytes",
            "string_overlong_sequence_6_bytes_null",
            "string_truncated-utf-8",
            "string_utf16BE_no_BOM",
            "string_utf16LE_no_BOM",
        ].map { "i_\($0).json" }
    )

    /// `fail…` is refused but for the first, a string at the root, which RFC 4627 still forbade;
    /// `pass…-utf16…` and `…-utf32…` are refused for their encoding. The other files are those of
    /// the JSON5 test suite: `.json` is JSON, `.json5` is not.
    @Test(.needsCorpora)
    func `Foundation's documents`() throws {
        var encodings = 0
        for name in Self.foundationDocuments {
            let outcome = try outcome(of: name, in: Self.foundation)
            if name.contains("-utf16") || name.contains("-utf32") {
                encodings += 1
                let error = #expect(throws: ModelDecodingError.self, "\(name)") {
                    try outcome.get()
                }
                #expect(error?.kind == .invalidEncoding, "\(name)")
            } else if name.hasPrefix("fail"), name != "fail1.json" {
                #expect(throws: ModelDecodingError.self, "\(name)") { try outcome.get() }
            } else {
                #expect(throws: Never.self, "\(name)") { try outcome.get() }
            }
        }
        #expect(encodings == 4)
        #expect(Self.foundationDocuments.count { $0.hasPrefix("fail") } == 40)
        let extended = SharedCorpora.documents(in: Self.foundation, suffix: ".json5")
        #expect(extended.count > 50)
        for name in extended {
            let outcome = try outcome(of: name, in: Self.foundation)
            #expect(throws: ModelDecodingError.self, "\(name)") { try outcome.get() }
        }
    }

    /// The JSON checker's first document, which has every kind of value.
    @Test(.needsCorpora)
    func `the checker's first document`() throws {
        let document = try outcome(of: "pass9.json", in: Self.foundation).get()
        let members = try #require(document[8]?.members)
        #expect(document[0] == "JSON Test Pattern pass1")
        #expect(members.count > 25)
        #expect(document["[8].real"]?.numberText == "-9876.543210")
        #expect(document["[8].E"]?.doubleValue == 1.23456789e34)
        #expect(document["[8][\"\"]"]?.numberText == "23456789012E66")
        #expect(document["[8].hex"]?.stringValue?.unicodeScalars.count == 6)
        let again = try ModelDocument(
            decoding: document.encoded(as: .json(pretty: true, sortedKeys: true)),
            as: .json
        )
        #expect(again == document)
    }
}
