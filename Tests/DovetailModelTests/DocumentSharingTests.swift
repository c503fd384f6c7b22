import Dovetail
import Testing

/// Copies are independent, changes are made in place, and deep trees need no deep stack.
struct DocumentSharingTests {
    @Test
    func `copies are independent`() {
        let original: ModelDocument = ["a": ["b": [1, 2, ["c": 3]]], "d": [1]]
        var copy = original
        copy["a.b[2].c"] = 4
        copy["a.b[0]"] = nil
        copy["d"]?[1] = 2
        copy.rename("d", to: "e")
        #expect(original == ["a": ["b": [1, 2, ["c": 3]]], "d": [1]])
        #expect(copy == ["a": ["b": [2, ["c": 4]]], "e": [1, 2]])
        var part = copy["a.b"]
        part?[0] = "x"
        #expect(copy["a.b[0]"] == 2)
        var elements = copy["e"]?.arrayValue
        elements?.append(3)
        #expect(copy["e"]?.count == 2)
    }

    /// Quadratic cost would take minutes here.
    @Test(.timeLimit(.minutes(10)))
    func `many changes in place`() {
        var document: ModelDocument = ["deep": ["list": [], "table": [:]]]
        let count = 20_000
        for number in 0..<count {
            document["deep.list[\(number)]"] = .integer(number)
            document["deep"]?["table"]?[key: "k\(number)"] = .integer(number)
            document["deep"]?["list"]?[number / 2] = 0
        }
        #expect(document["deep.list"]?.count == count)
        #expect(document["deep.table.k\(count - 1)"] == .integer(count - 1))
        #expect(document["deep.table"]?.members?.last?.key == "k\(count - 1)")
    }

    @Test(.timeLimit(.minutes(10)))
    func `deep trees`() throws {
        func tree(_ depth: Int) -> ModelDocument {
            var document: ModelDocument = 1
            for level in 0..<depth {
                document = level % 2 == 0 ? [document] : ["a": document, "b": 2]
            }
            return document
        }
        let depth = 60_000
        let (one, other) = (tree(depth), tree(depth))
        #expect(one == other)
        #expect(one != tree(depth - 2))
        #expect(one.hashValue == other.hashValue)
        let error = #expect(throws: ModelEncodingError.self) { try one.encoded(as: .json) }
        #expect(error?.kind == .tooDeep)
        #expect(throws: ModelEncodingError.self) { try one.encoded(as: .json(sortedKeys: true)) }
        #expect(one.description.hasPrefix("<object: values are nested deeper"))
        // A path as long as the tree is deep.
        let path = String(repeating: "a[0].", count: depth / 2).dropLast()
        #expect(one[String(path)] == 1)
        var changed = one
        changed[String(path)] = 2
        #expect(changed != one)
        #expect(changed[String(path)] == 2)
        var made: ModelDocument = nil
        made[String(path)] = 1
        #expect(made[String(path)] == 1)
        _ = try tree(512).encoded(as: .json)
        #expect(throws: ModelEncodingError.self) { try tree(513).encoded(as: .json) }
    }

    @Test
    func `reading stops at the same depth`() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            func nested(_ depth: Int) -> String {
                String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)
            }
            _ = try ModelDocument(json: nested(512))
            let error = try decodingError(of: ModelDocument.self, nested(513))
            #expect(error.kind == .tooDeep)
            #expect(try decodingError(of: ModelDocument.self, nested(100_000)).kind == .tooDeep)
        }
    }

    @Test
    func `shared between threads`() async {
        var members: [ModelDocument.Member] = []
        for number in 0..<100 {
            members.append(.init(key: "k\(number)", value: [.integer(number)]))
        }
        let document: ModelDocument = .object(members)
        await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var copy = document
                    for number in 0..<100 { copy["k\(number)[1]"] = .integer(task) }
                    return copy["k99[1]"]?.intValue ?? -1
                }
            }
            for await _ in group {}
        }
        #expect(document["k50"] == [50])
    }
}
