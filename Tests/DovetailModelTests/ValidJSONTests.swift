import Dovetail
import TestAssets
import Testing

/// What strict reading has to accept.
struct ValidJSONTests {
    /// Documents, and what is in the model after them.
    private static let documents: [(json: String, value: String)] = [
        ("{}", "{}"), (" { } ", "{}"), ("\r\n\t{\n}\r\n", "{}"), ("\u{FEFF}{}", "{}"),
        ("\u{FEFF} \n{ }", "{}"), (#"{"int":0}"#, #"{"int":0}"#),
        (#"{"int" : -0 , "bool":false}"#, #"{"int":0,"bool":false}"#),
        (
            #"{"double":1E5,"float":1e-5,"decimal":0.10e+1}"#,
            #"{"double":100000,"float":0.00001,"decimal":1}"#
        ),
        (#"{"double":0.0,"float":-0,"decimal":0}"#, #"{"double":0,"float":-0,"decimal":0}"#),
        (#"{"double":123}"#, #"{"double":123}"#), (#"{"x":[]}"#, "{}"),
        (#"{"x":[[],{},"",0,-0.0e-0,null,true,false]}"#, "{}"),
        (#"{"x":1,"x":2,"":3,"":4}"#, "{}"),
        (#"{"x":"\"\\\/\b\f\n\r\t\u0000\uD834\uDD1E"}"#, "{}"),
        ("{\"x\":\"\u{7F}é\u{10FFFF}\"}", "{}"),
        (
            #"{"text":"\"\\\/\b\f\n\r\t\u0000\uD834\uDD1E"}"#,
            #"{"text":"\"\\/\b\f\n\r\t\u0000\#u{1D11E}"}"#
        ),
        ("{\"text\":\"\u{7F}é\u{10FFFF}\"}", "{\"text\":\"\u{7F}é\u{10FFFF}\"}"),
        (#"{"x":1e999999999999,"y":-1E-999999999}"#, "{}"),
        (#"{"x":123456789012345678901234567890}"#, "{}"),
        (#"{"list":[ ],"grid":[ [ ] , [ "a" ] ]}"#, #"{"list":[],"grid":[[],["a"]]}"#),
        (#"{"table":{},"numbered":{ }}"#, #"{"table":{},"numbered":{}}"#),
        (
            #"{"int":null,"list":null,"inner":null,"asset":null,"plain":null,"table":null}"#,
            "{}"
        ),
        ("{\"text\":\"\u{2028}\u{2029}\"}", "{\"text\":\"\u{2028}\u{2029}\"}"),
        (#"{"INT":"x","Int":[]}"#, "{}"),
        ("{\"x\":                                        1}", "{}"),
    ]

    @Test(arguments: documents)
    func `is accepted`(json: String, value: String) throws {
        #expect(try Everything(json: json).json() == value)
    }

    @Test
    func `every kind at once`() throws {
        let value = try Everything(json: Everything.document)
        #expect(value.int == -12)
        #expect(value.narrow == 7)
        #expect(value.unsigned == 65_535)
        #expect(value.wide == .max)
        #expect(value.bool == true)
        #expect(value.text == "é\n😀\"")
        #expect(value.double == 1.5e-7)
        #expect(value.float == 0.25)
        #expect(value.decimal == Decimal(string: "12.345"))
        #expect(value.date == Date(timeIntervalSince1970: 1_709_284_830.5))
        #expect(value.data == Data([1, 2]))
        #expect(value.url?.absoluteString == "http://a.b/c")
        #expect(value.uuid?.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(value.shade == .inBetween)
        #expect(value.level == .high)
        #expect(value.thing == ThingID(rawValue: 9))
        #expect(value.inner == Inner(number: 1))
        #expect(value.plain == Plain(title: "t", marks: [1]))
        #expect(value.list == [1, 2])
        #expect(value.grid == [["a"], []])
        #expect(value.distinct == [1])
        #expect(value.table == ["k": 1])
        #expect(value.numbered == [5: Inner()])
        let color = ColorAsset(name: "c", red: 1, green: 2, blue: 3)
        let sound = SoundAsset(name: "s", path: "p")
        #expect(value.asset as? ColorAsset == color)
        #expect(value.file as? SoundAsset == sound)
        #expect(value.assets?.count == 1)
        #expect(value.assets?[0].name == "f")
        #expect(value.assets?[0] is any FileAsset)
        #expect(value.assetTable?.count == 1)
        #expect(value.assetTable?["x"] as? SoundAsset == sound)
        #expect(value.assetGrid?.map(\.count) == [0, 1])
        #expect(value.assetGrid?[1][0] as? SoundAsset == sound)
        let again = try Everything(json: value.json())
        let (first, second) = (try value.json(), try again.json())
        #expect(first == second)
        #expect(Mirror(reflecting: value).children.count == 28)
    }

    /// Every boundary of two tokens takes any white space.
    @Test(arguments: [" ", "\n", "\t", "\r", "\r\n", "         ", "\n                \n"])
    func `white space between tokens`(space: String) throws {
        let tokens = [
            "{", "\"list\"", ":", "[", "1", ",", "-2.0", "]", ",", "\"x\"", ":", "{", "\"a\"", ":",
            "null", "}", ",", "\"inner\"", ":", "{", "\"text\"", ":", "\"t\"", "}", "}",
        ]
        let value = try Everything(json: space + tokens.joined(separator: space) + space)
        #expect(value.list == [1, -2])
        #expect(value.inner?.text == "t")
    }
}
