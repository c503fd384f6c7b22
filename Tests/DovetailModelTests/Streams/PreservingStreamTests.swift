import Dovetail
import Testing

@ModelProtocol(typeKey: "kind", tagKind: .stringOrList, unknown: .preserve)
private protocol KeptStation: Sendable {
    var name: String { get }
}

@Model(version: 2, unknownFields: .preserve)
private struct KeptStop: KeptStation, Equatable {
    var name: String

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("title", to: "name")
    }
}

@ModelProtocol(typeKey: "kind", unknown: .skip)
private protocol SkippedLine: Sendable {}

@Model
private struct LineBus: SkippedLine { var stops: [any SkippedLine] = [] }

/// Streams of unknown elements, and of elements that lose some of their own.
@Suite struct PreservingStreamTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let elements = [
        #"{"kind":"KeptStop","$version":2,"name":"a"}"#,
        #"{"kind":"Halt","x":[1,{"y":1.50}],"name":"é\n"}"#,
        #"{"kind":["KeptStop","z"],"$version":2,"name":"b","open":null,"q":{"kind":"KeptStop"}}"#,
        #"{"kind":"KeptStop","name":5}"#, "7", "-12.50", "null", "true", #""text""#, "[]",
        #"{"kind":"Halt"}"#, "1",
    ]

    private static func document(_ count: Int) -> String {
        "[" + (0..<count).map { elements[$0 % elements.count] }.joined(separator: ",") + "]"
    }

    private func text(_ stations: [any KeptStation]) throws -> String {
        String(decoding: try stations.encoded(as: .json), as: UTF8.self)
    }

    @Test(arguments: [1, 2, 3, 5, 17, 64, 1000, 1 << 16])
    func `elements that are kept come whole in pieces of any size`(size: Int) async throws {
        for count in [1, 12, 700] {
            let document = Self.document(count)
            let outcome = await StreamOutcome(
                of: [any KeptStation].stream(from: Pieces(document.utf8, of: size))
            )
            #expect(outcome.error == nil)
            #expect(try text(outcome.elements) == document)
            let unknown = outcome.elements.filter { $0 is UnknownKeptStation }
            let whole = try [any KeptStation](decoding: Data(document.utf8), as: .json)
            #expect(unknown.count == whole.count { $0 is UnknownKeptStation })
        }
    }

    @Test func `single bytes`() async throws {
        let document = Self.document(40)
        let stream = [any KeptStation].stream(from: SingleBytes(document.utf8))
        #expect(try text(await StreamOutcome(of: stream).elements) == document)
    }

    @Test(arguments: [1, 7, 5000])
    func `old elements are migrated`(size: Int) async throws {
        let old = #"[{"kind":"KeptStop","title":"a","u":1},{"title":"b","kind":["z","KeptStop"]}]"#
        let outcome = await StreamOutcome(
            of: [any KeptStation].stream(from: Pieces(old.utf8, of: size))
        )
        #expect(
            try text(outcome.elements)
                == #"[{"kind":"KeptStop","$version":2,"name":"a","u":1},"#
                + #"{"kind":["z","KeptStop"],"$version":2,"name":"b"}]"#
        )
    }

    @Test func `a file is copied as it is`() async throws {
        let document = Self.document(3000)
        let file = folder.file()
        try Data(document.utf8).write(to: file)
        let copy = folder.file("copy")
        try await [any KeptStation].write([any KeptStation].stream(from: file), to: copy, as: .json)
        #expect(try String(decoding: Data(contentsOf: copy), as: UTF8.self) == document)
    }

    @Test(arguments: [
        (#"{"kind":"Halt","x":tru}"#, ModelDecodingError.Kind.invalidSyntax),
        (#"{"kind":"Halt","x":"\q"}"#, .invalidSyntax), (#"{"kind":"Halt""#, .unexpectedEnd),
        (#"{"kind":"Halt"]"#, .invalidSyntax), ("tru", .unexpectedEnd),
    ])
    func `what is no document ends the stream with its place`(
        broken: String,
        kind: ModelDecodingError.Kind
    ) async throws {
        let document = "[\(Self.elements[1]),\n \(broken)"
        for size in [1, 9, 4096] {
            let outcome = await StreamOutcome(
                of: [any KeptStation].stream(from: Pieces(document.utf8, of: size))
            )
            #expect(try text(outcome.elements) == "[\(Self.elements[1])]")
            let error = outcome.error as? ModelDecodingError
            #expect(error?.kind == kind)
            #expect(error?.path.hasPrefix("[1]") == true)
            #expect(error?.line == 2)
        }
    }

    @Test(arguments: [1, 6, 4096])
    func `elements of elements are left out`(size: Int) async throws {
        let document =
            #"[{"kind":"LineBus","stops":[{"kind":"LineBus"},{"kind":"Tram"},5]},{"kind":"LineBus"}]"#
        let outcome = await StreamOutcome(
            of: [any SkippedLine].stream(from: Pieces(document.utf8, of: size))
        )
        #expect(outcome.error == nil)
        #expect(outcome.elements.compactMap { ($0 as? LineBus)?.stops.count } == [1, 0])
    }

    @Test(arguments: [1, 2, 3, 5, 17, 64, 1000, 1 << 16])
    func `elements that are left out are so in pieces of any size`(size: Int) async throws {
        for count in [0, 1, 5, 1100] {
            let elements = [
                #"{"kind":"LineTram","x":[1,{"y":"]"}]}"#,
                #"{"kind":"LineBus","stops":[{"kind":"LineBus"}]}"#,
                #"{"kind":"LineBus","stops":7}"#, "12", "null",
            ]
            let document = "[" + (0..<count).map { elements[$0 % 5] }.joined(separator: ", ") + "]"
            let stream = [any SkippedLine].stream(from: Pieces(document.utf8, of: size))
            let outcome = await StreamOutcome(of: stream)
            #expect(outcome.error == nil)
            let whole = try [any SkippedLine](decoding: Data(document.utf8), as: .json)
            #expect(outcome.elements.count == whole.count && whole.count == (count + 3) / 5)
            // What is no value is an error, at its place.
            let broken =
                document.dropLast() + (count == 0 ? "" : ",") + #"{"kind":"LineTram","x":tru}]"#
            let failed = await StreamOutcome(
                of: [any SkippedLine].stream(from: Pieces(Substring(broken).utf8, of: size))
            )
            let error = try #require(failed.error as? ModelDecodingError)
            #expect(error.kind == .invalidSyntax && error.path.hasPrefix("[\(count)]"))
            #expect(failed.elements.count == whole.count)
        }
    }
}
