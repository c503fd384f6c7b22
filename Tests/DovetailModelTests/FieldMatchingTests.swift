import Dovetail
import DovetailTesting
import Testing

/// Names of all lengths, some of which share what is compared first: seven bytes and the length.
@Model
private struct Fields: Equatable {
    var a = 0, ab = 0, abcdefg = 0, abcdefgh = 0, abcdefgi = 0, abcdefgx = 0
    var abcdefghi = 0, abcdefgih = 0, sharedFirst1 = 0, sharedFirst2 = 0, sharedFirst12 = 0
    var sharedOther1 = 0, createdAtMidnight = 0, createdAtNoonday_ = 0
    var éé = 0, éèabcdefg = 0, éèabcdefh = 0
    @Attribute(
        name:
            "a name of more than two hundred and fifty-five bytes, whose length does not fit into the top byte of the integer that is compared first, so that only the comparison byte by byte can tell it from the other one, which has the same beginning and the same length and ends in: 1"
    ) var long1 = 0
    @Attribute(
        name:
            "a name of more than two hundred and fifty-five bytes, whose length does not fit into the top byte of the integer that is compared first, so that only the comparison byte by byte can tell it from the other one, which has the same beginning and the same length and ends in: 22"
    ) var long2 = 0
}

/// How a field of a document finds its property.
struct FieldMatchingTests {
    private let names = Fields.modelAttributes.map(\.name)

    /// Every field alone reaches its own property and no other.
    @Test
    func `each field alone`() throws {
        for (index, name) in names.enumerated() {
            let read = try Fields(json: "{\(try name.json()):\(index + 1)}")
            let written = try JSONDecoder().decode(
                [String: Int].self,
                from: read.encoded(as: .json)
            )
            #expect(written.filter { $0.value != 0 } == [name: index + 1])
        }
    }

    @Test
    func `names that are almost declared`() throws {
        for name in names {
            let scalars = Array(name.unicodeScalars)
            var others = [
                name + "x", name + "\0", "x" + name, String(name.dropLast()), name.uppercased(),
            ]
            for index in scalars.indices {
                var changed = scalars
                changed[index] = changed[index] == "~" ? "!" : "~"
                others.append(String(String.UnicodeScalarView(changed)))
            }
            for other in others where !names.contains(other) {
                let read = try Fields(json: "{\(try other.json()):1}")
                #expect(read == Fields(), "\(other)")
            }
        }
    }

    @Test
    func `order does not matter`() throws {
        var random = SeededRandom()
        let expected = try Fields(json: "{\(fields(names).joined(separator: ","))}")
        for _ in 0..<200 {
            let shuffled = fields(names).shuffled(using: &random)
            let read = try Fields(json: "{\(shuffled.joined(separator: ", \n"))}")
            #expect(read == expected, random.comment)
        }
    }

    @Test
    func `unknown fields are skipped`() throws {
        var random = SeededRandom()
        let expected = try Fields(json: "{\(fields(names).joined(separator: ","))}")
        let unknown = [
            #""x":null"#, #""y":[1,[2,{"a":[]}],"]"]"#, #""z":{"a":1,"ab":{"a":{}}}"#, #""":"""#,
            #""\u0000":-1.5e-7"#, #""a\"":"\\\"""#, #""ü":"ü\ud83d\ude00""#, #""AB":true"#,
            #""abcdefgy":false"#, #""x":"twice is fine""#,
        ]
        for _ in 0..<200 {
            let mixed = (fields(names) + unknown).shuffled(using: &random)
            let read = try Fields(json: "{\(mixed.joined(separator: ","))}")
            #expect(read == expected, random.comment)
        }
    }

    /// Any scalar of a name may be written as an escape.
    @Test
    func `escaped names`() throws {
        for (index, name) in names.enumerated() {
            for place in 0..<min(name.utf16.count, 12) {
                let escaped = name.utf16.enumerated().map { offset, unit in
                    let digits = String(unit, radix: 16)
                    return offset == place
                        ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                        : String(decoding: [unit], as: UTF16.self)
                }
                let read = try Fields(json: "{\"\(escaped.joined())\":\(index + 1)}")
                let plain = try Fields(json: "{\(try name.json()):\(index + 1)}")
                #expect(read == plain)
            }
        }
    }

    @Test
    func `a repeated field is refused`() throws {
        for name in names {
            let field = try name.json()
            let error = try decodingError(of: Fields.self, "{\(field):1,\"b\":0,\(field):1}")
            #expect(error.kind == .repeatedField)
            #expect(error.expected == "each field once")
            #expect(error.found == "\"\(name)\" again")
        }
        let escaped = try decodingError(of: Fields.self, #"{"ab":1,"\u0061b":1}"#)
        #expect(escaped.kind == .repeatedField)
    }

    private func fields(_ names: [String]) -> [String] {
        names.enumerated().map { "\"\($1)\":\($0 + 1)" }
    }
}
