import Dovetail
import Testing

@Model
private struct Plainly: Equatable { var createdAt = 1, htmlURL = 2, id = 3, a1B2 = 4 }

@Model(naming: .asDeclared)
private struct Declared: Equatable { var createdAt = 1, htmlURL = 2, id = 3, a1B2 = 4 }

@Model(naming: .snakeCase)
private struct Snake: Equatable {
    var createdAt = 1, htmlURL = 2, id = 3, a1B2 = 4
    @Attribute(name: "keptAsIs") var other = 5
    var `default` = 6
}

@Model(naming: .kebabCase)
private struct Kebab: Equatable { var createdAt = 1, htmlURL = 2, id = 3, a1B2 = 4 }

@Model(naming: .pascalCase)
private struct Pascal: Equatable { var createdAt = 1, htmlURL = 2, id = 3, a1B2 = 4 }

@Model(version: 2, naming: .snakeCase)
private struct Versioned: Equatable { var createdAt = 1 }

@Model(version: 3, naming: .kebabCase, typeName: "other")
private final class VersionedObject { var createdAt = 1; init() {} }

/// `@Model(naming:)` in documents.
struct NamingTests {
    @Test func `the version may come first`() throws {
        let data = try Versioned().encoded(as: .json)
        #expect(String(decoding: data, as: UTF8.self) == #"{"$version":2,"created_at":1}"#)
        #expect(try Versioned(decoding: data, as: .json) == Versioned())
        let object = try VersionedObject().encoded(as: .json)
        #expect(String(decoding: object, as: UTF8.self) == #"{"$version":3,"created-at":1}"#)
        #expect(VersionedObject.typeName == "other")
    }

    private func expect<Value: Model & Equatable>(
        _ value: Value,
        _ json: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try value.json() == json, sourceLocation: sourceLocation)
        #expect(try Value(json: json) == value, sourceLocation: sourceLocation)
    }

    @Test
    func `every rule`() throws {
        try expect(Plainly(), #"{"createdAt":1,"htmlURL":2,"id":3,"a1B2":4}"#)
        try expect(Declared(), #"{"createdAt":1,"htmlURL":2,"id":3,"a1B2":4}"#)
        try expect(
            Snake(),
            #"{"created_at":1,"html_url":2,"id":3,"a1_b2":4,"keptAsIs":5,"default":6}"#
        )
        try expect(Kebab(), #"{"created-at":1,"html-url":2,"id":3,"a1-b2":4}"#)
        try expect(Pascal(), #"{"CreatedAt":1,"HtmlURL":2,"Id":3,"A1B2":4}"#)
    }

    @Test
    func `the declared name is another field`() throws {
        let snake = try Snake(json: #"{"createdAt":9,"created_at":7,"kept_as_is":9}"#)
        #expect(snake.createdAt == 7)
        #expect(snake.other == 5)
    }
}
