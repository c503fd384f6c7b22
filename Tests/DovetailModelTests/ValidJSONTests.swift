import Dovetail
import TestAssets
import Testing

/// What strict reading has to accept.
struct ValidJSONTests {
    @Test(
        arguments: [
            "{}", " { } ", "\r\n\t{\n}\r\n", "\u{FEFF}{}", "\u{FEFF} \n{ }", #"{"int":0}"#,
            #"{"int" : -0 , "bool":false}"#, #"{"double":1E5,"float":1e-5,"decimal":0.10e+1}"#,
            #"{"double":0.0,"float":-0,"decimal":0}"#, #"{"double":123}"#, #"{"x":[]}"#,
            #"{"x":[[],{},"",0,-0.0e-0,null,true,false]}"#, #"{"x":1,"x":2,"":3,"":4}"#,
            #"{"x":"\"\\\/\b\f\n\r\t\u0000\uD834\uDD1E"}"#, "{\"x\":\"\u{7F}é\u{10FFFF}\"}",
            #"{"x":1e999999999999,"y":-1E-999999999}"#, #"{"x":123456789012345678901234567890}"#,
            #"{"list":[ ],"grid":[ [ ] , [ "a" ] ]}"#, #"{"table":{},"numbered":{ }}"#,
            #"{"int":null,"list":null,"inner":null,"asset":null,"plain":null,"table":null}"#,
            "{\"text\":\"\u{2028}\u{2029}\"}", #"{"INT":"x","Int":[]}"#,
            "{\"x\":                                        1}",
        ]
    )
    func isAccepted(json: String) throws {
        _ = try Everything(json: json)
    }

    @Test
    func everyKindAtOnce() throws {
        let value = try Everything(json: Everything.document)
        #expect(value.int == -12)
        #expect(value.wide == .max)
        #expect(value.text == "é\n😀\"")
        #expect(value.double == 1.5e-7)
        #expect(value.date == Date(timeIntervalSince1970: 1_709_284_830.5))
        #expect(value.data == Data([1, 2]))
        #expect(value.shade == .inBetween)
        #expect(value.thing == ThingID(rawValue: 9))
        #expect(value.numbered == [5: Inner()])
        #expect(value.asset?.name == "c")
        #expect(value.assetGrid?.last?.first?.name == "s")
        let again = try Everything(json: value.json())
        let (first, second) = (try value.json(), try again.json())
        #expect(first == second)
    }

    /// Every boundary of two tokens takes any white space.
    @Test(arguments: [" ", "\n", "\t", "\r", "\r\n", "         ", "\n                \n"])
    func whiteSpaceBetweenTokens(space: String) throws {
        let tokens = [
            "{", "\"list\"", ":", "[", "1", ",", "-2.0", "]", ",", "\"x\"", ":", "{", "\"a\"", ":",
            "null", "}", ",", "\"inner\"", ":", "{", "\"text\"", ":", "\"t\"", "}", "}",
        ]
        let value = try Everything(json: space + tokens.joined(separator: space) + space)
        #expect(value.list == [1, -2])
        #expect(value.inner?.text == "t")
    }
}
