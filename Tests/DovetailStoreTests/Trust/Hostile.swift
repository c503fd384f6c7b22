import Dovetail
import DovetailModel

/// A model whose names a test chooses. It is written without the macro, which wants them in the
/// source.
struct Hostile: Model, Identifiable, Equatable, Sendable {
    /// The names of a table and of its two columns: the key and one with an index.
    struct Names: Sendable {
        var table = "Hostile"
        var key: StaticString = "id"
        var text: StaticString = "text"
    }

    @TaskLocal static var names = Names()

    let id: String
    var text: String

    static var typeName: String { names.table }
    static var modelAttributes: [ModelAttribute] {
        [
            ModelAttribute(names.key, \Self.id, primaryKey: true).with(property: "id"),
            ModelAttribute(names.text, \Self.text).with(property: "text"),
        ]
    }
    static var modelIndexes: [ModelIndex] { [ModelIndex(["text"])] }

    init(id: String, text: String) {
        (self.id, self.text) = (id, text)
    }

    init(modelValue reader: inout ModelReader) throws {
        var object = try reader.beginObject()
        var (id, text): (String?, String?)
        if object.isRow {
            try reader.readColumn(&id)
            try reader.readColumn(&text)
        } else {
            while let key = try reader.nextKey(in: &object) {
                try reader.skipField(key, in: object)
            }
        }
        guard let id else { throw reader.missingField("id", in: object) }
        guard let text else { throw reader.missingField("text", in: object) }
        self.init(id: id, text: text)
    }

    func encode(to writer: inout ModelWriter) throws {
        let object = try writer.beginObject()
        try writer.field("\"id\":", id)
        try writer.field("\"text\":", text)
        try writer.endObject(object)
    }

    /// Names that end a quotation, a statement or a comment, that mean something in SQL, or that
    /// are no ASCII. All are allowed: at most 63 bytes, and none with a NUL.
    static let corpus: [StaticString] = [
        "\"", "\"\"", "'", "`", "[", "]", "[x]", ";", "--", "-- x", "/*", "*/", "/* x */", "\\",
        "\\\"", "\"; DROP TABLE \"Entry\"; --", "'; DROP TABLE Entry; --",
        "x\" TEXT); DELETE FROM Entry; --",
        "a\") VALUES (1); DELETE FROM \"Entry\" --", "?", "?1", ":a", "@a", "$a", "%", "%s", "_",
        "*",
        "a.b", "main.Entry", "temp", "main", " ", "  x  ", "\n", "\r\n--", "\t", "\u{1}", "\u{7F}",
        "1", "1a", "-1", "NULL", "null", "TRUE", "select", "SELECT", "from", "where", "order",
        "group",
        "index", "table", "values", "default", "primary", "unique", "rowid", "oid", "_rowid_",
        "new",
        "old", "excluded", "number", "name", "date", "author", "verb", "dovetail", "sqlite",
        "x'41'",
        "count(*)", "max(id)", "id AS y", "id, text", "1=1", "1 OR 1=1", "é", "e\u{301}x", "日本",
        "😀",
        "\u{202E}x", "\u{FEFF}", "\u{FFFD}", "ß", "İ", "()", ")", "(", ",", "=", "{}", "#", "&",
        "|",
    ]

    /// Values and constants: the names, and what a column can hold beside them.
    static let values: [String] =
        corpus.map(\.description) + [
            "", "\0", "a\0b", "\0'; DROP TABLE Entry; --", "a\0", "'' OR ''=''", "\"\"\"", "'''",
            String(repeating: "'", count: 1000), String(repeating: "\"; --", count: 20_000),
            String(repeating: "long ", count: 100_000), "%_%", "*?[a]", "\u{10FFFF}", "\u{D7FF}",
            "json('[1]')", "{\"a\":1}", "[1,2]", "0x1F", "1e5", "9223372036854775808", "NaN",
        ]
}
