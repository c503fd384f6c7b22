import Dovetail
import Testing

// An extension that a program writes to give all of its models new members at once.
extension Model {
    fileprivate var documentText: String {
        get throws { String(decoding: try encoded(as: .json), as: UTF8.self) }
    }

    fileprivate static var plural: String { typeName + "s" }
}

@ModelProtocol
private protocol Document: Model {
    var title: String { get }
}

@Model
private struct Letter: Document, Equatable { var title: String }

@Model
private enum Note: Document, Equatable {
    case text(String)
    var title: String { "note" }
}

@Model
private enum Color: String { case red }

@Model
private final class Memo: Document {
    let title: String
    init(title: String) { self.title = title }
}

@Model
private struct Folder { var documents: [any Document] }

/// What a program adds to every model reaches values of a model protocol that says `: Model`.
struct EveryModelTests {
    @Test
    func `reaches every kind`() throws {
        #expect(try Letter(title: "a").documentText == #"{"title":"a"}"#)
        #expect(try Note.text("x").documentText == #"{"text":{"_0":"x"}}"#)
        #expect(try Color.red.documentText == #""red""#)
        #expect(Color.plural == "Colors")
        let all: [any Document] = [Letter(title: "a"), Note.text("x"), Memo(title: "m")]
        #expect(all.map { type(of: $0).plural } == ["Letters", "Notes", "Memos"])
        #expect(
            try all.map { try $0.documentText }
                == [#"{"title":"a"}"#, #"{"text":{"_0":"x"}}"#, #"{"title":"m"}"#]
        )
    }

    @Test
    func `is still a model protocol`() throws {
        let json = #"{"documents":[{"$type":"Letter","title":"a"},{"$type":"Memo","title":"m"}]}"#
        #expect(try Folder(json: json).json() == json)
        let letter: any Document = Letter(title: "a")
        #expect(
            String(decoding: try letter.encoded(as: .json), as: UTF8.self)
                == #"{"$type":"Letter","title":"a"}"#
        )
        #expect(try Letter(title: "a").json() == #"{"title":"a"}"#)
    }
}
