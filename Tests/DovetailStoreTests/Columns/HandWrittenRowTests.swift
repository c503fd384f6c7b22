import DovetailModel
import Foundation
import Testing

/// Models without the macro read a row's columns by position, like generated code.
@Suite struct HandWrittenRowTests {
    @Test func `columns are read in their order`() throws {
        var values: [ByPosition] = []
        var rows = [[Int64(1), 2], [3, 4]].makeIterator()
        let row = IntegerRow()
        try ModelReader.readRows(
            of: ByPosition.self,
            from: row,
            fields: RowFields(ByPosition.modelAttributes),
            into: &values
        ) {
            guard let next = rows.next() else { return false }
            row.values = next
            return true
        }
        #expect(values == [ByPosition(first: 1, second: 2), ByPosition(first: 3, second: 4)])
        let document = Data(#"{"second":2,"first":1}"#.utf8)
        #expect(try ByPosition(decoding: document, as: .json) == values[0])
    }

    @Test func `a model that asks a row for names is told how`() {
        var values: [ByName] = []
        let row = IntegerRow()
        row.values = [1]
        let error = #expect(throws: ModelDecodingError.self) {
            try ModelReader.readRows(
                of: ByName.self,
                from: row,
                fields: RowFields(ByName.modelAttributes),
                into: &values
            ) { true }
        }
        #expect(error?.kind == .typeMismatch)
        #expect(error?.expected == "a model that reads the columns of a row by readColumn(_:)")
    }
}

private struct ByPosition: Model, Equatable {
    var first: Int
    var second: Int

    static var typeName: String { "ByPosition" }
    static var modelAttributes: [ModelAttribute] {
        [ModelAttribute("first", \Self.first), ModelAttribute("second", \Self.second)]
    }

    init(first: Int, second: Int) {
        (self.first, self.second) = (first, second)
    }

    init(modelValue reader: inout ModelReader) throws {
        var object = try reader.beginObject()
        var (first, second): (Int?, Int?)
        if object.isRow {
            try reader.readColumn(&first)
            try reader.readColumn(&second)
        } else {
            while let key = try reader.nextKey(in: &object) {
                if key.matches("first") {
                    try reader.read(&first, "first")
                } else if key.matches("second") {
                    try reader.read(&second, "second")
                } else {
                    try reader.skipField(key, in: object)
                }
            }
        }
        guard let first else { throw reader.missingField("first", in: object) }
        guard let second else { throw reader.missingField("second", in: object) }
        self.init(first: first, second: second)
    }

    func encode(to writer: inout ModelWriter) throws {
        let object = try writer.beginObject()
        try writer.field("\"first\":", first)
        try writer.field("\"second\":", second)
        try writer.endObject(object)
    }
}

/// Knows no rows.
private struct ByName: Model {
    var first: Int

    static var typeName: String { "ByName" }
    static var modelAttributes: [ModelAttribute] { [ModelAttribute("first", \Self.first)] }

    init(modelValue reader: inout ModelReader) throws {
        var object = try reader.beginObject()
        var found: Int?
        while try reader.nextKey(in: &object) != nil { found = try Int(modelValue: &reader) }
        first = found ?? 0
    }

    func encode(to writer: inout ModelWriter) throws {
        let object = try writer.beginObject()
        try writer.field("\"first\":", first)
        try writer.endObject(object)
    }
}

private final class IntegerRow: RowSource {
    var values: [Int64] = []

    func cell(_ column: Int) -> RowCell {
        values.indices.contains(column) ? .integer(values[column]) : .null
    }
}
