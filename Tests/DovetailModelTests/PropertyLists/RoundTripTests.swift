import Dovetail
import Foundation
import TestAssets
import Testing

/// Every kind of value through both forms of property lists, and from and to Foundation.
struct PropertyListRoundTripTests {
    static let formats: [ModelFormat] = [.plist, .binaryPlist]

    @Test(arguments: formats)
    func `every kind comes back`(format: ModelFormat) throws {
        try expect(true, format)
        for number in [0, 1, -1, 255, 256, 65535, 65536, 1 << 32, .max, .min] as [Int] {
            try expect(number, format)
        }
        try expect(UInt64.max, format)
        try expect(UInt64(Int64.max) + 1, format)
        for number in [
            0, -0.0, 0.1, 1e300, Double.leastNonzeroMagnitude, 1.5, -2, .infinity, -.infinity,
            12345.678,
        ] {
            try expect(number as Double, format)
        }
        for number in [0.1, -3.5, 1e-30, .infinity] as [Float] { try expect(number, format) }
        for text in [
            "", "a", "é", "\u{1F600}", "<&>\"'", "a\r\nb\tc", "]]>", " x ", "\u{FEFF}",
            String(repeating: "long ", count: 100), String(repeating: "länger ", count: 100),
        ] {
            try expect(text, format)
        }
        for seconds in [0, 0.5, -0.5, 1e9 + 0.125, -3e9, 0.1, -1e-9, 694224000.123456] {
            try expect(Date(timeIntervalSinceReferenceDate: seconds), format)
        }
        for count in [0, 1, 2, 3, 14, 15, 52, 300, 70000] {
            try expect(Data((0..<count).map { UInt8(truncatingIfNeeded: $0) }), format)
        }
        try expect(try #require(Decimal(string: "12345678901234567890.123456789")), format)
        try expect(Decimal(-0.5), format)
        try expect(try #require(URL(string: "https://a.b/c?d=e#f")), format)
        try expect(UUID(), format)
        try expect(Duration(secondsComponent: 1, attosecondsComponent: 5), format)
        try expect(Shade.inBetween, format)
        try expect(Level.high, format)
        try expect(ThingID(rawValue: 9), format)
        try expect([1, nil, 3] as [Int?], format)
        try expect([nil, "x"] as [String?], format)
        try expect([[], [1]] as [[Int]], format)
        try expect(["": 1, "a.b": 2, "é": 3], format)
        try expect([1: Inner(number: 2), -3: Inner(text: "t")], format)
        try expect(Set(["b", "a", "é"]), format)
        try expect(Set((0..<40).map { Inner(number: $0, text: $0 % 2 == 0 ? "t" : nil) }), format)
        try expect(nil as Int?, format)
        try expect(Inner(number: 5, text: nil), format)
    }

    /// As a field, as an element and at the root.
    private func expect<Value: ModelValue & Equatable>(
        _ value: Value,
        _ format: ModelFormat,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let box = try Box(value: value).encoded(as: format)
        let isField = try Box<Value>(decoding: box, as: format).value == value
        #expect(isField, "\(value) in \(text(box))", sourceLocation: sourceLocation)
        let list = try [value, value].encoded(as: format)
        let isElement = try [Value](decoding: list, as: format) == [value, value]
        #expect(isElement, "\(value) in \(text(list))", sourceLocation: sourceLocation)
        let root = try value.encoded(as: format)
        let isRoot = try Value(decoding: root, as: format) == value
        #expect(isRoot, "\(value) in \(text(root))", sourceLocation: sourceLocation)
    }

    private func text(_ data: Data) -> String {
        String(decoding: data.prefix(600), as: UTF8.self)
    }

    /// The name of the format does not matter: the content tells which it is.
    @Test func `either form is read under either name`() throws {
        let value = Inner(number: 3, text: "t")
        for (written, read) in [
            (ModelFormat.plist, ModelFormat.binaryPlist), (.binaryPlist, .plist),
        ] {
            let again = try Inner(decoding: value.encoded(as: written), as: read)
            #expect(again == value)
        }
    }

    @Test(arguments: formats)
    func `every property of a model comes back`(format: ModelFormat) throws {
        let value = try Everything(json: Everything.document)
        let written = try value.encoded(as: format)
        let again = try Everything(decoding: written, as: format)
        let (json, expected) = (try again.json(), try value.json())
        #expect(json == expected)
        let isStable = try again.encoded(as: format) == written
        #expect(isStable)
    }

    @Test(arguments: formats)
    func `protocols at the root`(format: ModelFormat) throws {
        let assets: [any Asset] = [
            ColorAsset(name: "c", red: 1, green: 2, blue: 3), SoundAsset(name: "s", path: "p"),
        ]
        let written = try assets.encoded(as: format)
        let again = try [any Asset](decoding: written, as: format)
        #expect(again.map(\.name) == ["c", "s"])
        #expect(again[0] as? ColorAsset == assets[0] as? ColorAsset)
        let asset: any Asset = assets[1]
        let one = try AssetModel.decode(AssetModel.encode(asset, as: format), as: format)
        #expect(one as? SoundAsset == asset as? SoundAsset)
    }

    /// The members of a dictionary in Foundation's own files come in any order.
    @Test(arguments: formats)
    func `the type key may come last`(format: ModelFormat) throws {
        let late: ModelDocument = [
            ["name": "s", "path": "p", "x": ["y": [1, 2]], "$type": "SoundAsset"],
            ["name": "c", "$type": "ColorAsset", "red": 1, "green": 2, "blue": 3],
        ]
        let assets = try [any Asset](decoding: late.encoded(as: format), as: format)
        #expect(assets.map(\.name) == ["s", "c"])
        #expect(assets[0] is SoundAsset)
    }

    @Test(arguments: formats)
    func `every tagging`(format: ModelFormat) throws {
        let inner = Transporter(wheels: 8, beside: Lorry(load: 5), around: [Bike(), Skate.quad])
        let beside: [any BesideVehicle] = [Lorry(load: 1), Bike(), Skate.inline, inner]
        let besides = try [any BesideVehicle](decoding: beside.encoded(as: format), as: format)
        #expect(besides.map(\.wheels) == [6, 2, 4, 8])
        let around: [any AroundVehicle] = [Lorry(load: 1), Bike(), Skate.inline, inner]
        let arounds = try [any AroundVehicle](decoding: around.encoded(as: format), as: format)
        #expect(arounds.map(\.wheels) == [6, 2, 4, 8])
        let transporter = arounds[3] as? Transporter
        #expect((transporter?.beside as? Lorry)?.load == 5)
        #expect(transporter?.around.map(\.wheels) == [2, 4])
        let numbered: [any NumberedVehicle] = [Rickshaw(kind: 33), Rickshaw(), Sledge()]
        let numbers = try [any NumberedVehicle](decoding: numbered.encoded(as: format), as: format)
        #expect(numbers.map(\.wheels) == [3, 3, 0])
        #expect((numbers[0] as? Rickshaw)?.kind == 33)
        let besideNumbers: [any NumberedBeside] = [Rickshaw(), Sledge(name: "n")]
        let again = try [any NumberedBeside](
            decoding: besideNumbers.encoded(as: format),
            as: format
        )
        #expect((again[1] as? Sledge)?.name == "n")
    }

    /// The content of adjacent tagging may come before the tag.
    @Test(arguments: formats)
    func `content before its tag`(format: ModelFormat) throws {
        let document: ModelDocument = [["c": ["load": 3, "wheels": 4], "x": 1, "t": "truck"]]
        let vehicles = try [any BesideVehicle](decoding: document.encoded(as: format), as: format)
        #expect((vehicles[0] as? Lorry)?.load == 3)
        #expect(vehicles[0].wheels == 4)
    }
}
