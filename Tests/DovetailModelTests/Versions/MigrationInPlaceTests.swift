import Dovetail
import DovetailTesting
import Synchronization
import Testing

/// A migrated model is read as one whose document was changed before reading, whatever was in it.
@Suite struct MigrationInPlaceTests {
    private static let steps: [MigrationStep] = [
        { _ in },
        { $0.rename("1", to: "one") },
        { $0.rename("2", to: "1") },
        { $0.remove("3") },
        { $0["4"] = "new" },
        { $0["5.x[0]"] = 7 },
        { $0["deep.\\.er"] = $0["6"] },
        { document in
            guard var value = document["7"] else { return }
            value["a"] = 1
            document["7"] = value
        },
        { _ = $0["8"]?.members },
        { document in
            for key in 0..<60 { _ = document["\(key).1.2"] }
            document[key: "9"]?.rename("1", to: "é\"")
        },
        { $0["moved"] = .array([$0, $0]) },
        { $0 = .object(($0.members ?? []).reversed()) },
        { document in
            let members = document.members ?? []
            if let last = members.last { document = .object([last]) }
        },
        { $0["at"] = .date(Date(timeIntervalSinceReferenceDate: 1)) },
    ]

    @Test(arguments: [ModelFormat.json, .json(pretty: true), .plist, .binaryPlist])
    func `random documents are migrated as before they are read`(format: ModelFormat) throws {
        var random = SeededRandom()
        for round in 0..<300 {
            let document = random.object(levels: 4, for: format)
            let data = try ModelDocument.array([document]).encoded(as: format)
            let step = Self.steps[round % Self.steps.count]
            var expected = try #require(try ModelDocument(decoding: data, as: format)[0])
            try step(&expected)
            let read = try MigrationStepper.$step.withValue(step) {
                try [MigratedAnything](decoding: data, as: format)
            }
            let found = ModelDocument.object(read.first?.unknownFields.members ?? [])
            #expect(found == expected, random.comment)
            #expect("\(found)" == "\(expected)", random.comment)
        }
    }

    /// The memory of one record is used again by the next one.
    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `records after each other are migrated by any steps`(format: ModelFormat) throws {
        var random = SeededRandom()
        for _ in 0..<100 {
            let documents = (0..<12).map { _ in random.object(levels: 3, for: format) }
            let steps = documents.map { _ in Self.steps.randomElement(using: &random) ?? { _ in } }
            let kept = Mutex<[ModelDocument]>([])
            let next = Mutex(0)
            let step: MigrationStep = { document in
                let place = next.withLock { place in
                    defer { place += 1 }
                    return place
                }
                // Only then is there a copy.
                if place % 4 == 3 { kept.withLock { [document] in $0.append(document) } }
                try steps[place](&document)
                if place % 4 == 2 { kept.withLock { [document] in $0.append(document) } }
            }
            let read = try MigrationStepper.$step.withValue(step) {
                try [MigratedAnything](decoding: documents.encoded(as: format), as: format)
            }
            var expectedToBeKept: [ModelDocument] = []
            for (place, var document) in documents.enumerated() {
                document = try ModelDocument(decoding: document.encoded(as: format), as: format)
                if place % 4 == 3 { expectedToBeKept.append(document) }
                try steps[place](&document)
                if place % 4 == 2 { expectedToBeKept.append(document) }
                #expect(.object(read[place].unknownFields.members) == document, random.comment)
            }
            #expect(kept.withLock { $0 } == expectedToBeKept, random.comment)
        }
    }

