import CSQLite
import DovetailModel
import DovetailStore

/// Rows that wait for a statement which writes many of them: their columns in one block of memory, and the
/// bytes of their texts in another one.
///
/// SQLite takes about as long to begin and end a statement as to write a row: 32 rows by one `INSERT` take
/// half of what 32 statements do.
final class SQLiteHeldRows: SQLiteSink {
    private enum Kind: UInt8 {
        case null, integer, double, text, data
    }

    private struct Cell: BitwiseCopyable {
        var kind: Kind
        /// Of a text and of data where their bytes begin; of a number its bits.
        var bits: UInt64
        var count: Int
    }

    /// How many rows one statement writes.
    static let most = 32
    /// With more bytes the rows are written before there are so many.
    private static let mostBytes = 1 << 18

    private let columns: Int
    /// Invariant: holds ``most`` rows of ``columns`` initialized cells.
    private let cells: UnsafeMutablePointer<Cell>
    /// The cells of the row that is filled.
    @exclusivity(unchecked) private var row: UnsafeMutablePointer<Cell>
    /// Invariant: `bytes` has room for ``room`` bytes, of which ``used`` are those of texts.
    @exclusivity(unchecked) private var bytes: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var room = 1 << 12
    @exclusivity(unchecked) private var used = 0
    /// Where the bytes of the row that is filled begin.
    @exclusivity(unchecked) private var rowStart = 0
    /// The rows that are complete.
    @exclusivity(unchecked) private(set) var count = 0

    init(columns: Int) {
        self.columns = columns
        let nothing = Cell(kind: .null, bits: 0, count: 0)
        cells = .allocate(capacity: Self.most * columns)
        cells.initialize(repeating: nothing, count: Self.most * columns)
        row = cells
        bytes = .allocate(capacity: room)
    }

    deinit {
        cells.deallocate()
        bytes.deallocate()
    }

    /// Ends the row that is filled; true when the rows are to be written now.
    func finishRow() -> Bool {
        count &+= 1
        row += columns
        rowStart = used
        return count == Self.most || used >= Self.mostBytes
    }

    /// Forgets the rows that are complete, and not what is filled of the next one: what asks the database
    /// while a model becomes a row makes the rows before it be written.
    func removeAll() {
        guard count > 0 else { return }
        if count < Self.most { cells.update(from: row, count: columns) }
        (count, row) = (0, cells)
        // The bytes of a row that is half filled stay where they are.
        if used == rowStart { (used, rowStart) = (0, 0) }
    }

    /// A place for bytes, as an offset.
    private func keep(_ start: UnsafeRawPointer?, _ count: Int) -> UInt64 {
        if room &- used < count { grow(by: count) }
        // Invariant: there is room for `count` bytes after the first `used` ones.
        if let start {
            UnsafeMutableRawPointer(bytes + used).copyMemory(from: start, byteCount: count)
        }
        defer { used &+= count }
        return UInt64(used)
    }

    @inline(never)
    private func grow(by count: Int) {
        room = max(room * 2, used + count)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
        larger.update(from: bytes, count: used)
        bytes.deallocate()
        bytes = larger
    }

    func setNull(_ column: Int) { row[column].kind = .null }

    func set(_ column: Int, integer: Int64) {
        row[column].kind = .integer
        row[column].bits = UInt64(bitPattern: integer)
    }

    func set(_ column: Int, double: Double) {
        row[column].kind = .double
        row[column].bits = double.bitPattern
    }

    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) {
        let place = keep(text.baseAddress, text.count)
        row[column] = Cell(kind: .text, bits: place, count: text.count)
    }

    func set(_ column: Int, data: UnsafeRawBufferPointer) {
        let place = keep(data.baseAddress, data.count)
        row[column] = Cell(kind: .data, bits: place, count: data.count)
    }

    /// Binds rows to the parameters of a statement, those of one after those of the other. The bytes of texts
    /// stay here: it has to be run before anything else is done with the rows.
    ///
    /// - Throws: ``StoreError`` for what is too large for SQLite.
    func bind(_ rows: Range<Int>, to statement: SQLiteStatement) throws {
        let handle = statement.handle
        let first = cells + rows.lowerBound * columns
        for position in 0..<rows.count * columns {
            let (cell, parameter) = (first[position], Int32(truncatingIfNeeded: position &+ 1))
            let code =
                switch cell.kind {
                case .integer:
                    sqlite3_bind_int64(handle, parameter, Int64(bitPattern: cell.bits))
                case .text:
                    sqlite3_bind_text64(
                        handle,
                        parameter,
                        UnsafeRawPointer(bytes + Int(cell.bits)).assumingMemoryBound(
                            to: CChar.self
                        ),
                        sqlite3_uint64(cell.count),
                        nil,
                        UInt8(SQLITE_UTF8)
                    )
                case .null: sqlite3_bind_null(handle, parameter)
                case .double:
                    sqlite3_bind_double(handle, parameter, Double(bitPattern: cell.bits))
                case .data where cell.count == 0: sqlite3_bind_zeroblob(handle, parameter, 0)
                case .data:
                    sqlite3_bind_blob64(
                        handle,
                        parameter,
                        bytes + Int(cell.bits),
                        sqlite3_uint64(cell.count),
                        nil
                    )
                }
            if code != SQLITE_OK { try statement.check(code) }
        }
    }

    /// A row that is complete, for messages.
    func image(_ position: Int, of entity: EntityBinding) -> RowImage {
        RowImage(heldBackIn: entity) { content(of: cells[position * columns + $0]) }
    }

    private func content(of cell: Cell) -> RowCell {
        func bytes() -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(start: self.bytes + Int(cell.bits), count: cell.count)
        }
        return switch cell.kind {
        case .null: .null
        case .integer: .integer(Int64(bitPattern: cell.bits))
        case .double: .double(Double(bitPattern: cell.bits))
        case .text: .text(bytes())
        case .data: .data(bytes())
        }
    }
}
