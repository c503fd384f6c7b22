import Foundation
import Synchronization

/// Places in the order of a relationship to several objects.
///
/// A place is a number of milliseconds since 2001, times 2^20. So what is added to a list that was
/// not read comes last there, also after what other processes have added before, and between two
/// places there is room for others.
enum RelationOrder {
    private static let last = Atomic<Int64>(0)

    /// How far two places are apart that are given in one millisecond.
    private static let step: Int64 = 1 << 10

    /// How far ahead of the present a place may be that another machine has given, whose clock is wrong.
    private static let day: Int64 = 86_400_000 << 20

    /// A place after another one, and after all that this process has given. After one that is more than a
    /// day ahead of the present it is the next one, or the highest there is, and what comes later does not
    /// follow it.
    static func next(after place: Int64?) -> Int64 {
        let now = Int64(max(0, Date.now.timeIntervalSinceReferenceDate) * 1000) << 20
        if let place, place > now + day {
            let (next, isPast) = place.addingReportingOverflow(step)
            return isPast ? .max : next
        }
        while true {
            let known = last.load(ordering: .relaxed)
            var next = max(now, known + step)
            if let place, place >= next { next = place + step }
            let (isDone, _) = last.compareExchange(
                expected: known,
                desired: next,
                ordering: .relaxed
            )
            if isDone { return next }
        }
    }
}
