import Dovetail
import StoreTestSupport
import Testing

@Model
private struct Envelope {
    var declared: Int?
}

/// nst/JSONTestSuite, as the value of a field that the model does not declare: every value has to
/// be checked there as everywhere else.
struct JSONTestSuiteTests {
    private static let folder = "json/JSONTestSuite/test_parsing"
    private static let documents = SharedCorpora.documents(in: folder)

    /// A document that is no UTF-8 text of its own, or starts with a mark, is none in the middle of
    /// another one either, or is another one there.
    private static func isApplicable(_ data: Data) -> Bool {
        String(validating: data, as: UTF8.self) != nil && !data.starts(with: [0xEF, 0xBB, 0xBF])
    }

    private func outcome(of data: Data) -> Result<Envelope, any Error> {
        Result { try Envelope(decoding: Data("{\"x\": ".utf8) + data + Data("}".utf8), as: .json) }
    }

    @Test(.needsCorpora, arguments: [("y_", 95, 0), ("n_", 188, 13), ("i_", 35, 14)])
    func `every document`(kind: String, count: Int, notApplicable expected: Int) throws {
        var notApplicable: [String] = []
        let chosen = Self.documents.filter { $0.hasPrefix(kind) }
        for name in chosen {
            let data = try SharedCorpora.contents(of: name, in: Self.folder)
            guard Self.isApplicable(data) else {
                notApplicable.append(name)
                continue
            }
            switch (kind, outcome(of: data)) {
            case ("y_", .failure(let error)): Issue.record("\(name): \(error)")
            case ("n_", .success): Issue.record("\(name) was accepted")
            case (_, .failure(let error)):
                #expect(error is ModelDecodingError, "\(name): \(error)")
            case (_, .success): break
            }
        }
        #expect(chosen.count == count)
        #expect(notApplicable.count == expected, "\(notApplicable)")
    }

    /// The documents as they are, also those in other encodings: an error and never a trap.
    @Test(.needsCorpora)
    func `as roots of other models`() throws {
        for name in Self.documents {
            let data = try SharedCorpora.contents(of: name, in: Self.folder)
            for read in [
                { _ = try Envelope(decoding: data, as: .json) },
                { _ = try [String](decoding: data, as: .json) },
                { _ = try [Double](decoding: data, as: .json) },
                { _ = try [String: Int](decoding: data, as: .json) },
                { _ = try String(decoding: data, as: .json) },
            ] as [() throws -> Void] {
                do {
                    try read()
                } catch {
                    #expect(error is ModelDecodingError, "\(name): \(error)")
                }
                if name.hasPrefix("n_") {
                    #expect(throws: ModelDecodingError.self, "\(name)") { try read() }
                }
            }
        }
    }
}
