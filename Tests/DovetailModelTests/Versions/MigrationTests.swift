import Dovetail
import Testing

@Suite struct MigrationTests {
    @Test func `every model is migrated by its own version`() throws {
        let garage = try Workshop(decoding: Data(Workshop.oldText.utf8), as: .json)
        #expect(try ModelDocument(garage) == ModelDocument(Workshop.sample))
        #expect(garage.owner == Workshop.sample.owner)
        #expect(garage.parts.count == 6)
        #expect(garage.parts[3] as? Tyre == Tyre(name: "winter", millimetres: 508))
        #expect(garage.payment == .card(number: 7))
    }

    @Test(arguments: [ModelFormat.json, .json(pretty: true), .plist, .binaryPlist])
    func `migration is the same in every format`(_ format: ModelFormat) throws {
        let old = try Workshop.oldDocument.encoded(as: format)
        let garage = try Workshop(decoding: old, as: format)
        #expect(try ModelDocument(garage) == ModelDocument(Workshop.sample))
        let current = try garage.encoded(as: format)
        let again = try Workshop(decoding: current, as: format)
        #expect(try again.encoded(as: format) == current)
    }

    @Test func `version is written after the type key and only above one`() throws {
        let parts: [any GaragePart] = [Engine(name: "a", power: 1), Stud(name: "b")]
        let text = String(decoding: try parts.encoded(as: .json), as: UTF8.self)
        #expect(
            text == #"[{"$type":"Engine","$version":3,"name":"a","power":1},"#
                + #"{"$type":"Stud","name":"b"}]"#
        )
        let payment = String(decoding: try Payment.cash.encoded(as: .json), as: UTF8.self)
        #expect(payment == #"{"$version":2,"cash":{}}"#)
        for format in [ModelFormat.plist, .binaryPlist] {
            let document = try ModelDocument(decoding: parts.encoded(as: format), as: format)
            #expect(document[0]?.members?.map(\.key) == ["$type", "$version", "name", "power"])
        }
    }

    @Test(
        arguments: [
            #"{"$version":3,"name":"a","power":1}"#, #"{ "$version" : 3, "name":"a","power":1}"#,
            #"{"name":"a","power":1,"$version":3}"#, #"{"name":"a","$version":3  ,"power":1}"#,
            #"{"\u0024version":3,"name":"a","power":1}"#,
            #"{"name":"a","power":"1 kW","$version":2}"#,
            #"{"title":"a","power":"1 kW","$version":1}"#, #"{"title":"a","power":"1 kW"}"#,
            #"{"title":"a","$\u0076ersion":1,"power":"1 kW"}"#,
        ]
    )
    func `version is found wherever it stands`(_ text: String) throws {
        #expect(
            try Engine(decoding: Data(text.utf8), as: .json) == Engine(name: "a", power: 1)
        )
        let typed = #"{"$type":"Engine","# + text.dropFirst()
        let late = text.dropLast() + #","$type":"Engine"}"#
        for text in [typed, String(late)] {
            let parts = try [any GaragePart](decoding: Data("[\(text)]".utf8), as: .json)
            #expect(parts.first as? Engine == Engine(name: "a", power: 1))
            let document = try ModelDocument(decoding: Data("[\(text)]".utf8), as: .json)
            for format in [ModelFormat.plist, .binaryPlist] {
                let data = try document.encoded(as: format)
                let parts = try [any GaragePart](decoding: data, as: format)
                #expect(parts.first as? Engine == Engine(name: "a", power: 1))
            }
        }
    }

    @Test func `steps are taken one by one and only those that are needed`() throws {
        for (version, steps) in [(1, "1234"), (2, "234"), (4, "4"), (5, "")] {
            let data = Data(#"{"$version":\#(version),"steps":""}"#.utf8)
            #expect(try Stepped(decoding: data, as: .json).steps == steps)
        }
    }

    @Test func `a model without steps reads older documents as they are`() throws {
        let old = Data(#"{"name":"a"}"#.utf8)
        #expect(try Defaulted(decoding: old, as: .json) == Defaulted(name: "a", added: 7))
    }

    @Test func `a migration sees neither type key nor version`() throws {
        let text = #"[{"$type":"Watcher","x":1},{"x":2,"$version":1,"$type":"Watcher"}]"#
        for format in [ModelFormat.json, .plist, .binaryPlist] {
            let document = try ModelDocument(decoding: Data(text.utf8), as: .json)
            let parts = try [any GaragePart](decoding: document.encoded(as: format), as: format)
            #expect(parts.map(\.name) == ["x", "x"])
        }
    }

    @Test func `kinds that JSON lacks survive a migration`() throws {
        let moment = Date(timeIntervalSinceReferenceDate: 8)
        let any = ModelDocument.object([
            .init(key: "at", value: .date(moment)), .init(key: "raw", value: .data(Data([1, 2]))),
        ])
        let old = ModelDocument.object([
            .init(key: "old", value: .date(moment)), .init(key: "any", value: any),
        ])
        for format in [ModelFormat.plist, .binaryPlist] {
            let data = try old.encoded(as: format)
            let kept = try Keeper(decoding: data, as: format)
            #expect(kept.new == moment)
            #expect(kept.any["at"]?.kind == .date)
            #expect(kept.any["raw"]?.kind == .data)
        }
    }

    @Test func `recursive models are migrated to a limit`() throws {
        func text(_ depth: Int) -> Data {
            let open = String(repeating: #"{"child":"#, count: depth)
            return Data((open + "null" + String(repeating: "}", count: depth)).utf8)
        }
        let node = try OldNode(decoding: text(90), as: .json)
        #expect(try node.encoded(as: .json).count > 90)
        for depth in [ModelReader.maximumMigrations + 1, 500, 600, 5000] {
            do {
                _ = try OldNode(decoding: text(depth), as: .json)
                Issue.record("depth \(depth) was read")
            } catch let error as ModelDecodingError {
                #expect(error.kind == .tooDeep)
            }
        }
        // A migration whose result is migrated again ends at the limit, too.
        let endless = #expect(throws: ModelDecodingError.self) {
            try Endless(decoding: Data("{}".utf8), as: .json)
        }
        #expect(endless?.kind == .tooDeep)
    }
}

@Model(version: 5)
struct Stepped {
    var steps: String

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["steps"] = .string((document["steps"]?.stringValue ?? "") + "\(version)")
    }
}

@Model(version: 4)
struct Defaulted: Equatable {
    var name: String
    var added = 7
}

@Model(version: 2)
struct Watcher: GaragePart {
    var name: String

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        let names = document.members?.map(\.key).joined(separator: " ") ?? ""
        document["name"] = .string(names)
    }
}

@Model(version: 2)
struct Keeper {
    var new: Date
    var any: ModelDocument

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("old", to: "new")
    }
}

@Model(version: 2)
final class OldNode {
    @Relationship(deleteRule: .cascade) var child: OldNode?
}

@Model(version: 2)
final class Endless {
    var child: Endless?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["child"] = .object([])
    }
}
