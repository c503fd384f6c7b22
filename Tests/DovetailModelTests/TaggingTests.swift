import Dovetail
import DovetailTesting
import Testing

@Model
private struct Garage: Identifiable {
    var id: Int
    var beside: [any BesideVehicle] = []
    var around: (any AroundVehicle)?
    var car: (any BesideCar)?
    var inside: (any InsideAgain)?
}

/// The type's name beside the value and around it.
struct TaggingTests {
    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    private func beside(_ json: String) throws -> any BesideVehicle {
        try BesideVehicleModel.decode(Data(json.utf8), as: .json)
    }

    private func around(_ json: String) throws -> any AroundVehicle {
        try AroundVehicleModel.decode(Data(json.utf8), as: .json)
    }

    @Test
    func `adjacent tagging comes back`() throws {
        let all: [any BesideVehicle] = [Lorry(load: 1), Bike(), Skate.quad]
        let json = """
            [{"t":"lorry","c":{"wheels":6,"load":1}},{"t":"Bike","c":{}},{"t":"Skate","c":"quad"}]
            """
        #expect(text(try all.encoded(as: .json)) == json)
        let again = try [any BesideVehicle](decoding: Data(json.utf8), as: .json)
        #expect(again[0] as? Lorry == Lorry(load: 1))
        #expect(again[1] is Bike)
        #expect(again[2] as? Skate == .quad)
    }

    @Test
    func `external tagging comes back`() throws {
        let all: [any AroundVehicle] = [Lorry(load: 1), Bike(), Skate.quad]
        let json = #"[{"lorry":{"wheels":6,"load":1}},{"Bike":{}},{"Skate":"quad"}]"#
        #expect(text(try all.encoded(as: .json)) == json)
        let again = try [any AroundVehicle](decoding: Data(json.utf8), as: .json)
        #expect(again[0] as? Lorry == Lorry(load: 1))
        #expect(again[1] is Bike)
        #expect(again[2] as? Skate == .quad)
    }