    @Test func `text is read as it is written`() throws {
        for text in [
            #"{"a\u0062":"\ud83d\ude00\n","é":"ü","big":123456789012345678901234567890,"x":1e400}"#,
            #"{ "a" : [ 1 , -0 , 1.50 ] , "a" : { } , "" : null,"$versionx":1 }"#, "{}", "{ }",
            String(repeating: #"{"d":["#, count: 120) + String(repeating: "]}", count: 120),
        ] {
            let data = Data(text.utf8)
            let expected = try ModelDocument(decoding: data, as: .json)
            for step: MigrationStep in [{ _ in }, { _ = $0["d[0].d[0].d[0]"] }, { $0["q"] = 1 }] {
                var changed = expected
                try step(&changed)
                let read = try MigrationStepper.$step.withValue(step) {
                    try MigratedAnything(decoding: data, as: .json)
                }
                #expect("\(ModelDocument.object(read.unknownFields.members))" == "\(changed)")
            }
        }
    }

    @Test func `a document that a step kept outlives the migration`() throws {
        let kept = Mutex<[ModelDocument]>([])
        let step: MigrationStep = { document in
            let copy = document
            kept.withLock {
                $0.append(copy)
                if let inner = copy["inner"] { $0.append(inner) }
            }
            document.rename("old", to: "new")
        }
        let element = #"{"old":"some text that is not short","inner":{"n":[1,{"m":2}]}}"#
        try MigrationStepper.$step.withValue(step) {
            for index in 0..<50 {
                var text = element.replacingOccurrences(of: "text", with: "text \(index)")
                text = "[\(text),\(text)]"
                let read = try [MigratedAnything](decoding: Data(text.utf8), as: .json)
                #expect(read.last?.unknownFields["new"]?.stringValue?.contains("\(index)") == true)
            }
        }
        let documents = kept.withLock { $0 }
        #expect(documents.count == 200)
        for (index, document) in documents.enumerated() where index.isMultiple(of: 2) {
            let text = element.replacingOccurrences(of: "text", with: "text \(index / 4)")
            #expect(document == (try ModelDocument(decoding: Data(text.utf8), as: .json)))
            #expect("\(documents[index + 1])" == #"{"n":[1,{"m":2}]}"#)
        }
    }

    @Test func `a step may give the object of another document`() throws {
        // Each object becomes the one before it. What is removed has no other owner, as the object
        // that is read in place has none.
        let kept = Mutex<ModelDocument?>(ModelDocument.object([]))
        let step: MigrationStep = { document in
            var other: ModelDocument? = document
            document = .null
            kept.withLock { swap(&$0, &other) }
            document = other ?? .null
        }
        let texts = (0..<60).map { index in
            let padding = String(repeating: "x", count: index * 7 % 50)
            return #"{"a":"\#(padding)","b\#(index)":[\#(index),{"c":\#(index)}]}"#
        }
        let read = try MigrationStepper.$step.withValue(step) {
            try [MigratedAnything](
                decoding: Data("[\(texts.joined(separator: ","))]".utf8),
                as: .json
            )
        }
        #expect(read.first?.unknownFields.isEmpty == true)
        for (text, value) in zip(texts, read.dropFirst()) {
            let expected = try ModelDocument(decoding: Data(text.utf8), as: .json)
            #expect(ModelDocument.object(value.unknownFields.members) == expected)
        }
    }

    @Test func `kept documents are read by several threads`() async throws {
        let kept = Mutex<ModelDocument>(.null)
        let text = #"{"a":{"b":{"c":[1,2,3]}},"d":"x"}"#
        try MigrationStepper.$step.withValue({ document in
            let copy = document
            kept.withLock { $0 = copy }
        }) { _ = try MigratedAnything(decoding: Data(text.utf8), as: .json) }
        let document = kept.withLock { $0 }
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask {
                    if number.isMultiple(of: 4) { return "\(document)" == text }
                    return document["a.b.c[\(number % 3)]"]?.intValue == number % 3 + 1
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func `errors name the place in the document`() throws {
        let text = """
            [{"title": "a", "power": "1 kW"},
             {"power": "2 kW",
              "title": [7]}]
            """
        let error = #expect(throws: ModelDecodingError.self) {
            try [MigratedPlace](decoding: Data(text.utf8), as: .json)
        }
        #expect(error?.path == "[1].title")
        #expect(error?.line == 3)
        #expect(error?.column == 12)
        let missing = #expect(throws: ModelDecodingError.self) {
            try [MigratedPlace](decoding: Data("[\n{}]".utf8), as: .json)
        }
        #expect(missing?.path == "[0].name")
        #expect(missing?.line == 2)
        let broken = #expect(throws: ModelDecodingError.self) {
            try MigratedPlace(decoding: Data(#"{"title":"a","x":[1,}"#.utf8), as: .json)
        }
        #expect(broken?.kind == .invalidSyntax)
        #expect(broken?.path == "x[1]")
    }

    @Test func `elements that are left out leave their migrations`() throws {
        let text = """
            {"parts":[{"$type":"MigratedPart","old":{"old":"x"}},{"$type":"Nobody"},
             {"$type":"MigratedPart","old":{"old":1}},
             {"$type":"MigratedPart","put":true,"old":{"old":"x"}},
             {"$type":"MigratedPart","put":true,"old":{"old":2}}],"title":"b"}
            """
        let box = try MigratedBox(decoding: Data(text.utf8), as: .json)
        #expect(box.name == "b")
        #expect(box.parts.compactMap { ($0 as? MigratedPart)?.new.new } == [1, 2])
    }

    @Test func `a repeated name is found after a migration`() throws {
        let error = #expect(throws: ModelDecodingError.self) {
            try MigratedPlace(decoding: Data(#"{"title":"a","name":"b"}"#.utf8), as: .json)
        }
        #expect(error?.kind == .repeatedField)
    }

    @Test func `many look-ups into a large object are answered from a table`() throws {
        let members = (0..<3000).map { #""k\#($0)":{"v":\#($0)}"# }.joined(separator: ",")
        let sum = Mutex(0)
        try MigrationStepper.$step.withValue({ document in
            for number in 0..<3000 {
                let value = document["k\(number).v"]?.intValue ?? 0
                sum.withLock { $0 += value }
            }
        }) { _ = try MigratedAnything(decoding: Data("{\(members)}".utf8), as: .json) }
        #expect(sum.withLock { $0 } == 3000 * 2999 / 2)
    }
}

typealias MigrationStep = @Sendable (inout ModelDocument) throws -> Void

enum MigrationStepper {
    @TaskLocal static var step: MigrationStep = { _ in }
}

extension SeededRandom {
    /// An object that the format can hold: property lists repeat no key, and XML has no form for
    /// some characters.
    fileprivate mutating func object(levels: Int, for format: ModelFormat) -> ModelDocument {
        let document = ModelDocument.object(document(levels: levels).members ?? [])
        return [.plist, .binaryPlist].contains(format) ? document.propertyListForm : document
    }
}

extension ModelDocument {
    fileprivate var propertyListForm: ModelDocument {
        if let members {
            var result = ModelDocument.object([])
            for member in members { result[key: member.key] = member.value.propertyListForm }
            return result
        }
        if let text = stringValue {
            let scalars = text.unicodeScalars.filter {
                $0.value >= 0x20 && $0.value & 0xFFFE != 0xFFFE
            }
            return .string(String(String.UnicodeScalarView(scalars)))
        }
        return arrayValue.map { .array($0.map(\.propertyListForm)) } ?? self
    }
}

@Model(version: 2, unknownFields: .preserve)
struct MigratedAnything {
    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        try MigrationStepper.step(&document)
    }
}

@Model(version: 2)
struct MigratedPlace {
    var name: String

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("title", to: "name")
    }
}

@ModelProtocol
protocol MigratedThing {}

@Model(version: 2)
struct MigratedInner: Equatable {
    var new: Int

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("old", to: "new")
    }
}

@Model(version: 2)
struct MigratedPart: MigratedThing {
    var new: MigratedInner

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        if document["put"] != nil { document["put"] = "changed" }
        document.rename("old", to: "new")
    }
}

@Model(version: 2)
struct MigratedBox {
    var name: String
    @Attribute(unknown: .skip) var parts: [any MigratedThing]

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("title", to: "name")
    }
}
