import Dovetail
import Foundation
import TestAssets
import Testing

/// A format that is not built in: documents as its specification has them, models through it.
struct OtherFormatTests {
    private struct Example {
        let hex: String
        /// Nil for what no document holds.
        let document: ModelDocument?
        /// Whether it is written like this, too.
        var isPreferred = true
    }

    private static let oneTo25 = ModelDocument.array((1...25).map { .integer($0) })
    private static let moment = Date(timeIntervalSince1970: 1_363_896_240)

    /// RFC 8949, Appendix A.
    private static let examples: [Example] = [
        .init(hex: "00", document: 0), .init(hex: "01", document: 1),
        .init(hex: "0a", document: 10), .init(hex: "17", document: 23),
        .init(hex: "1818", document: 24), .init(hex: "1819", document: 25),
        .init(hex: "1864", document: 100), .init(hex: "1903e8", document: 1000),
        .init(hex: "1a000f4240", document: 1_000_000),
        .init(hex: "1b000000e8d4a51000", document: 1_000_000_000_000),
        .init(hex: "1bffffffffffffffff", document: .integer(UInt64.max)),
        .init(hex: "c249010000000000000000", document: .integer(Int128(UInt64.max) + 1)),
        .init(hex: "3bffffffffffffffff", document: .integer(-1 - Int128(UInt64.max))),
        .init(hex: "c349010000000000000000", document: .integer(-2 - Int128(UInt64.max))),
        .init(hex: "20", document: -1), .init(hex: "29", document: -10),
        .init(hex: "3863", document: -100), .init(hex: "3903e7", document: -1000),
        .init(hex: "f90000", document: 0.0), .init(hex: "f98000", document: .double(-0.0)),
        .init(hex: "f93c00", document: 1.0), .init(hex: "fb3ff199999999999a", document: 1.1),
        .init(hex: "f93e00", document: 1.5), .init(hex: "f97bff", document: 65504.0),
        .init(hex: "fa47c35000", document: 100000.0),
        .init(hex: "fa7f7fffff", document: 3.4028234663852886e+38),
        .init(hex: "fb7e37e43c8800759c", document: 1.0e+300),
        .init(hex: "f90001", document: 5.960464477539063e-8),
        .init(hex: "f90400", document: 0.00006103515625), .init(hex: "f9c400", document: -4.0),
        .init(hex: "fbc010666666666666", document: -4.1),
        .init(hex: "f97c00", document: .double(.infinity)),
        .init(hex: "f97e00", document: .double(.nan)),
        .init(hex: "f9fc00", document: .double(-.infinity)),
        .init(hex: "fa7f800000", document: .double(.infinity), isPreferred: false),
        .init(hex: "fa7fc00000", document: .double(.nan), isPreferred: false),
        .init(hex: "faff800000", document: .double(-.infinity), isPreferred: false),
        .init(hex: "fb7ff0000000000000", document: .double(.infinity), isPreferred: false),
        .init(hex: "fb7ff8000000000000", document: .double(.nan), isPreferred: false),
        .init(hex: "fbfff0000000000000", document: .double(-.infinity), isPreferred: false),
        .init(hex: "f4", document: false), .init(hex: "f5", document: true),
        .init(hex: "f6", document: .null), .init(hex: "f7", document: Optional.none),
        .init(hex: "f0", document: Optional.none), .init(hex: "f8ff", document: Optional.none),
        .init(
            hex: "c074323031332d30332d32315432303a30343a30305a",
            document: .date(moment),
            isPreferred: false
        ),
        .init(hex: "c11a514b67b0", document: .date(moment)),
        .init(hex: "c1fb41d452d9ec200000", document: .date(moment + 0.5)),
        .init(hex: "d74401020304", document: .data(Data([1, 2, 3, 4])), isPreferred: false),
        .init(hex: "d818456449455446", document: .data(Data("dIETF".utf8)), isPreferred: false),
        .init(
            hex: "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
            document: "http://www.example.com",
            isPreferred: false
        ),
        .init(hex: "40", document: .data(Data())),
        .init(hex: "4401020304", document: .data(Data([1, 2, 3, 4]))),
        .init(hex: "60", document: ""), .init(hex: "6161", document: "a"),
        .init(hex: "6449455446", document: "IETF"), .init(hex: "62225c", document: "\"\\"),
        .init(hex: "62c3bc", document: "\u{FC}"), .init(hex: "63e6b0b4", document: "\u{6C34}"),
        .init(hex: "64f0908591", document: "\u{10151}"), .init(hex: "80", document: []),
        .init(hex: "83010203", document: [1, 2, 3]),
        .init(hex: "8301820203820405", document: [1, [2, 3], [4, 5]]),
        .init(
            hex: "98190102030405060708090a0b0c0d0e0f101112131415161718181819",
            document: oneTo25
        ),
        .init(hex: "a0", document: [:]), .init(hex: "a201020304", document: Optional.none),
        .init(hex: "a26161016162820203", document: ["a": 1, "b": [2, 3]]),
        .init(hex: "826161a161626163", document: ["a", ["b": "c"]]),
        .init(
            hex: "a56161614161626142616361436164614461656145",
            document: ["a": "A", "b": "B", "c": "C", "d": "D", "e": "E"]
        ),
        .init(
            hex: "5f42010243030405ff",
            document: .data(Data([1, 2, 3, 4, 5])),
            isPreferred: false
        ),
        .init(hex: "7f657374726561646d696e67ff", document: "streaming", isPreferred: false),
        .init(hex: "9fff", document: [], isPreferred: false),
        .init(hex: "9f018202039f0405ffff", document: [1, [2, 3], [4, 5]], isPreferred: false),
        .init(hex: "9f01820203820405ff", document: [1, [2, 3], [4, 5]], isPreferred: false),
        .init(hex: "83018202039f0405ff", document: [1, [2, 3], [4, 5]], isPreferred: false),
        .init(hex: "83019f0203ff820405", document: [1, [2, 3], [4, 5]], isPreferred: false),
        .init(
            hex: "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff",
            document: oneTo25,
            isPreferred: false
        ),
        .init(hex: "bf61610161629f0203ffff", document: ["a": 1, "b": [2, 3]], isPreferred: false),
        .init(hex: "826161bf61626163ff", document: ["a", ["b": "c"]], isPreferred: false),
        .init(
            hex: "bf6346756ef563416d7421ff",
            document: ["Fun": true, "Amt": -2],
            isPreferred: false
        ),
    ]

