import Dovetail
import Testing

@Model
private struct Tree: Equatable {
    var name: String
    var children: [Tree] = []
    var byName: [String: Tree]?
}

/// Arrays, sets and models inside of models.
struct ContainerTests {
    @Test
    func `arrays come back`() throws {
        try expectRoundTrip([Int]())
        try expectRoundTrip([1])
        try expectRoundTrip(Array(0..<1_000))
        try expectRoundTrip([[1, 2], [], [3]])
        try expectRoundTrip([[[""]], [], [[], ["a", "b"]]])
        #expect(try [Int](json: " [ 1 ,\n2\t,\r3 ] ") == [1, 2, 3])
        #expect(try [[Int]](json: "[[],[ ]]") == [[], []])
    }

    @Test
    func `sets come back`() throws {
        try expectRoundTrip(Set<Int>())
        try expectRoundTrip(Set((0..<50).map(String.init)))
        #expect(try Set<Int>(json: "[3,1,3,1]") == [1, 3])
        try expectRoundTrip([Set([1]), Set([2, 3]), []])
        try expectRoundTrip(["a": Set([Inner(number: 1), Inner(number: 2)])])
    }

    @Test
    func `equal sets give equal documents`() throws {
        let names = (0..<40).map { "n\($0)" }
        let text = "[" + names.sorted().map { "\"\($0)\"" }.joined(separator: ",") + "]"
        for _ in 0..<20 {
            var set = Set<String>(minimumCapacity: .random(in: 0...500))
            for name in names.shuffled() { set.insert(name) }
            #expect(try set.json() == text)
        }
    }

    @Test
    func `nested models`() throws {
        let tree = Tree(
            name: "root",
            children: [Tree(name: "a", children: [Tree(name: "b")]), Tree(name: "")],
            byName: ["x": Tree(name: "y"), "": Tree(name: "z")]
        )
        try expectRoundTrip(tree)
        #expect(
            try Tree(name: "a", children: [Tree(name: "b")]).json()
                == #"{"name":"a","children":[{"name":"b","children":[]}]}"#
        )
    }

    @Test
    func `paths of errors`() throws {
        let error = try decodingError(
            of: Tree.self,
            """
            {"name": "a", "children": [
              {"name": "b"},
              {"name": "c", "byName": {"k.1": {"name": 5}}}
            ]}
            """
        )
        #expect(
            error.description == """
                children[1].byName["k.1"].name: expected String, found 5 (line 3, column 44)
                """
        )
    }

    @Test(
        arguments: [
            ("{}", "array"), ("1", "array"), ("\"[]\"", "array"), ("null", "array"),
        ]
    )
    func `what is no array`(text: String, expected: String) throws {
        let error = try decodingError(of: [Int].self, text)
        #expect(error.kind == .typeMismatch)
        #expect(error.expected == expected)
        #expect(error.path.isEmpty)
    }
}
