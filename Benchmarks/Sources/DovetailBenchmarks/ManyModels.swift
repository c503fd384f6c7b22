import Dovetail

/// Fifty models with a table each: one generic type, written by hand, over two digits.
enum ManyModels {
    protocol Digit: Sendable {
        static var digit: Int { get }
    }
    enum D0: Digit { static let digit = 0 }
    enum D1: Digit { static let digit = 1 }
    enum D2: Digit { static let digit = 2 }
    enum D3: Digit { static let digit = 3 }
    enum D4: Digit { static let digit = 4 }
    enum D5: Digit { static let digit = 5 }
    enum D6: Digit { static let digit = 6 }
    enum D7: Digit { static let digit = 7 }
    enum D8: Digit { static let digit = 8 }
    enum D9: Digit { static let digit = 9 }

    struct Numbered<Tens: Digit, Ones: Digit>: Model, Identifiable {
        var id: Int
        var name: String
        var createdAt: Date
        var note: String?

        static var typeName: String { "Numbered\(Tens.digit)\(Ones.digit)" }
        static var modelAttributes: [ModelAttribute] {
            [
                ModelAttribute("id", \Self.id, primaryKey: true),
                ModelAttribute("name", \Self.name).with(traits: [.unique]),
                ModelAttribute("createdAt", \Self.createdAt),
                ModelAttribute("note", \Self.note),
            ]
        }
        static var modelIndexes: [ModelIndex] { [ModelIndex(["createdAt", "name"])] }

        init(modelValue reader: inout ModelReader) throws {
            id = try reader.readInteger()
            name = ""
            createdAt = .distantPast
        }

        func encode(to writer: inout ModelWriter) throws {
            let object = try writer.beginObject()
            try writer.field("\"id\":", id)
            try writer.field("\"name\":", name)
            try writer.field("\"createdAt\":", createdAt)
            try writer.field("\"note\":", note)
            try writer.endObject(object)
        }
    }

    static let types: [any Model.Type] =
        row(D0.self) + row(D1.self) + row(D2.self) + row(D3.self) + row(D4.self)

    private static func row<Tens: Digit>(_: Tens.Type) -> [any Model.Type] {
        [
            Numbered<Tens, D0>.self, Numbered<Tens, D1>.self, Numbered<Tens, D2>.self,
            Numbered<Tens, D3>.self, Numbered<Tens, D4>.self, Numbered<Tens, D5>.self,
            Numbered<Tens, D6>.self, Numbered<Tens, D7>.self, Numbered<Tens, D8>.self,
            Numbered<Tens, D9>.self,
        ]
    }
}