    private func data(_ hex: String) throws -> Data {
        try Hexadecimal.decode(hex)
    }

    @Test func `the examples of the specification`() throws {
        #expect(Self.examples.count == 81)
        var refused = 0
        for example in Self.examples {
            let bytes = try data(example.hex)
            guard let document = example.document else {
                #expect(throws: ModelDecodingError.self, "\(example.hex)") {
                    try ModelDocument(decoding: bytes, as: .cbor)
                }
                refused += 1
                continue
            }
            let read = try ModelDocument(decoding: bytes, as: .cbor)
            #expect(read == document, "\(example.hex)")
            #expect(read.kind == document.kind, "\(example.hex)")
            let written = try document.encoded(as: .cbor)
            #expect(Hexadecimal.encode(written) == example.hex || !example.isPreferred)
            #expect(try ModelDocument(decoding: written, as: .cbor) == document)
        }
        #expect(refused == 4)
    }

    @Test func `models keep their kinds`() throws {
        let value = try Everything.sampleWithoutDecimal
        let written = try value.encoded(as: .cbor)
        let document = try ModelDocument(decoding: written, as: .cbor)
        #expect(document["date"]?.kind == .date)
        #expect(document["data"]?.kind == .data)
        #expect(document["wide"]?.numberText == "18446744073709551615")
        let again = try Everything(decoding: written, as: .cbor)
        #expect(try again.json() == value.json())
        let box = Box(value: [1.5, .infinity, -0.0])
        #expect(try Box<[Double]>(decoding: box.encoded(as: .cbor), as: .cbor) == box)
        let maybe = Box(value: [1, nil, 3] as [Int?])
        #expect(try Box<[Int?]>(decoding: maybe.encoded(as: .cbor), as: .cbor) == maybe)
        let text = Box(value: "$null" as String?)
        #expect(try Box<String?>(decoding: text.encoded(as: .cbor), as: .cbor) == text)
    }

    @Test func `collections of protocols`() throws {
        let assets: [any Asset] = [
            ColorAsset(name: "c", red: 1, green: 2, blue: 3), SoundAsset(name: "s", path: "p"),
        ]
        let again = try [any Asset](decoding: assets.encoded(as: .cbor), as: .cbor)
        #expect(again.map(\.name) == ["c", "s"])
        #expect(again[0] is ColorAsset)
    }

    @Test func `its errors come through`() throws {
        let broken = try #require(throws: ModelDecodingError.self) {
            try Box<Int>(decoding: Data([0xA1, 0x61]), as: .cbor)
        }
        #expect(broken.kind == .unexpectedEnd)
        let mismatch = try #require(throws: ModelDecodingError.self) {
            try [Box<Int>](
                decoding: ([["value": "x"]] as ModelDocument).encoded(as: .cbor),
                as: .cbor
            )
        }
        #expect(mismatch.description == "[0].value: expected Int, found \"x\"")
        let decimal = try #require(throws: ModelEncodingError.self) {
            try Box(value: Decimal(1)).encoded(as: .cbor)
        }
        #expect(decimal.kind == .notRepresentable)
    }

    /// What another format makes may be deeper than a model is read.
    @Test func `deep documents are typed errors`() throws {
        let deep = ModelFormat(
            name: "deep",
            decode: { _ in (0..<5000).reduce(.null) { inner, _ in .array([inner]) } },
            encode: { _ in Data() }
        )
        let failure = try #require(throws: ModelDecodingError.self) {
            try ModelDocument(decoding: Data(), as: deep)
        }
        #expect(failure.kind == .tooDeep)
    }

    /// Nothing is lost on the way between the document and a model that holds one.
    @Test func `every kind is carried`() throws {
        let all: ModelDocument = [
            nil, true, 1, -5, 1.5, .double(.nan), "x", "$null", .date(Self.moment + 0.1),
            .data(Data([1])), .decimal(Decimal(string: "1.10") ?? 0), ["a": 1, "a": 2],
            try ModelDocument(decoding: Data("[1e400,-0,1.50]".utf8), as: .json),
            .integer(Int128.min),
        ]
        let same = ModelFormat(name: "same", decode: { _ in all }, encode: { _ in Data() })
        let read = try Box<ModelDocument>(
            decoding: Data(),
            as: ModelFormat(name: "box", decode: { _ in ["value": all] }, encode: { _ in Data() })
        )
        #expect(read.value == all)
        #expect(read.value.arrayValue?.map(\.kind) == all.arrayValue?.map(\.kind))
        #expect(try ModelDocument(decoding: Data(), as: same)["[12][0]"]?.numberText == "1e400")
    }
}

extension Everything {
    fileprivate static var sampleWithoutDecimal: Everything {
        get throws {
            var value = try Everything(json: Everything.document)
            value.decimal = nil
            return value
        }
    }
}
