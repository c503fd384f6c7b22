import Dovetail
import Testing

@Model
private struct Post: Equatable {
    @Attribute(name: "created_on", aliases: ["createdOn", "meta.created"]) var created: Int
    @Attribute(aliases: ["subject", "a heading"]) var title: String?
    @Attribute(name: "meta.size", aliases: ["size"]) var size: Int = 3
}

/// Other names under which documents may have a value: `@Attribute(aliases:)`.
struct AliasTests {
    @Test(
        arguments: [
            #"{"created_on":1,"title":"t","meta":{"size":4}}"#,
            #"{"createdOn":1,"subject":"t","size":4}"#,
            #"{"size":4,"meta":{"created":1},"a heading":"t"}"#,
        ]
    )
    func `are read and not written`(json: String) throws {
        let post = try Post(json: json)
        #expect(post == Post(created: 1, title: "t", size: 4))
        #expect(try post.json() == #"{"created_on":1,"title":"t","meta":{"size":4}}"#)
    }

    @Test(
        arguments: [
            (#"{"created_on":1,"createdOn":1}"#, "createdOn"),
            (#"{"createdOn":1,"meta":{"created":1}}"#, "meta.created"),
            (#"{"subject":null,"title":"t"}"#, "title"),
        ]
    )
    func `two of them are a repeated field`(json: String, path: String) throws {
        let error = try decodingError(of: Post.self, json)
        #expect(error.kind == .repeatedField)
        #expect(error.path == path)
    }

    @Test
    func `errors name what the document says`() throws {
        #expect(try decodingError(of: Post.self, "{}").path == "created_on")
        #expect(try decodingError(of: Post.self, #"{"createdOn":""}"#).path == "createdOn")
    }
}
