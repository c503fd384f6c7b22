import Dovetail
import Testing

/// What a model reads from the cells of a row, whatever store puts them down.
@Suite struct RowCellTests {
    private func read<Value: ModelValue>(_ cell: RowCell, as type: Value.Type) throws -> Value {
        let fields = RowFields(Cells.modelAttributes)
        return try ModelReader.readColumn(1, of: Row([.null, cell]), fields: fields, as: type)
    }

    private func row(_ cells: [RowCell]) throws -> Cells {
        let fields = RowFields(Cells.modelAttributes)
        return try ModelReader.readRow(of: Cells.self, from: Row(cells), fields: fields)
    }

    @Test func `each kind is read as what it is`() throws {
        try withText("Lisbon") { text throws in
            let cells = try row([.integer(7), .text(text), .double(0.5), .integer(1)])
            #expect(cells == Cells(number: 7, name: "Lisbon", ratio: 0.5, isOpen: true))
            // A store may tell truth values from numbers, and may keep whole numbers for others.
            let other = try row([.boolean(true), .text(text), .integer(2), .boolean(false)])
            #expect(other == Cells(number: 1, name: "Lisbon", ratio: 2, isOpen: false))
        }
    }

    @Test func `texts of all lengths are read`() throws {
        for character in ["x", "é", "🦊"] {
            for count in 0...40 {
                let name = String(repeating: "a", count: count) + character
                for text in [
                    name, String(name.reversed()), String(repeating: character, count: count),
                ] {
                    try withText(text) { bytes throws in
                        #expect(try read(.text(bytes), as: String.self) == text)
                    }
                }
            }
        }
    }

    @Test func `a text that is not UTF-8 is an error, long or short`() {
        for count in 0...40 {
            var bytes = [UInt8](repeating: 0x61, count: count)
            bytes.insert(0xFF, at: count / 2)
            bytes.withUnsafeBufferPointer { bytes in
                let error = #expect(throws: ModelDecodingError.self) {
                    try read(.text(bytes), as: String.self)
                }
                #expect(error?.kind == .invalidEncoding)
                #expect(error?.path == "name")
            }
        }
    }

    @Test func `dates and decimals may be texts`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.5)
        #expect(try read(.date(date), as: Date.self) == date)
        try withText("2023-03-08 20:26:40.500") { text throws in
            #expect(try read(.text(text), as: Date.self) == date)
        }
        try withText("0.10") { text throws in
            #expect(try read(.text(text), as: Decimal.self) == 0.1)
        }
        #expect(try read(.integer(3), as: Decimal.self) == 3)
        #expect(try read(.double(0.1), as: Decimal.self) == Decimal(string: "0.1"))
    }

    @Test func `what is of another kind is an error that names it, and null only for optionals`()
        throws
    {
        try withText("x") { text throws in
            let cells: [(RowCell, String)] = [
                (.null, "NULL"), (.text(text), "text"), (.data(text), "bytes"),
                (.date(.distantPast), "a date"), (.other, "something else"),
            ]
            for (cell, kind) in cells {
                for body in [
                    { _ = try self.read(cell, as: Int.self) },
                    { _ = try self.read(cell, as: Double.self) },
                    { _ = try self.read(cell, as: Bool.self) },
                    { _ = try self.row([cell, .text(text), .double(1), .integer(0)]) },
                    { _ = try self.row([.integer(1), .text(text), cell, .integer(0)]) },
                    { _ = try self.row([.integer(1), .text(text), .double(1), cell]) },
                ] {
                    let error = #expect(throws: ModelDecodingError.self, performing: body)
                    #expect(error?.kind == .typeMismatch)
                    #expect(error?.found == kind)
                }
            }
        }
        let error = #expect(throws: ModelDecodingError.self) {
            try row([.integer(1), .integer(5), .double(1), .integer(0)])
        }
        #expect(error?.path == "name")
        #expect(error?.found == "an integer")
        #expect(throws: ModelDecodingError.self) { try read(.integer(2), as: Bool.self) }
        #expect(throws: ModelDecodingError.self) { try read(.integer(300), as: UInt8.self) }
        #expect(throws: ModelDecodingError.self) { try read(.other, as: Int?.self) }
        #expect(try read(.null, as: Int?.self) == nil)
    }

    private func withText(
        _ text: String,
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        try Array(text.utf8).withUnsafeBufferPointer(body)
    }
}

@Model private struct Cells: Equatable {
    var number: Int
    var name: String
    var ratio: Double
    var isOpen: Bool
}

private final class Row: RowSource {
    private let cells: [RowCell]

    init(_ cells: [RowCell]) {
        self.cells = cells
    }

    func cell(_ column: Int) -> RowCell {
        cells.indices.contains(column) ? cells[column] : .null
    }
}
