// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Dovetail
import Foundation
import Testing

// Conformances that come through protocols of the program, over at most three. The macro may add protocols that
// refine the same ones, by three steps.
public protocol FarIdentified: Identifiable {}
public protocol FarNamed: FarIdentified { var name: String { get } }
public protocol FarListed: FarNamed {}
public protocol FarCompared: Comparable, Hashable {}
public protocol FarSorted: FarCompared {}
public protocol FarCoded: Codable, Sendable {}
public protocol FarKept: FarCoded {}
public protocol FarFailure: LocalizedError {}
@ModelProtocol(typeKey: "object", wrapper: true) public protocol FarObject: Sendable {}
@ModelProtocol(typeKey: "type", typeName: "block") public protocol FarBlock: FarObject {}

@Model public struct FarUser: FarNamed { public var id: Int, name: String }
@Model public struct FarFile: FarListed { public var id: String, name: String }
@Model(flattenable: true) public struct FarPart: FarListed { public var id: Int, name: String }
@Model public enum FarChoice: FarNamed {
    case one(Int), none
    public var id: Int { 1 }
    public var name: String { "" }
}
@Model public struct FarRank: FarSorted {
    public var rank: Int
    public static func < (a: FarRank, b: FarRank) -> Bool { a.rank < b.rank }
}
@Model public enum FarWord: String, FarSorted, FarKept {
    case a, b
    public static func < (a: FarWord, b: FarWord) -> Bool { a.rawValue < b.rawValue }
}
@Model public struct FarRecord: FarKept { public var text: String }
@Model public enum FarProblem: FarFailure { case code(Int) }
@Model(managed: false) public final class FarNote: FarKept {
    public let text: String
    public init(text: String) { self.text = text }
}
@Model public final class FarOwner: FarNamed {
    public var id = 0
    public var name = ""
    public init() {}
}
@Model(typeName: "text") public struct FarText: FarBlock { public var text: String }
@Model public struct FarPage: Sendable { public var blocks: [AnyFarObject] }

/// What models conform to by protocols that the macro does not see.
struct DistantConformanceTests {
    @Test
    func `conformances come through several protocols`() throws {
        func same<Value: Codable & Sendable & Model>(_ value: Value) throws -> Bool {
            let coded = try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
            return try coded.encoded(as: .json) == value.encoded(as: .json)
        }
        func id<Value: Identifiable>(_ value: Value) -> Value.ID { value.id }
        func sent<Value: Sendable>(_ value: Value) -> Value { value }
        #expect(id(FarUser(id: 1, name: "a")) == 1)
        #expect(id(FarFile(id: "f", name: "a")) == "f")
        #expect(id(FarPart(id: 2, name: "a")) == 2)
        #expect(id(FarChoice.none) == 1)
        #expect(id(FarOwner()) == 0)
        #expect([FarRank(rank: 2), FarRank(rank: 1)].min()?.rank == 1)
        #expect([FarWord.b, .a].sorted() == [.a, .b])
        #expect(try same(FarWord.a))
        #expect(try same(FarRecord(text: "a")))
        #expect(try same(FarNote(text: "a")))
        #expect(sent(FarProblem.code(1)).localizedDescription.isEmpty == false)
        let json = Data(#"{"blocks":[{"object":"block","type":"text","text":"x"}]}"#.utf8)
        let page = sent(try FarPage(decoding: json, as: .json))
        #expect((page.blocks.first?.wrapped as? FarText)?.text == "x")
        #expect(try page.encoded(as: .json) == json)
    }
}