    @Test
    func `every order of members`() throws {
        var random = SeededRandom()
        let extra = [#""x":{"t":1,"c":[]}"#, #""y":"\u0000é""#]
        for _ in 0..<100 {
            let members = ([#""t":"truck""#, #""\u0063":{"load":7}"#] + extra).shuffled(
                using: &random
            )
            let vehicle = try beside(" { \(members.joined(separator: " ,\n")) } ")
            #expect(vehicle as? Lorry == Lorry(load: 7), random.comment)
            let outer = ([#""cami\u00f3n 7":{"load":7}"#] + extra).shuffled(using: &random)
            let other = try around("{\(outer.joined(separator: ","))}")
            #expect(other as? Lorry == Lorry(load: 7), random.comment)
        }
    }

    @Test
    func `a refined protocol has its parent's tagging`() throws {
        let car: any BesideCar = Lorry(load: 1)
        #expect(text(try car.encoded(as: .json)) == #"{"t":"lorry","c":{"wheels":6,"load":1}}"#)
        let other: any AroundCar = Skate.inline
        #expect(text(try other.encoded(as: .json)) == #"{"Skate":"inline"}"#)
        let again = try AroundCarModel.decode(Data(#"{"Bike":{}}"#.utf8), as: .json)
        #expect(again is Bike)
        let inside: any InsideAgain = Bike()
        #expect(text(try inside.encoded(as: .json)) == #"{"$type":"Bike"}"#)
        #expect(throws: ModelEncodingError.self) {
            try (Skate.quad as any InsideAgain).encoded(as: .json)
        }
    }

    @Test
    func `one inside of the other`() throws {
        let inner = Transporter(wheels: 1, beside: Skate.quad, around: [Bike(), Lorry(load: 2)])
        let outer = Transporter(wheels: 2, beside: inner, around: [inner])
        let json = try outer.json()
        let again = try Transporter(json: json)
        #expect(try again.json() == json)
        #expect((again.around.first as? Transporter)?.beside as? Skate == .quad)
        let vehicle: any Vehicle = outer
        let data = try vehicle.encoded(as: .json)
        #expect(try VehicleModel.decode(data, as: .json).encoded(as: .json) == data)
    }

    static let wrongBeside: [(String, ModelDecodingError.Kind, String)] = [
        ("{}", .unknownType, ""), (#"{"c":{}}"#, .unknownType, ""), ("[]", .typeMismatch, ""),
        (#"{"t":"lorry"}"#, .missingField, "c"), (#"{"t":"no","c":{}}"#, .unknownType, ""),
        (#"{"t":1,"c":{}}"#, .typeMismatch, "t"), (#"{"t":"Bike","c":1}"#, .typeMismatch, "c"),
        (#"{"t":"lorry","c":{"load":"1"}}"#, .typeMismatch, "c.load"),
        (#"{"c":{"load":"1"},"t":"lorry"}"#, .typeMismatch, "c.load"),
        (#"{"c":{},"t":"lorry"}"#, .missingField, "c.load"),
        (#"{"t":"Skate","c":"x"}"#, .unknownCase, "c"),
        (#"{"t":"Bike","c":{},"t":"Bike"}"#, .repeatedField, "t"),
        (#"{"t":"Bike","t":"Bike","c":{}}"#, .repeatedField, "t"),
        (#"{"c":{},"t":"Bike","c":{}}"#, .repeatedField, "c"),
        (#"{"c":{},"c":{},"t":"Bike"}"#, .repeatedField, "c"),
        (#"{"t":"Bike","c":{}"#, .unexpectedEnd, ""),
        (#"{"c":{},"t":"Bike",}"#, .invalidSyntax, ""),
        (#"{"t":"Bike" "c":{}}"#, .invalidSyntax, "t"), (#"{"c":}"#, .invalidSyntax, "c"),
    ]

    @Test(arguments: wrongBeside)
    func `wrong adjacent`(json: String, kind: ModelDecodingError.Kind, path: String) throws {
        let error = try #require(throws: ModelDecodingError.self) { try beside(json) }
        #expect(error.kind == kind, "\(error)")
        if kind != .unexpectedEnd, kind != .invalidSyntax { #expect(error.path == path) }
    }

    static let wrongAround: [(String, ModelDecodingError.Kind, String)] = [
        ("{}", .unknownType, ""), (#"{"x":{}}"#, .unknownType, ""), (#""Bike""#, .typeMismatch, ""),
        (#"{"Bike":1}"#, .typeMismatch, "Bike"), (#"{"truck":{}}"#, .missingField, "truck.load"),
        (#"{"Bike":{},"lorry":{"load":1}}"#, .repeatedField, "lorry"),
        (#"{"Bike":{},"Bike":{}}"#, .repeatedField, "Bike"), (#"{"Bike":{}"#, .unexpectedEnd, ""),
    ]

    @Test(arguments: wrongAround)
    func `wrong external`(json: String, kind: ModelDecodingError.Kind, path: String) throws {
        let error = try #require(throws: ModelDecodingError.self) { try around(json) }
        #expect(error.kind == kind, "\(error)")
        if kind != .unexpectedEnd { #expect(error.path == path) }
    }

    @Test
    func `errors say what was found`() throws {
        let error = try #require(throws: ModelDecodingError.self) { try around(#"{"x":{},"y":1}"#) }
        #expect(error.found == #"type "x""#)
        let other = try #require(throws: ModelDecodingError.self) { try beside(#"{"c":{}}"#) }
        #expect(other.found == #"object without "t""#)
    }

    /// Every prefix and every change of one byte ends in a value or a typed error.
    @Test
    func `broken documents`() throws {
        let garage = Garage(
            id: 1,
            beside: [Lorry(load: 1), Skate.quad],
            around: Transporter(wheels: 1, beside: Bike(), around: [Skate.quad]),
            inside: Lorry(load: 1)
        )
        let document = Array(try garage.encoded(as: .json))
        for length in 0..<document.count {
            #expect(throws: ModelDecodingError.self) {
                try Garage(decoding: Data(document[..<length]), as: .json)
            }
        }
        for index in document.indices {
            for byte in [0x00, 0x22, 0x2C, 0x30, 0x5C, 0x5D, 0x7B, 0x7D, 0xFF] as [UInt8] {
                var changed = document
                changed[index] = byte
                do {
                    _ = try Garage(decoding: Data(changed), as: .json)
                } catch is ModelDecodingError {}
            }
        }
    }

    @Test
    func `in columns`() async throws {
        let container = try ModelContainer(
            for: Garage.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let garage = try await container.perform { context in
            context.insert(
                Garage(
                    id: 1,
                    beside: [Lorry(load: 1), Skate.quad],
                    around: Skate.inline,
                    car: Skate.quad,
                    inside: Lorry(load: 3)
                )
            )
            try context.save()
            let fetched = try ModelContext(context.container).fetch(FetchDescriptor<Garage>())
            return try fetched.map { try $0.json() }
        }
        #expect(
            garage == [
                """
                {"id":1,"beside":[{"t":"lorry","c":{"wheels":6,"load":1}},{"t":"Skate","c":"quad"}],\
                "around":{"Skate":"inline"},"car":{"t":"Skate","c":"quad"},\
                "inside":{"$type":"lorry","wheels":6,"load":3}}
                """
            ]
        )
    }
}
