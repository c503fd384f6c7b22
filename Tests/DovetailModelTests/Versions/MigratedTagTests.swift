import Dovetail
import DovetailTesting
import Testing

@ModelProtocol(typeKey: "meta.kind") private protocol Entry {}

@Model(typeName: "task", version: 2, unknownFields: .preserve)
private struct TaskEntry: Entry, Equatable {
    var due: String
    var author: Int?
    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("d", to: "due")
        document["author"] = document["meta.by"]
    }
}

@Model(typeName: "strict", version: 2, unknownFields: .throw)
private struct StrictEntry: Entry, Equatable {
    var due: String
    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("d", to: "due")
    }
}

@ModelProtocol(typeKey: "kind") private protocol Parcel {}

@Model(
    typeName: "box",
    aliases: ["crate"],
    version: 2,
    unknownFields: .preserve,
    keepsTypeName: true
)
private struct BoxParcel: Parcel, Equatable {
    var width: Int
    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("w", to: "width")
    }
}

@Model private struct Entries { var list: [any Entry] }
@Model private struct Parcels { var list: [any Parcel] }

/// What is kept of the type key of a value that is migrated.
@Suite struct MigratedTagTests {
    static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    private func again<Value: Model>(
        _ json: String,
        as type: Value.Type,
        _ format: ModelFormat
    ) throws -> String {
        let document: ModelDocument = .object([
            .init(key: "list", value: try ModelDocument(decoding: Data(json.utf8), as: .json))
        ])
        let value = try Value(decoding: document.encoded(as: format), as: format)
        let tree = try Value(document)
        #expect(try tree.encoded(as: .json) == value.encoded(as: .json))
        let written = String(decoding: try value.encoded(as: .json), as: UTF8.self)
        return String(written.dropFirst(#"{"list":"#.count).dropLast())
    }

    @Test(arguments: formats)
    func `what is beside the name in the object of a path stays`(_ format: ModelFormat) throws {
        for old in [
            #"[{"meta":{"kind":"task","by":1},"d":"x"}]"#,
            #"[{"d":"x","meta":{"by":1,"kind":"task"}}]"#,
        ] {
            let written = try again(old, as: Entries.self, format)
            #expect(
                written
                    == #"[{"$version":2,"due":"x","author":1,"meta":{"kind":"task","by":1}}]"#
            )
        }
        let bare = try again(#"[{"meta":{"kind":"task"},"d":"x"}]"#, as: Entries.self, format)
        #expect(bare == #"[{"meta":{"kind":"task"},"$version":2,"due":"x"}]"#)
    }

    @Test(arguments: formats)
    func `it is no unknown field`(_ format: ModelFormat) throws {
        let old = #"[{"meta":{"kind":"strict","by":1},"d":"x"}]"#
        let written = try again(old, as: Entries.self, format)
        #expect(written == #"[{"meta":{"kind":"strict"},"$version":2,"due":"x"}]"#)
        let new = #"[{"meta":{"kind":"strict","by":1},"$version":2,"due":"x"}]"#
        #expect(try again(new, as: Entries.self, format) == written)
    }

    @Test(arguments: formats)
    func `another name that it was read with stays`(_ format: ModelFormat) throws {
        for old in [
            #"[{"kind":"crate","w":1,"more":true}]"#, #"[{"more":true,"w":1,"kind":"crate"}]"#,
        ] {
            let written = try again(old, as: Parcels.self, format)
            #expect(written == #"[{"kind":"crate","$version":2,"width":1,"more":true}]"#)
        }
        let own = try again(#"[{"kind":"box","w":1}]"#, as: Parcels.self, format)
        #expect(own == #"[{"kind":"box","$version":2,"width":1}]"#)
        let json = #"{"list":[{"kind":"box","w":1}]}"#
        let value = try Parcels(decoding: Data(json.utf8), as: .json)
        #expect((value.list.first as? BoxParcel) == BoxParcel(width: 1))
    }
}
