import Dovetail
import Testing

@ModelProtocol protocol RefinedKeyed: Identifiable, Codable, Sendable {}
@Model struct RefinedStored: RefinedKeyed, Equatable { var id: String }
@Model struct RefinedCoded: RefinedKeyed, Equatable { @Attribute(.primaryKey) var code: String }
@Model enum RefinedWord: String, RefinedKeyed {
    case one
    var id: String { rawValue }
}

enum Space {
    enum Hex: ModelTransform {
        static func decode(_ value: String) throws -> Int {
            guard let number = Int(value, radix: 16) else { throw InvalidHex() }
            return number
        }
        static func encode(_ value: Int) throws -> String { String(value, radix: 16) }
    }
    struct InvalidHex: Error {}
    @Model enum Kind: String { case big }
    @Model struct Colour: Equatable {
        @Attribute(.transformed(by: Hex.self)) var red: Int
        @Attribute(.transformed(elementsBy: Hex.self)) var others: [Int] = []
    }
    @Model final class Holder {
        @Attribute(.transformed(by: Hex.self)) var red: Int
        var byKind: [Kind: any RefinedKeyed] = [:]
        init() { red = 0 }
    }
}

/// What a model protocol may refine, and what a nested model may name.
struct RefinedConformanceTests {
    private func identifier<Value: Identifiable & Codable & Sendable>(of value: Value) -> Value.ID {
        value.id
    }

    @Test
    func `a model protocol refines Identifiable and Codable`() throws {
        #expect(identifier(of: RefinedStored(id: "a")) == "a")
        #expect(identifier(of: RefinedCoded(code: "b")) == "b")
        #expect(identifier(of: RefinedWord.one) == "one")
        let data = Data(
            #"[{"$type":"RefinedStored","id":"x"},{"$type":"RefinedCoded","code":"y"}]"#.utf8
        )
        let values = try [any RefinedKeyed](decoding: data, as: .json)
        #expect(values.first as? RefinedStored == RefinedStored(id: "x"))
        #expect(values.last as? RefinedCoded == RefinedCoded(code: "y"))
        #expect(try values.encoded(as: .json) == data)
    }

    @Test
    func `a transform stands beside its model`() throws {
        let json = Data(#"{"red":"ff","others":["a","10"]}"#.utf8)
        let colour = try Space.Colour(decoding: json, as: .json)
        #expect(colour == Space.Colour(red: 255, others: [10, 16]))
        #expect(try colour.encoded(as: .json) == json)
        let held = Data(#"{"red":"ff","byKind":{"big":{"$type":"RefinedStored","id":"x"}}}"#.utf8)
        let holder = try Space.Holder(decoding: held, as: .json)
        #expect(
            holder.red == 255 && holder.byKind[.big] as? RefinedStored == RefinedStored(id: "x")
        )
        #expect(try holder.encoded(as: .json) == held)
    }
}
