import Dovetail
import Foundation

extension FuzzTarget {
    /// Small inputs to start from, for a checkout without the corpora beside it.
    func seeds() throws -> [Data] {
        switch self {
        case .model: [Data(Everything.document.utf8), Data("{}".utf8)]
        case .document:
            [#"{"a":[1,-0.5e+3,true,null,"\ud83d\ude00é\n"],"a":{},"":[[]]}"#, "1e400"].map(\.utf8)
                .map { Data($0) }
        case .polymorphic, .stream: Self.lists.map { Data($0.utf8) }
        case .migration: Self.agedLists.map { Data($0.utf8) }
        case .xml: try Self.propertyLists(as: .plist)
        case .binary: try Self.propertyLists(as: .binaryPlist)
        case .scalars:
            [
                "-0.0e-5", "9007199254740993", "1.7976931348623157e308", "2.4703282292062328e-324",
                "18446744073709551615", "-128", "123456789012345678901234567890.12345678",
                "16777217.000000001", "2024-02-29T23:59:59Z", "0000-01-01T00:00:00.000000001+23:59",
                "1990-12-31T23:59:60Z",
            ].map { Data($0.utf8) }
        }
    }

    private static func propertyLists(as format: ModelFormat) throws -> [Data] {
        let everything = try Everything(decoding: Data(Everything.document.utf8), as: .json)
        let document: ModelDocument = [
            "d": [
                .date(Date(timeIntervalSinceReferenceDate: 0.5)),
                .data(Data(repeating: 1, count: 20)),
            ],
            "n": [.double(.infinity), 1.5, .integer(UInt64.max), true, "é", ["CF$UID": 1]],
        ]
        return [try everything.encoded(as: format), try document.encoded(as: format)]
    }

    private static let lists = [
        #"[{"$type":"SoundAsset","name":"é\n","path":"p"},{"red":1,"green":2,"blue":3,"name":"","$type":"ColorAsset"}]"#,
        #"[{"$type":"lorry","load":1},{"$type":"Bike"},{"Vehicle":"Transporter","wheels":1,"around":[{"Bike":{}}]}]"#,
        #"[{"t":"truck","c":{"load":1}},{"c":"quad","t":"Skate"},{"t":"Transporter","c":{"wheels":2,"beside":{"t":"Bike"}}}]"#,
        #"[{"lorry":{"load":1}},{"Skate":"inline"},{"Transporter":{"wheels":1,"around":[{"cami\u00f3n 7":{"load":2}}]}}]"#,
        #"[{"kind":3},{"kind":-10,"name":"n"},{"kind":33,"wheels":1}]"#,
        #"[{"t":3,"c":{"kind":1}},{"c":{},"tag":-10}]"#,
    ]

    private static let agedLists = [
        #"[{"$type":"Urn","name":"é\n","place":"p","site":{"weight":3},"piece":{"kind":"Scroll","label":"s"}}]"#,
        #"[{"$type":"Vase","$version":2,"label":"v","piece":{"$type":"Coin","x":[1,{"y":null}]}},{"label":1}]"#,
        #"[{"$version":3,"label":"w","pieces":[{"$type":"Urn","name":7}],"kind":"Urn"},7,[]]"#,
        #"[{"$type":"Scroll","label":"l","in":[{"label":"m","q":1e-7,"in":[{"label":"\u00e9"}]}],"z":[true]}]"#,
        #"[{"$type":"Scroll","$version":2,"label":"l","found":"2020-01-01T00:00:00Z","more":{"a":{}}}]"#,
        #"[{},{"a":1},{"a":{"x":[2]},"b":2},{"a":1,"b":2,"c":3},{"a":{},"b":2,"c":3,"d":4}]"#,
        #"[{"a":1,"b":2,"c":3,"d":4,"e":5},{"a":1,"b":2,"c":3,"d":4,"e":5,"f":[6]},{"a":{"c":1},"b":2,"c":3,"d":4,"e":5,"f":6,"g":7}]"#,
        #"[{"$version":2,"a":1},{"$version":1,"a":[{"b":"c"}]},{"a":null,"$version":1}]"#,
    ]
}
