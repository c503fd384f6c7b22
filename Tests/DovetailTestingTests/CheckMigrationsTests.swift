import Dovetail
import DovetailTesting
import Testing

@Model(version: 3)
private struct Ticket: Equatable {
    var name: String
    var seats: Int = 1

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        if version == 1 { document.rename("title", to: "name") }
    }
}

@Suite struct CheckMigrationsTests {
    private let first = Data(#"{"title":"a"}"#.utf8)
    private let second = Data(#"{"$version":2,"name":"a"}"#.utf8)
    private let third = Data(#"{"$version":3,"name":"a","seats":4}"#.utf8)

    @Test func `kept documents of every version pass`() throws {
        try checkMigrations(
            of: Ticket.self,
            documents: [(1, first), (2, second), (3, third), (1, first)]
        )
    }

    @Test func `everything that is wrong is said`() throws {
        let broken = Data(#"{"$version":2,"title":"a"}"#.utf8)
        let found = #expect(throws: LawViolations.self) {
            try checkMigrations(of: Ticket.self, documents: [(1, second), (2, broken)])
        }
        let texts = found?.violations.map(\.description) ?? []
        #expect(texts.count == 3)
        #expect(
            texts.first == "Ticket in document 0 breaks the law of migrations: the document is of "
                + #"version 2, not of 1 in {"$version":2,"name":"a"}"#
        )
        #expect(texts.dropFirst().first?.contains("name: expected a value") == true)
        #expect(texts.last?.hasSuffix("there is no document of version 3") == true)
    }

    @Test func `a folder names the versions`() throws {
        let folder = try Folder()
        try folder.write(first, "v1.json")
        try folder.write(second, "v2-without-seats.json")
        try folder.write(Data("{".utf8), "notes.json")
        let missing = #expect(throws: LawViolations.self) {
            try checkMigrations(of: Ticket.self, documents: folder.url)
        }
        #expect(missing?.violations.count == 1)
        try folder.write(third, "v3.json")
        try checkMigrations(of: Ticket.self, documents: folder.url)
        try folder.write(Data("{".utf8), "v3-cut.json")
        let cut = #expect(throws: LawViolations.self) {
            try checkMigrations(of: Ticket.self, documents: folder.url)
        }
        #expect(cut?.violations.first?.model == "Ticket in v3-cut.json")
    }
}

@Suite struct CheckMigrationsInOtherFormatsTests {
    private let documents: [(version: Int, json: String)] = [
        (1, #"{"title":"a"}"#), (2, #"{"$version":2,"name":"a"}"#),
        (3, #"{"$version":3,"name":"é","seats":4}"#),
    ]

    private func encoded(as format: ModelFormat) throws -> [(version: Int, data: Data)] {
        try documents.map { version, json in
            let document = try ModelDocument(decoding: Data(json.utf8), as: .json)
            return (version, try document.encoded(as: format))
        }
    }

    @Test(arguments: [ModelFormat.json(pretty: true), .plist, .binaryPlist])
    func `every format is told`(_ format: ModelFormat) throws {
        try checkMigrations(of: Ticket.self, documents: encoded(as: format))
        try checkMigrations(of: Ticket.self, documents: encoded(as: format), as: format)
        let mixed = try zip(encoded(as: format), encoded(as: .json)).flatMap { [$0, $1] }
        try checkMigrations(of: Ticket.self, documents: mixed)
    }

    @Test func `files beside the tests may be of any format`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Kept")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["v1.plist", "v2.binary.plist", "v3.json"])
        try checkMigrations(of: Ticket.self, documents: folder)
        let wrong = #expect(throws: LawViolations.self) {
            try checkMigrations(of: Ticket.self, documents: folder, as: .json)
        }
        #expect(
            wrong?.violations.map(\.model) == ["Ticket in v1.plist", "Ticket in v2.binary.plist"]
        )
    }

    @Test func `a format of your own is said`() throws {
        let own = ModelFormat(
            name: "reversed",
            decode: { try ModelDocument(decoding: Data($0.reversed()), as: .json) },
            encode: { Data(try $0.encoded(as: .json).reversed()) }
        )
        try checkMigrations(of: Ticket.self, documents: encoded(as: own), as: own)
        #expect(throws: LawViolations.self) {
            try checkMigrations(of: Ticket.self, documents: encoded(as: own))
        }
    }

    @Test func `what is wrong is shown as text`() throws {
        let seats = ModelDocument.object([.init(key: "seats", value: 2)])
        let broken: [(Int, Data)] = [
            (1, try seats.encoded(as: .binaryPlist)), (2, Data("bplist00".utf8) + [0xFF]),
        ]
        let found = #expect(throws: LawViolations.self) {
            try checkMigrations(of: Ticket.self, documents: broken)
        }
        #expect(found?.violations.map(\.document) == [#"{"seats":2}"#, "9 bytes", ""])
    }

    /// What a model writes in the format is checked, too.
    @Test func `what is written again is checked in the format`() throws {
        let old = ModelDocument.object([.init(key: "date", value: .string("now"))])
        try checkMigrations(of: Picky.self, documents: [(1, old.encoded(as: .json))])
        let found = #expect(throws: LawViolations.self) {
            try checkMigrations(of: Picky.self, documents: [(1, old.encoded(as: .plist))])
        }
        #expect(found?.violations.count == 1)
    }
}

/// Is written with a string that property lists have no form for.
@Model
private struct Picky: ModelLifecycle {
    var date: String

    mutating func willEncode() throws { date = "$null" }
    mutating func didDecode() throws { date = "" }
}

/// A folder that goes when it is no longer needed.
private final class Folder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("dovetail-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func write(_ data: Data, _ name: String) throws {
        try data.write(to: url.appendingPathComponent(name))
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}

@Suite struct GoldenDocumentTests {
    @Test func `a kept document is compared`() throws {
        try checkGoldenDocument(Ticket(name: "golden", seats: 2), "Golden/ticket.json")
    }

    @Test func `a change is shown line by line`() throws {
        let change = #expect(throws: GoldenDocumentChange.self) {
            try checkGoldenDocument(
                Ticket(name: "other", seats: 2),
                "Golden/ticket.json",
                isWriting: false
            )
        }
        #expect(
            change?.difference
                == "  {\n    \"$version\": 3,\n-   \"name\": \"golden\",\n+   \"name\": \"other\",\n"
                + "    \"seats\": 2\n  }\n"
        )
        #expect(change?.file.hasSuffix("Tests/DovetailTestingTests/Golden/ticket.json") == true)
    }

    @Test func `a missing file is no pass`() {
        #expect(throws: CocoaError.self) {
            try checkGoldenDocument(Ticket(name: "a"), "Golden/none.json", isWriting: false)
        }
    }

    @Test func `the file is written when asked for`() throws {
        let folder = try Folder()
        let relative = String(repeating: "../", count: 40) + folder.url.path.dropFirst()
        let name = relative + "/new/ticket.json"
        try checkGoldenDocument(Ticket(name: "a"), name, isWriting: true)
        try checkGoldenDocument(Ticket(name: "a"), name, isWriting: false)
    }
}
