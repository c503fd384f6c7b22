import Dovetail
import TestAssets
import Testing

private protocol Titled { var title: String { get } }

@ModelProtocol(typeKey: "kind")
private protocol Transport { var wheels: Int { get } }

@ModelProtocol
private protocol Insured { var policy: String { get } }

private protocol Towable: Transport {}

@Model
private struct Car: Transport, Insured, Titled, Equatable {
    var wheels = 4
    var policy = "p"
    var title: String { "car" }
}

@Model
private struct Tandem: Transport, Equatable { var wheels = 2 }

@Model
private struct Trailer: Towable, Equatable { var wheels = 1 }

private typealias Both = Transport & Titled

private typealias BothCoding = CompositionCoding<InsuredModel, any Transport & Insured>

@Model
private struct Garage {
    var both: any Transport & Insured
    var turned: (any Insured & Transport)?
    var titled: [any Titled & Transport]
    var table: [String: any Transport & Sendable & Titled]
    var alias: any Both
    var refined: (any Towable)?
}

@Model
private enum Deal { case sale((any Transport & Insured)?, [any Transport & Titled]) }

/// `any P & Q` where one of them, or both, are model protocols.
struct CompositionTests {
    private let car = #"{"kind":"Car","wheels":4,"policy":"p"}"#
    private let insured = #"{"$type":"Car","wheels":4,"policy":"p"}"#

    @Test
    func `properties of a composition`() throws {
        // The first one that is a model protocol names the type key.
        let json = """
            {"both":\(car),"turned":\(insured),"titled":[\(car)],"table":{"a":\(car)},"alias":\(car),\
            "refined":{"kind":"Trailer","wheels":1}}
            """
        let garage = try Garage(json: json)
        #expect(garage.both.policy == "p")
        #expect(garage.titled.first?.wheels == 4)
        #expect(garage.refined is Trailer)
        #expect(try garage.json() == json)
        let deal = #"{"sale":{"_0":\#(car),"_1":[\#(car)]}}"#
        #expect(try Deal(json: deal).json() == deal)
    }

    @Test
    func `a conformer of only one is an error`() throws {
        let error = try decodingError(of: Garage.self, #"{"both":{"kind":"Tandem","wheels":2}}"#)
        #expect(
            error.description
                == "both: expected Insured & Transport, found Tandem (line 1, column 9)"
        )
        #expect(error.kind == .unknownType)
    }

    /// With two model protocols the call has to say whose form is meant; see Documentation/Protocols.md.
    @Test
    func `of two model protocols at the root`() throws {
        let both: any Transport & Insured = Car()
        #expect(try (both as any Transport).encoded(as: .json) == Data(car.utf8))
        #expect(try (both as any Insured).encoded(as: .json) == Data(insured.utf8))
        #expect(try TransportModel.encode(both, as: .json) == Data(car.utf8))
        let list = Data("[\(insured),\(insured)]".utf8)
        #expect(try [both, both].encoded(as: .json, by: RootCoding(BothCoding.self)) == list)
        let read = try [any Transport & Insured](
            decoding: list,
            as: .json,
            by: RootCoding(BothCoding.self)
        )
        #expect(read.map(\.policy) == ["p", "p"])
    }

    @Test
    func `at the root`() throws {
        let data = Data("[\(car),\(car)]".utf8)
        let values = try [any Transport & Titled](decoding: data, as: .json)
        #expect(values.map(\.title) == ["car", "car"])
        #expect(try values.encoded(as: .json) == data)
        let alias = try [any Both](decoding: data, as: .json)
        #expect(alias.count == 2)
        let trailers = Data(#"[{"kind":"Trailer","wheels":1}]"#.utf8)
        #expect(try [any Towable](decoding: trailers, as: .json).first is Trailer)
        #expect(try [any Transport](decoding: data, as: .json).encoded(as: .json) == data)
    }
}
