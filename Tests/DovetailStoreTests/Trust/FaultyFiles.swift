import CFaultyFiles
import Foundation

/// What fails of the files of a folder, and how.
struct Fault: CaseIterable, Equatable, CustomStringConvertible, Sendable {
    enum Operation: CaseIterable {
        case open, write, fullWrite, shortWrite, sync, truncate, delete, sharedMemory, read, look
    }

    let operation: Operation
    /// Whether everything after the n-th operation fails, too.
    let stays: Bool

    static let allCases: [Fault] = Operation.allCases.flatMap { operation in
        [Fault(operation: operation, stays: false), Fault(operation: operation, stays: true)]
    }

    var description: String { "\(operation), \(stays ? "from then on" : "once")" }

    /// Every how many-th operation of the story fails in the suite.
    var stride: Int {
        switch operation {
        case .write, .fullWrite, .shortWrite: 9
        case .read: 5
        default: 1
        }
    }

    private var mask: UInt32 {
        let operation =
            switch operation {
            case .open: FAULTY_OPEN
            case .write, .fullWrite, .shortWrite: FAULTY_WRITE
            case .sync: FAULTY_SYNC
            case .truncate: FAULTY_TRUNCATE
            case .delete: FAULTY_DELETE
            case .sharedMemory: FAULTY_SHARED_MEMORY
            case .read: FAULTY_READ
            case .look: FAULTY_LOOK
            }
        return UInt32(operation)
    }

    private var form: Int32 {
        let form =
            switch operation {
            case .fullWrite: FAULTY_AS_FULL
            case .shortWrite: FAULTY_AS_SHORT
            default: FAULTY_AS_ERROR
            }
        return Int32(form)
    }

    /// Makes the n-th operation fail, counted from 1.
    func begin(in folder: URL, at number: Int) {
        faulty_files_register()
        faulty_files_fail(folder.path, mask, Int32(clamping: number), stays ? 1 : 0, form)
    }

    /// Ends it.
    ///
    /// - Returns: How often something has failed.
    static func end() -> Int { Int(faulty_files_stop()) }
}
