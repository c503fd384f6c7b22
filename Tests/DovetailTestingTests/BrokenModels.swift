import Dovetail

// Models that each break one law. What `@Model` would have written is written by hand, wrongly.

protocol BrokenModel: Model, Sendable {
    static var sample: Self { get }
}

extension BrokenModel {
    static var typeName: String { "\(Self.self)" }
    static var modelAttributes: [ModelAttribute] { [ModelAttribute("first", \Self.self)] }
}

/// Two fields and the members that read and write them as they should be.
struct Fields: Equatable, Sendable {
    var first = 1
    var second = "x"

    func write(to writer: inout ModelWriter) throws {
        let scope = try writer.beginObject()
        try writer.field("\"first\":", first)
        try writer.field("\"second\":", second)
        try writer.endObject(scope)
    }

    init() {}

    /// - Parameter other: takes the names of fields that are not known.
    init(
        from reader: inout ModelReader,
        other: (FieldKey, inout ModelReader) throws -> Void = { _, reader in try reader.skipValue()
        }
    ) throws {
        var object = try reader.beginObject()
        while let key = try reader.nextKey(in: &object) {
            if key.matches("first") {
                first = try Int(modelValue: &reader)
            } else if key.matches("second") {
                second = try String(modelValue: &reader)
            } else {
                try other(key, &reader)
            }
        }
    }
}

/// Writes a field and forgets to read it.
struct Forgetful: BrokenModel, Equatable {
    var fields = Fields()
    static var sample: Self {
        var sample = Forgetful()
        sample.fields.first = 5
        return sample
    }
    init() {}
    init(modelValue reader: inout ModelReader) throws {
        fields = try Fields(from: &reader)
        fields.first = 1
    }
    func encode(to writer: inout ModelWriter) throws { try fields.write(to: &writer) }
}

/// The same without an `==`.
struct ForgetfulWithoutEquality: BrokenModel {
    private var inner = Forgetful.sample
    static var sample: Self { ForgetfulWithoutEquality() }
    private init() {}
    init(modelValue reader: inout ModelReader) throws { inner = try Forgetful(modelValue: &reader) }
    func encode(to writer: inout ModelWriter) throws { try inner.encode(to: &writer) }
}

/// Does not write a field, which only its `==` can know.
struct Silent: BrokenModel, Equatable {
    var first = 5
    static var sample: Self { Silent() }
    init() {}
    init(modelValue reader: inout ModelReader) throws { first = try Fields(from: &reader).first }
    func encode(to writer: inout ModelWriter) throws { try Fields().write(to: &writer) }
}

/// Takes the first field for `first`, whatever its name is.
struct Positional: BrokenModel, Equatable {
    var first = 1
    var second = 2
    var third = 3
    static var sample: Self { Positional() }
    init() {}
    init(modelValue reader: inout ModelReader) throws {
        var values: [Int] = []
        var object = try reader.beginObject()
        while try reader.nextKey(in: &object) != nil {
            if values.count < 3 {
                values.append(try Int(modelValue: &reader))
            } else {
                try reader.skipValue()
            }
        }
        guard values.count == 3 else { throw reader.rejected(expected: "three fields") }
        (first, second, third) = (values[0], values[1], values[2])
    }
    func encode(to writer: inout ModelWriter) throws {
        let scope = try writer.beginObject()
        try writer.field("\"first\":", first)
        try writer.field("\"second\":", second)
        try writer.field("\"third\":", third)
        try writer.endObject(scope)
    }
}

/// Refuses fields that it does not know.
struct Closed: BrokenModel, Equatable {
    var fields = Fields()
    static var sample: Self { Closed() }
    init() {}
    init(modelValue reader: inout ModelReader) throws {
        fields = try Fields(from: &reader) { _, reader in
            throw reader.rejected(expected: "a field that is known")
        }
    }
    func encode(to writer: inout ModelWriter) throws { try fields.write(to: &writer) }
}

/// Throws an error of its own.
struct Untyped: BrokenModel, Equatable {
    struct Failure: Error {}

    var fields = Fields()
    static var sample: Self { Untyped() }
    init() {}
    init(modelValue reader: inout ModelReader) throws {
        do {
            fields = try Fields(from: &reader)
        } catch {
            throw Failure()
        }
    }
    func encode(to writer: inout ModelWriter) throws { try fields.write(to: &writer) }
}

/// Writes what cannot be read.
struct Invalid: BrokenModel {
    static var sample: Self { Invalid() }
    init() {}
    init(modelValue reader: inout ModelReader) throws { _ = try Fields(from: &reader) }
    func encode(to writer: inout ModelWriter) throws {
        let scope = try writer.beginObject()
        try writer.field("\"first:", 1)
        try writer.endObject(scope)
    }
}

/// Cannot be written.
struct Unwritable: BrokenModel {
    static var sample: Self { Unwritable() }
    init() {}
    init(modelValue reader: inout ModelReader) throws { _ = try Fields(from: &reader) }
    func encode(to writer: inout ModelWriter) throws { try writer.write(Double.nan) }
}
