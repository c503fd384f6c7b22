import Dovetail
import DovetailTesting
import Testing

@ModelProtocol(typeKey: "kind", unknown: .preserve)
private protocol Crate {}

@Model private struct WoodenCrate: Crate, Equatable { var size = 1 }

@ModelProtocol(tagging: .adjacent(tag: "t", content: "c"), unknown: .preserve)
private protocol Barrel {}

@Model private struct WineBarrel: Barrel, Equatable { var litres = 225 }

@ModelProtocol(tagging: .external, unknown: .preserve)
private protocol Sack {}

@Model private struct CoffeeSack: Sack, Equatable { var kilos = 60 }

/// Preserved elements keep the laws as other models do.
@Suite struct PreservedElementLawTests {
    /// Forms in which a property list, an order or a layout says the same in another way.
    private static let contents = [
        #"{"a":1,"b":[1.0,1e2,-0,0.10,true,"x",{"c":{},"d":[]}]}"#, #"{"n":null}"#,
        #"{"n":[null,1.50,12345678901234567890,1e400]}"#, #"{"twice":1,"twice":2}"#,
        #"{"date":"2024-03-01T10:20:30Z","data":"AQI=","text":"$null"}"#, "{}",
    ]

    @Test(arguments: contents)
    func `beside a type key`(content: String) throws {
        let members = content.dropFirst().dropLast()
        let unknown = #"{"kind":"SteelCrate"\#(members.isEmpty ? "" : ",")\#(members)}"#
        let crates = try [any Crate](
            decoding: Data(#"[{"kind":"WoodenCrate","size":2},\#(unknown)]"#.utf8),
            as: .json
        )
        #expect(crates[1] is any UnknownModel)
        try checkModels(crates, changes: 2_000)
    }

    @Test(arguments: contents)
    func `beside a tag`(content: String) throws {
        let barrels = try [any Barrel](
            decoding: Data(#"[{"t":"WineBarrel","c":{}},{"t":"Beer","c":\#(content)}]"#.utf8),
            as: .json
        )
        #expect(barrels[1] is any UnknownModel)
        try checkModels(barrels, changes: 2_000)
    }

    @Test(arguments: contents)
    func `inside of a tag`(content: String) throws {
        let sacks = try [any Sack](
            decoding: Data(#"[{"CoffeeSack":{}},{"Flour":\#(content)}]"#.utf8),
            as: .json
        )
        #expect(sacks[1] is any UnknownModel)
        try checkModels(sacks, changes: 2_000)
    }
}
