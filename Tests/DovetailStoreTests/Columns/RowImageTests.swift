import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

@testable import DovetailStore

/// Rows in memory: what is put into their columns comes back from them.
struct RowImageTests {
    /// A random value of any kind.
    private func value(_ random: inout SeededRandom) -> QueryValue {
        let text = String(repeating: "é☃", count: Int.random(in: 0...40, using: &random))
        return switch Int.random(in: 0...8, using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .integer(.random(in: .min...(.max), using: &random))
        case 3: .double(.random(in: -1e9...1e9, using: &random))
        case 4: .decimal(Decimal(Int.random(in: -99...99, using: &random)) / 8)
        case 5: .text(text)
        case 6: .date(Date(timeIntervalSinceReferenceDate: .random(in: 0...1e9, using: &random)))
        case 7: .data(Data(text.utf8))
        default: .document("[\(text.utf8.count)]")
        }
    }

    /// What a row says, as it was put there.
    private func said(by row: RowImage) throws -> [QueryValue] {
        let sink = Heard()
        try row.write(to: sink)
        return sink.values
    }

    @Test(arguments: SeededRandom.seeds)
    func `values of all kinds come back, in rows that are used again`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let part = RowImage(unknown: 70)
        for _ in 0..<200 {
            let count = Int.random(in: 0...70, using: &random)
            let expected = (0..<count).map { _ in value(&random) }
            let row = RowImage(expected)
            #expect(try said(by: row) == expected)
            #expect(row.knownColumns == ColumnSet(0..<count))

            part.clear()
            let known = ColumnSet((0..<count).filter { _ in Bool.random(using: &random) })
            for column in known {
                // The later one counts.
                part.setNull(column)
                try row.write(column, to: part, at: column)
            }
            #expect(part.knownColumns == known)
            let missing = Array(repeating: QueryValue.null, count: 70 - count)
            let partial = expected.indices.map { known.contains($0) ? expected[$0] : .null }
            #expect(try said(by: part) == partial + missing)
            #expect(row.columns(of: known, differingFrom: part).isEmpty)
            // What a row says nothing about is the same.
            #expect(row.columns(of: ColumnSet(0..<count), differingFrom: part).isEmpty)
            if let column = Array(known).randomElement(using: &random) {
                let changed = QueryValue.text("\(expected[column]) and more")
                try changed.set(column, of: part)
                #expect(row.columns(of: known, differingFrom: part) == [column])
            }
        }
    }

    @Test func `empty text and no bytes are values, and a column too many is dropped`() throws {
        let row = RowImage(columns: 3)
        #expect([0, 1, 2, 3, -1].allSatisfy(row.isNull))
        let values: [QueryValue] = [.text(""), .data(Data()), .integer(.min), .bool(true)]
        for (column, value) in values.enumerated() { try value.set(column, of: row) }
        try QueryValue.text("x").set(-1, of: row)
        #expect(try said(by: row) == Array(values.prefix(3)))
        #expect(row.text(0)?.count == 0 && row.data(1)?.count == 0)
        #expect(row.integer(2) == .min && row.integer(3) == nil && row.text(-1) == nil)
        #expect(RowImage(columns: -1).isNull(0) && RowImage(columns: 0).isNull(0))
    }
}

/// A sink that keeps what it is told.
private final class Heard: RowSink {
    private(set) var values: [QueryValue] = []

    private func add(_ column: Int, _ value: QueryValue) {
        #expect(column == values.count)
        values.append(value)
    }

    func setNull(_ column: Int) { add(column, .null) }
    func set(_ column: Int, bool: Bool) { add(column, .bool(bool)) }
    func set(_ column: Int, integer: Int64) { add(column, .integer(integer)) }
    func set(_ column: Int, double: Double) { add(column, .double(double)) }
    func set(_ column: Int, decimal: Decimal) { add(column, .decimal(decimal)) }
    func set(_ column: Int, date: Date) { add(column, .date(date)) }
    func set(_ column: Int, data: UnsafeRawBufferPointer) { add(column, .data(Data(data))) }
    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) {
        add(column, .text(String(decoding: text, as: UTF8.self)))
    }
    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) {
        add(column, .document(String(decoding: document, as: UTF8.self)))
    }
}
