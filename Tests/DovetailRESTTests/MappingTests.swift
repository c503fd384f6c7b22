import Dovetail
import Testing

@Suite struct MappingTests {
    private let ann = User(id: 1, name: "Ann")
    private let bob = User(id: 2, name: "Bob")

    @Test func `an object is one value`() async throws {
        let session = RemoteSession.answering(#"{"id": 1, "name": "Ann"}"#)
        #expect(try await User.fetch(Shop.user(id: 1), using: session) == .asSelf(ann))
    }

    @Test func `an object of values is a dictionary`() async throws {
        let session = RemoteSession.answering(
            #"{"a": {"id": 1, "name": "Ann"}, "b": {"id": 2, "name": "Bob"}}"#
        )
        let expected = MappingResult.asDictionary(["a": ann, "b": bob])
        #expect(try await User.fetch(Shop.users, using: session) == expected)
    }

    /// Read as a dictionary first, an array would give an empty one.
    @Test func `an array is an array`() async throws {
        let session = RemoteSession.answering(
            #"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}]"#
        )
        #expect(try await User.fetch(Shop.users, using: session) == .asArray([ann, bob]))
    }

    @Test func `what stands before the root does not matter`() async throws {
        for prefix in ["\u{FEFF}", " \t\r\n"] {
            let session = RemoteSession.answering(prefix + "[]")
            #expect(try await User.fetch(Shop.users, using: session) == .asArray([]))
        }
    }

    @Test(arguments: [
        ("{}", MappingResult<User>.asDictionary([:])), ("[]", .asArray([])),
        (" [ ] ", .asArray([])),
    ])
    func `an empty root is an empty collection`(
        body: String,
        result: MappingResult<User>
    ) async throws {
        #expect(try await User.fetch(Shop.users, using: .answering(body)) == result)
    }

    @Test(arguments: [
        "", "7", "null", "true", #""text""#, "<html></html>", #"{"id": 1}"#, #"{"id": 1, "name":"#,
        #"[{"id": 1, "name": "Ann"}, {"id": 2}]"#, "[1]", #"{"a": [{"id": 1, "name": "Ann"}]}"#,
        #"{"a": {"id": 1, "name": "Ann"}, "total": 1}"#, "[[]]", "[", "{", "\u{FEFF}",
    ])
    func `everything else is raw`(body: String) async throws {
        let result = try await User.fetch(Shop.users, using: .answering(body))
        #expect(result == .raw(Data(body.utf8)))
    }

    @Test func `fetchOne and fetchAll give values`() async throws {
        let one = RemoteSession.answering(#"{"id": 1, "name": "Ann"}"#)
        #expect(try await User.fetchOne(Shop.user(id: 1), using: one) == ann)
        let all = RemoteSession.answering(#"[{"sku": "a", "weight": 1}]"#)
        let products = try await Product.fetchAll(Shop.products(limit: 1, offset: 0), using: all)
        #expect(products == [Product(sku: "a", weight: 1)])
        #expect(try await User.fetchAll(Shop.users, using: .answering("[]")).isEmpty)
    }

    @Test(arguments: [
        "", "7", #"{"id": 1}"#, #"{"id": "x", "name": "Ann"}"#, #"{"a": {"id": 1, "name": "Ann"}}"#,
    ])
    func `fetchOne and fetchAll throw what does not decode`(body: String) async throws {
        let session = RemoteSession.answering(body)
        let one = try await remoteError { try await User.fetchOne(Shop.users, using: session) }
        let all = try await remoteError { try await User.fetchAll(Shop.users, using: session) }
        for error in [one, all] {
            #expect(error.kind == .undecodable)
            #expect(error.underlying is ModelDecodingError)
            #expect(error.status == 200)
            #expect(error.body == Data(body.utf8))
        }
    }

    @Test func `the error of one element names it`() async throws {
        let session = RemoteSession.answering(
            #"[{"sku": "a", "weight": 1}, {"sku": "b", "weight": "x"}]"#
        )
        let error = try await remoteError { try await Product.fetchAll(Shop.users, using: session) }
        let underlying = try #require(error.underlying as? ModelDecodingError)
        #expect(underlying.path == "[1].weight")
        #expect(error.description.contains(underlying.description))
    }
}
