import CSQLite
import Dovetail

/// The texts of ``WideRecord`` in columns, written and read by hand: no more than its samples need,
/// and in the form that Dovetail gives them.
enum HandText {
    /// `2023-03-08 20:26:40.123`, in milliseconds.
    static func text(of date: Date) -> String {
        let interval = date.timeIntervalSinceReferenceDate
        let seconds = interval.rounded(.down)
        var milliseconds = Int(((interval - seconds) * 1000).rounded())
        var time = time_t(seconds + Date.timeIntervalBetween1970AndReferenceDate)
        var parts = tm()
        gmtime_r(&time, &parts)
        return String(unsafeUninitializedCapacity: 23) { buffer in
            var count = 0
            func put(_ value: Int32, _ width: Int, _ separator: UInt8) {
                var rest = value
                for place in (0..<width).reversed() {
                    buffer[count + place] = UInt8(0x30 + rest % 10)
                    rest /= 10
                }
                buffer[count + width] = separator
                count += width + 1
            }
            put(parts.tm_year + 1900, 4, 0x2D)
            put(parts.tm_mon + 1, 2, 0x2D)
            put(parts.tm_mday, 2, 0x20)
            put(parts.tm_hour, 2, 0x3A)
            put(parts.tm_min, 2, 0x3A)
            put(parts.tm_sec, 2, 0x2E)
            if milliseconds == 0 { return count - 1 }
            var divisor = 100
            while milliseconds > 0 {
                buffer[count] = UInt8(0x30 + milliseconds / divisor)
                milliseconds %= divisor
                divisor /= 10
                count += 1
            }
            return count
        }
    }

    static func date(of bytes: UnsafeBufferPointer<UInt8>) throws -> Date {
        guard bytes.count >= 19 else { throw HandStatement.Failure(code: SQLITE_MISMATCH) }
        func number(_ start: Int, _ width: Int) -> Int32 {
            bytes[start..<start + width].reduce(0) { $0 * 10 + Int32($1) - 0x30 }
        }
        var parts = tm()
        parts.tm_year = number(0, 4) - 1900
        parts.tm_mon = number(5, 2) - 1
        parts.tm_mday = number(8, 2)
        parts.tm_hour = number(11, 2)
        parts.tm_min = number(14, 2)
        parts.tm_sec = number(17, 2)
        let seconds = Double(timegm(&parts)) - Date.timeIntervalBetween1970AndReferenceDate
        var milliseconds = 0.0
        if bytes.count > 20 {
            let width = bytes.count - 20
            milliseconds = Double(number(20, width)) * [100, 10, 1][width - 1]
        }
        return Date(timeIntervalSinceReferenceDate: seconds + milliseconds / 1000)
    }

    /// Appends a string of JSON.
    static func append(_ string: String, to document: inout String) {
        document += "\""
        if string.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 }) {
            for scalar in string.unicodeScalars {
                if scalar == "\"" || scalar == "\\" { document += "\\" }
                document.unicodeScalars.append(scalar)
            }
        } else {
            document += string
        }
        document += "\""
    }
}

/// Reads the strings of a document whose form is known.
struct HandScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Whether another element of an array follows, which is a string.
    var hasElement: Bool { index + 1 < bytes.count && bytes[index + 1] == 0x22 }

    /// The string whose opening quote comes after so many bytes.
    mutating func string(after distance: Int) throws -> String {
        let start = index + distance + 1
        guard start <= bytes.count, bytes[start - 1] == 0x22 else {
            throw HandStatement.Failure(code: SQLITE_MISMATCH)
        }
        index = start
        while index < bytes.count, bytes[index] != 0x22 {
            // The samples have no escapes.
            if bytes[index] == 0x5C { throw HandStatement.Failure(code: SQLITE_MISMATCH) }
            index += 1
        }
        let part = UnsafeBufferPointer(rebasing: bytes[start..<index])
        index += 1
        return String(decoding: part, as: UTF8.self)
    }
}
