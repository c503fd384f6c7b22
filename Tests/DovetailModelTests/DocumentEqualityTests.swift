import Dovetail
import DovetailTesting
import Testing

struct DocumentEqualityTests {
    private func expect(
        _ left: String,
        equals right: String,
        _ isEqual: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (left, right) = (try ModelDocument(json: left), try ModelDocument(json: right))
        #expect((left == right) == isEqual, sourceLocation: sourceLocation)
        #expect((right == left) == isEqual, sourceLocation: sourceLocation)
        if isEqual { #expect(left.hashValue == right.hashValue, sourceLocation: sourceLocation) }
    }

    @Test
    func `the order of members does not matter`() throws {
        try expect(#"{"a":1,"b":[{"c":1,"d":2}]}"#, equals: #"{"b":[{"d":2,"c":1.0}],"a":1}"#)
        try expect("[1,2]", equals: "[2,1]", false)
        try expect(#"{"a":1,"b":2}"#, equals: #"{"a":2,"b":1}"#, false)
        try expect(#"{"a":1}"#, equals: #"{"a":1,"b":2}"#, false)
        try expect(#"{"a":1,"b":2}"#, equals: #"{"a":1,"c":2}"#, false)
    }

    @Test
    func `members of a repeated key keep their order`() throws {
        try expect(#"{"a":1,"b":0,"a":2}"#, equals: #"{"b":0,"a":1,"a":2}"#)
        try expect(#"{"a":1,"a":2}"#, equals: #"{"a":2,"a":1}"#, false)
        try expect(#"{"a":1,"a":1}"#, equals: #"{"a":1}"#, false)
        try expect(#"{"a":1,"a":1,"b":2}"#, equals: #"{"a":1,"b":2,"b":2}"#, false)
    }

    @Test
    func `text is compared by scalars`() throws {
        try expect("\"\u{E9}\"", equals: "\"e\u{301}\"", false)
        try expect(#""\u00e9""#, equals: "\"\u{E9}\"")
        try expect("{\"\u{E9}\":1,\"e\u{301}\":2}", equals: "{\"e\u{301}\":2,\"\u{E9}\":1}")
        let document = try ModelDocument(json: "{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(document["\u{E9}"] == 1)
        #expect(document["e\u{301}"] == 2)
    }

    @Test
    func `kinds are told`() throws {
        let documents: [ModelDocument] = [
            nil, false, true, 0, 1, "", "1", [], [[]], [:], ["": nil], .date(.distantPast),
            .data(Data()), .data(Data([1])), "AQ==",
        ]
        for (index, document) in documents.enumerated() {
            #expect(document == document)
            for other in documents[..<index] { #expect(document != other) }
        }
        #expect(Set(documents).count == documents.count)
        #expect(
            Set(
                [nil, true, 1, 1.5, .decimal(1), "", .date(.now), .data(Data()), [], [:]]
                    .map(\ModelDocument.kind)
            ).count == ModelDocument.Kind.allCases.count
        )
    }

    /// Shuffled copies of random documents are equal and hash alike.
    @Test
    func `random documents`() throws {
        var random = SeededRandom()
        for _ in 0..<300 {
            let document = random.document(levels: 4)
            let shuffled = random.shuffled(document)
            #expect(document == shuffled, random.comment)
            #expect(document.hashValue == shuffled.hashValue, random.comment)
            let read = try ModelDocument(json: document.json())
            #expect(read == document, random.comment)
            let isSame = try read.json() == document.json()
            #expect(isSame, random.comment)
            #expect(try ModelDocument(json: document.description) == document, random.comment)
        }
    }
}

extension SeededRandom {
    mutating func document(levels: Int) -> ModelDocument {
        switch Int.random(in: 0..<(levels > 0 ? 8 : 5), using: &self) {
        case 0: return nil
        case 1: return .bool(.random(using: &self))
        case 2: return .integer(Int64(bitPattern: next()))
        case 3: return .double(finiteDouble())
        case 4: return .string(text())
        case 5:
            let count = Int.random(in: 0...5, using: &self)
            return .array((0..<count).map { _ in document(levels: levels - 1) })
        default:
            // Sometimes more members than a look-up goes over one by one; few names, so that
            // some are repeated.
            let count = Int.random(in: 0...(levels == 4 ? 40 : 6), using: &self)
            return .object(
                (0..<count).map { _ in
                    .init(
                        key: "\(Int.random(in: 0..<60, using: &self))",
                        value: document(levels: levels - 1)
                    )
                }
            )
        }
    }
}
