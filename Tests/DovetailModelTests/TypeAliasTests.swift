import Dovetail
import Testing

@ModelProtocol
private protocol Animal {}

private enum Zoo {
    @Model(aliases: ["Cat", "cat"]) struct Lion: Animal {}
    @Model(typeName: "Tiger", aliases: ["Cat", "Tiger", "tiger"]) struct Tiger: Animal {}
    @Model struct Bear: Animal {}
    @Model(aliases: ["Bear", "grizzly"]) struct Grizzly: Animal {}
}

/// Old names of types and old names of the type key.
struct TypeAliasTests {
    private func read(_ json: String) throws -> any Vehicle {
        try VehicleModel.decode(Data(json.utf8), as: .json)
    }

    @Test(arguments: ["lorry", "truck", "camión 7", "cami\\u00f3n 7"])
    func `every name is read and one is written`(name: String) throws {
        let vehicle = try read(#"{"$type":"\#(name)","wheels":8,"load":1}"#)
        #expect(vehicle as? Lorry == Lorry(wheels: 8, load: 1))
        #expect(
            String(decoding: try vehicle.encoded(as: .json), as: UTF8.self)
                == #"{"$type":"lorry","wheels":8,"load":1}"#
        )
        #expect(VehicleModel.typeName(of: vehicle) == "lorry")
    }

    @Test
    func `messages name no aliases`() throws {
        let error = try #require(throws: ModelDecodingError.self) { try read(#"{"$type":"x"}"#) }
        #expect(error.expected.contains("lorry"))
        #expect(!error.expected.contains("truck"))
    }

    @Test(arguments: [("Cat", "Lion", "Tiger"), ("Bear", "Bear", "Grizzly")])
    func `of two conformers they are ambiguous`(name: String, one: String, two: String) throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try AnimalModel.decode(Data(#"{"$type":"\#(name)"}"#.utf8), as: .json)
        }
        #expect(error.kind == .ambiguousType)
        #expect(error.found.contains(one) && error.found.contains(" and "))
        #expect(error.found.contains(two))
    }

    @Test(
        arguments: [
            ("cat", "Lion"), ("Lion", "Lion"), ("Tiger", "Tiger"), ("tiger", "Tiger"),
            ("grizzly", "Grizzly"), ("Grizzly", "Grizzly"),
        ]
    )
    func `the others are not`(name: String, type: String) throws {
        let animal = try AnimalModel.decode(Data(#"{"$type":"\#(name)"}"#.utf8), as: .json)
        #expect("\(Swift.type(of: animal))" == type)
        #expect(AnimalModel.typeName(of: animal) == type)
        let written = try AnimalModel.encode(animal, as: .json)
        #expect(String(decoding: written, as: UTF8.self) == #"{"$type":"\#(type)"}"#)
    }

    @Test(arguments: ["$type", "model_type", "Vehicle", "\\u0056ehicle"])
    func `every type key is read`(key: String) throws {
        let fields = [#""\#(key)":"lorry""#, #""load":2"#, #""more":{"$type":"Bike"}"#]
        for place in 0..<3 {
            var all = Array(fields[1...])
            all.insert(fields[0], at: place)
            let vehicle = try read("{\(all.joined(separator: ", "))}")
            #expect(vehicle as? Lorry == Lorry(load: 2))
            #expect(try vehicle.encoded(as: .json).starts(with: #"{"$type":"lorry""#.utf8))
        }
    }

    @Test(
        arguments: [
            (#"{"$type":"lorry","load":1,"$type":"lorry"}"#, "$type"),
            (#"{"load":1,"$type":"lorry","$type":"Bike"}"#, "$type"),
            (#"{"$type":"lorry","model_type":"lorry","load":1}"#, "model_type"),
            (#"{"load":1,"Vehicle":"lorry","model_type":1}"#, "model_type"),
            (#"{"$type":"lorry","load":1,"\u0024type":"lorry"}"#, "$type"),
        ]
    )
    func `a repeated type key is an error`(json: String, key: String) throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try [any Vehicle](decoding: Data("[\(json)]".utf8), as: .json)
        }
        #expect(error.kind == .repeatedField)
        #expect(error.path == "[0].\(key)")
    }

    /// Inside of nested objects, and where the type is declared, it is a field like others.
    @Test
    func `elsewhere it is no type key`() throws {
        let json = #"{"$type":"lorry","load":1,"x":{"$type":1,"$type":2}}"#
        #expect(try read(json) as? Lorry == Lorry(load: 1))
        #expect(try Lorry(json: #"{"$type":1,"load":1,"$type":2}"#) == Lorry(load: 1))
    }
}
