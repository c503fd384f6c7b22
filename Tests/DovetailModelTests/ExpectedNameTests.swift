import Dovetail
import Testing

/// Names of many lengths, each the beginning of the next.
@Model
private struct Lengths: Equatable {
    var n = 0
    var na = 0
    var nab = 0
    var nabc = 0
    var nabcd = 0
    var nabcde = 0
    var nabcdef = 0
    var nabcdefg = 0
    var nabcdefgh = 0
    var nabcdefghijabc = 0
    var nabcdefghijabcd = 0
    var nabcdefghijabcde = 0
    var nabcdefghijabcdef = 0
    var nabcdefghijabcdefghija = 0
    var nabcdefghijabcdefghijab = 0
    var nabcdefghijabcdefghijabc = 0
    var nabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghija = 0
    var nabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijab = 0
    var nabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabc = 0
    var nabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghi = 0
}

/// Fields in the order of their declaration are compared with the expected name where enough of the
/// document follows, so every document here is read with and without white space after it.
struct ExpectedNameTests {
    private let names = Lengths.modelAttributes.map(\.name)

    private func read(_ members: [String]) throws -> Lengths {
        let json = "{" + members.joined(separator: ",") + "}"
        let alone = try Lengths(json: json)
        #expect(try Lengths(json: json + String(repeating: " ", count: 100)) == alone)
        return alone
    }

    private func values(_ value: Lengths) throws -> [String: Int] {
        try JSONDecoder().decode([String: Int].self, from: value.encoded(as: .json))
    }

    @Test
    func `all names in order`() throws {
        let members = names.enumerated().map { "\"\($1)\":\($0 + 1)" }
        let expected = Dictionary(uniqueKeysWithValues: zip(names, 1...))
        #expect(try values(read(members)) == expected)
        #expect(try values(read(members.reversed())) == expected)
        #expect(try values(read(members.map { $0.replacing(":", with: "\n : ") })) == expected)
        #expect(try values(read(members.map { "\t" + $0 + " " })) == expected)
    }

    /// Every choice of up to three fields, in their order, with an unknown field between them.
    @Test
    func `some names are absent`() throws {
        var count = 0
        for first in names.indices {
            for second in names.indices[first...] {
                for third in names.indices[second...] {
                    let chosen = Set([first, second, third]).sorted()
                    let members = chosen.map { "\"\(names[$0])\":\($0 + 1)" }
                    let found = try values(read(members + ["\"other\":0"])).filter { $0.value != 0 }
                    let expected = chosen.map { (names[$0], $0 + 1) }
                    #expect(found == Dictionary(uniqueKeysWithValues: expected))
                    count += 1
                }
            }
        }
        #expect(count == 1540)
    }

    /// A name that differs in one byte, or is longer or shorter by one, is not taken for the
    /// expected one.
    @Test
    func `almost the expected name is another one`() throws {
        for (index, name) in names.enumerated() {
            let before = names[..<index].map { "\"\($0)\":0" }
            var others = [name + "x", String(name.dropLast())]
            for place in name.indices {
                others.append(name.replacingCharacters(in: place...place, with: "~"))
            }
            for other in others where !names.contains(other) {
                #expect(try read(before + ["\"\(other)\":1"]) == Lengths(), "\(other)")
            }
        }
    }

    @Test
    func `an expected name that comes twice is an error`() throws {
        for name in names {
            #expect(throws: ModelDecodingError.self) {
                try Lengths(
                    json: "{\"\(name)\":1,\"\(name)\":1}" + String(repeating: " ", count: 100)
                )
            }
        }
    }
}
