import Dovetail
import Testing

@Suite struct VersionErrorTests {
    private func failure<Value: Model>(_ text: String, _ type: Value.Type) -> ModelDecodingError? {
        #expect(throws: ModelDecodingError.self) {
            try Value(decoding: Data(text.utf8), as: .json)
        }
    }

    @Test func `errors after a migration say where the object is`() throws {
        let text = """
            {"$version": 2, "city": "Oslo", "owner": {"$version": 2, "name": "Ada",
             "address": {"street": "a"}},
             "parts": [{"$type": "Stud", "name": "b"},
               {"$type": "Engine", "title": 7, "power": "90 kW"}]}
            """
        let error = try #require(failure(text, Workshop.self))
        #expect(error.description == "parts[1].title: expected String, found 7 (line 4, column 33)")
        #expect(error.kind == .typeMismatch)
        let document = try ModelDocument(decoding: Data(text.utf8), as: .json)
        for format in [ModelFormat.plist, .binaryPlist] {
            let data = try document.encoded(as: format)
            let error = #expect(throws: ModelDecodingError.self) {
                try Workshop(decoding: data, as: format)
            }
            #expect(error?.path == "parts[1].title")
            #expect((error?.line ?? 0) > 0 || error?.offset != nil)
        }
    }

    @Test func `errors of a migration keep their kind`() throws {
        let text = #"{"$version": 2, "name": "a", "power": "90 PS"}"#
        let error = try #require(failure(text, Engine.self))
        #expect(
            error.description
                == #"power: expected a power in kW, found "90 PS" (line 1, column 1)"#
        )
        let refused = try #require(failure(#"{"a":1}"#, Refusing.self))
        #expect(refused.kind == .rejected)
        #expect(
            refused.description == "expected Refusing that migrate(_:from: 1) accepts, "
                + "found tooOld (line 1, column 1)"
        )
    }

    @Test func `missing fields after a migration are named`() throws {
        let error = try #require(failure(#"{"power": "90 kW"}"#, Engine.self))
        #expect(error.kind == .missingField)
        #expect(error.path == "name")
    }

    @Test func `documents of the future are refused`() throws {
        let late = try #require(
            failure(#"{"name": "a", "power": 1, "$version": 4}"#, Engine.self)
        )
        #expect(late.kind == .futureVersion)
        #expect(
            late.description == "$version: expected at most version 3 of Engine, "
                + "found version 4 (line 1, column 39)"
        )
        // Also by a model that never had another version.
        let first = try #require(failure(#"{"$version": 2, "name": "a"}"#, Stud.self))
        #expect(first.kind == .futureVersion)
        #expect(first.expected == "at most version 1 of Stud")
        for format in [ModelFormat.plist, .binaryPlist] {
            let document = try ModelDocument(
                decoding: Data(#"[{"$type":"Stud","$version":9,"name":"a"}]"#.utf8),
                as: .json
            )
            let data = try document.encoded(as: format)
            let error = #expect(throws: ModelDecodingError.self) {
                try [any GaragePart](decoding: data, as: format)
            }
            #expect(error?.kind == .futureVersion)
            #expect(error?.path == "[0].$version")
        }
    }

    @Test func `a model may read the future with what it knows`() throws {
        for version in [2, 3, 70] {
            let data = Data(#"{"$version":\#(version),"name":"a","more":[1]}"#.utf8)
            #expect(try Open(decoding: data, as: .json).name == "a")
        }
        let old = Data(#"{"title":"a"}"#.utf8)
        #expect(try Open(decoding: old, as: .json).name == "a")
        let plain = Data(#"{"$version":5,"name":"a"}"#.utf8)
        #expect(try OpenFirst(decoding: plain, as: .json).name == "a")
    }

    @Test func `what is no version is refused where there is one`() throws {
        for version in [#""2""#, "1.5", "null", "[]", "99999999999999999999999", "1e40"] {
            let error = failure(#"{"name":"a","power":1,"$version":\#(version)}"#, Engine.self)
            #expect(error?.path == "$version")
            #expect(error?.kind == .typeMismatch)
        }
        for version in ["0", "-1", "0.0"] {
            let text = #"{"$version":\#(version),"name":"a"}"#
            #expect(failure(text, Engine.self)?.kind == .rejected)
        }
        let twice = failure(#"{"$version":3,"name":"a","power":1,"$version":2}"#, Engine.self)
        #expect(twice?.kind == .repeatedField)
        let old = failure(#"{"$version":2,"name":"a","power":1,"$version":1}"#, Engine.self)
        #expect(old?.kind == .repeatedField)
    }

    @Test func `a version may be written with a fraction, in every format`() throws {
        for version in ["2", "2.0", "2e0", "20e-1"] {
            let text = #"{"name":"a","$version":\#(version),"power":"5 kW"}"#
            let document = try ModelDocument(decoding: Data(text.utf8), as: .json)
            #expect(try Engine(decoding: Data(text.utf8), as: .json).power == 5)
            for format in [ModelFormat.plist, .binaryPlist] {
                let data = try document.encoded(as: format)
                #expect(try Engine(decoding: data, as: format).power == 5)
            }
        }
    }

    @Test func `models of the first version ignore a foreign field of the name`() throws {
        for version in [#""2.0""#, "1", "0", "1.5", "null", "{}"] {
            let data = Data(#"{"$version":\#(version),"name":"a"}"#.utf8)
            #expect(try Stud(decoding: data, as: .json) == Stud(name: "a"))
        }
        let own = Data(#"{"$version":12}"#.utf8)
        #expect(try Foreign(decoding: own, as: .json).version == 12)
    }

    @Test func `every prefix of an old document gives a typed error`() throws {
        for (format, data) in [
            (ModelFormat.json, Data(Workshop.oldText.utf8)),
            (.binaryPlist, try Workshop.oldDocument.encoded(as: .binaryPlist)),
            (.plist, try Workshop.oldDocument.encoded(as: .plist)),
        ] {
            for count in 0..<data.count {
                do {
                    _ = try Workshop(decoding: data.prefix(count), as: format)
                    #expect(format == .plist)
                } catch is ModelDecodingError {}
            }
        }
    }
}

@Model(version: 2)
struct Refusing {
    var a: Int

    private enum Failure: Error { case tooOld }

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        throw Failure.tooOld
    }
}

@Model(version: 2, readsNewer: true)
struct Open {
    var name: String

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("title", to: "name")
    }
}

@Model(readsNewer: true)
struct OpenFirst {
    var name: String
}

@Model
struct Foreign {
    @Attribute(name: "$version") var version: Int
}
