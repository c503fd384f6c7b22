import Dovetail
import DovetailTesting
import Synchronization
import Testing

/// The members of an older object are noted by the names of the object before, which may be others.
@Suite struct MemberShapeTests {
    /// Names that are told apart by their first seven bytes and length, by later bytes, by nothing
    /// but their case, or only after their escapes; and the lengths around the longest that is
    /// expected.
    private static let names: [String] =
        [
            "a", "b", "id", "is", "name", "namer", "fields6", "longer_1", "longer_2", "longer_12",
            "longer_22", "created_at", "updated_at", "created_by_somebody", "é", "e\u{301}", "",
            "quote\"", "back\\slash", "$versions", "sixteen_letters_",
        ] + [61, 62, 63, 64, 65, 200].map { String(repeating: "n", count: $0) }

    private static let values = [
        "1", "0", "-1", "12.5", "0.5", "1e3", "12.5e-3", "123456789012", "true", "false", "null",
        #""""#, #""short""#, #""a string of more than sixteen bytes""#, #""é""#, #""\u00e9\n""#,
        "[]", "{}", "[1,[2]]", #"{"id":{"id":1}}"#, "{ \"a\" : \"b\" }",
    ]

    /// An object of some names in an order that is mostly that of the list.
    private func object(_ names: [String], _ random: inout SeededRandom) throws -> String {
        var names = names.filter { _ in Int.random(in: 0..<8, using: &random) > 0 }
        if Int.random(in: 0..<6, using: &random) == 0 { names.shuffle(using: &random) }
        if Int.random(in: 0..<6, using: &random) == 0 { names += names.prefix(1) }
        if Int.random(in: 0..<6, using: &random) == 0 { names.insert("new", at: names.count / 2) }
        let spaces = ["", "", "", " ", "  ", "\n\t", "\n    "]
        let space = { (random: inout SeededRandom) in
            spaces.randomElement(using: &random) ?? ""
        }
        let isCompact = Bool.random(using: &random)
        let members = try names.map { name in
            let key = String(decoding: try name.encoded(as: .json), as: UTF8.self)
            let value = Self.values.randomElement(using: &random) ?? "1"
            if isCompact { return "\(key):\(value)" }
            let (a, b, c) = (space(&random), space(&random), space(&random))
            return "\(a)\(key)\(b):\(c)\(value)\(space(&random))"
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static let steps: [MigrationStep] = [
        { _ in },
        { $0["created_at"] = "put" },
        { $0[key: "longer_12"] = $0.remove("longer_22") },
        { document in
            for name in names { _ = document[key: name]?.stringValue }
        },
        { $0.rename("updated_at", to: "created_by_somebody") },
        { document in
            for name in names.shuffled().prefix(2) { document[key: name] = nil }
        },
    ]

    @Test func `objects whose names differ are noted as they are`() throws {
        var random = SeededRandom()
        var checked = 0
        for _ in 0..<150 {
            let count = Int.random(in: 0...12, using: &random)
            let names = Array(Self.names.shuffled(using: &random).prefix(count))
            let texts = try (0..<10).map { _ in try object(names, &random) }
            let step = Self.steps[checked / 10 % 5]
            // Behind the last one is nothing, so its names are near the end of the input.
            let data = Data("[\(texts.joined(separator: ","))]".utf8)
            let read = try MigrationStepper.$step.withValue(step) {
                try [MigratedAnything](decoding: data, as: .json)
            }
            for (text, value) in zip(texts, read) {
                var expected = try ModelDocument(decoding: Data(text.utf8), as: .json)
                try step(&expected)
                let found = ModelDocument.object(value.unknownFields.members)
                #expect("\(found)" == "\(expected)", random.comment)
                checked += 1
            }
        }
        #expect(checked == 1500)
    }

    @Test func `what is broken after expected names is found where it is`() {
        let whole = #"{"id":1,"name":"a","score":12.5,"isActive":true,"created_at":"x","list":[1]}"#
        let padding = String(repeating: " ", count: 100)
        var checked = 0
        for place in whole.indices {
            for other in ["", "\"", "x", "\u{1}", ":", ",", "}", " ", "9", "."] {
                var changed = whole
                changed.replaceSubrange(place...place, with: other)
                for end in ["", padding] {
                    let alone = failure(of: "[\(changed)]\(end)")
                    let after = failure(of: "[\(whole),\(changed)]\(end)")
                    #expect(after?.kind == alone?.kind, "\(changed)")
                    #expect(after?.expected == alone?.expected, "\(changed)")
                    #expect(after?.found == alone?.found, "\(changed)")
                    let path = alone.map { $0.path.isEmpty ? "" : "[1]" + $0.path.dropFirst(3) }
                    #expect(after?.path == path, "\(changed)")
                    #expect(
                        after?.offset == alone?.offset.map { $0 + whole.utf8.count + 1 },
                        "\(changed)"
                    )
                    checked += 1
                }
            }
        }
        #expect(checked == whole.count * 20)
    }

    private func failure(of text: String) -> ModelDecodingError? {
        do {
            _ = try [MigratedAnything](decoding: Data(text.utf8), as: .json)
            return nil
        } catch {
            return error as? ModelDecodingError
        }
    }

    @Test func `a member is found by a long name among names that begin like it`() throws {
        let text = #"{"longer_1":"1","longer_2":"2","longer_1":"3","longer_12":"4"}"#
        let step: MigrationStep = { document in
            #expect(document["longer_1"]?.stringValue == "3")
            #expect(document["longer_2"]?.stringValue == "2")
            #expect(document["longer_3"] == nil)
            #expect(document["longer_22"] == nil)
            #expect(document.remove("longer_1")?.stringValue == "3")
            #expect(document["longer_1"] == nil)
            document["longer_22"] = .integer(document.count)
        }
        let read = try MigrationStepper.$step.withValue(step) {
            try MigratedAnything(decoding: Data(text.utf8), as: .json)
        }
        let found = ModelDocument.object(read.unknownFields.members)
        #expect("\(found)" == #"{"longer_2":"2","longer_12":"4","longer_22":2}"#)
    }

    /// Objects of few members and of many, with repeated names, changed again and again: a step
    /// finds the same members as in the same object that was read before.
    @Test func `a member is found after any changes, in objects of any size`() throws {
        var random = SeededRandom()
        var checked = 0
        for count in 0..<40 {
            for _ in 0..<5 {
                let pool = (0..<count + 3).map { "n\($0)" } + Self.names.prefix(6)
                let names = (0..<count).map { _ in pool.randomElement(using: &random) ?? "a" }
                let members = names.enumerated().map { #""\#($1)":"\#($0)""# }
                let text = "{\(members.joined(separator: ","))}"
                let changes = (0..<30).map { place in
                    (
                        kind: Int.random(in: 0..<5, using: &random), place: place,
                        first: pool.randomElement(using: &random) ?? "a",
                        second: pool.randomElement(using: &random) ?? "a"
                    )
                }
                let found = Mutex<[String?]>([])
                let step: MigrationStep = { document in
                    for change in changes {
                        switch change.kind {
                        case 0: document[key: change.first] = .string("new \(change.place)")
                        case 1: document.rename(change.first, to: change.second)
                        case 2:
                            let removed = document.remove(change.first)?.stringValue
                            found.withLock { $0.append(removed) }
                        default:
                            let value = document[key: change.first]?.stringValue
                            found.withLock { $0.append(value) }
                        }
                    }
                }
                let data = Data("[\(text),\(text)]".utf8)
                let read = try MigrationStepper.$step.withValue(step) {
                    try [MigratedAnything](decoding: data, as: .json)
                }
                let answers = found.withLock { exchange(&$0, with: []) }
                for value in read {
                    var expected = try ModelDocument(decoding: Data(text.utf8), as: .json)
                    try step(&expected)
                    let members = ModelDocument.object(value.unknownFields.members)
                    #expect("\(members)" == "\(expected)", random.comment)
                    checked += 1
                }
                #expect(found.withLock { $0 } == answers, random.comment)
            }
        }
        #expect(checked == 400)
    }
}
