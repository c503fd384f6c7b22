import DovetailStore
import Synchronization

/// Gives the keys of objects whose class declares none.
///
/// A key is the number of an opening of the database, times 2^32, and a counter. So it is known when
/// an object is inserted, and no two openings give the same.
final class HiddenKeys: Sendable {
    private struct State {
        var opening: Int64?
        var count: Int64 = 0
    }

    private let state = Mutex(State())

    /// The next key.
    ///
    /// - Throws: ``StoreError`` when the store gives no number.
    func next(of store: any DataStore) throws -> Int64 {
        try state.withLock { state in
            if state.opening == nil || state.count >= Int64(UInt32.max) {
                state.opening = try store.takeOpeningNumber()
                state.count = 0
            }
            state.count += 1
            return (state.opening ?? 0) << 32 | state.count
        }
    }
}
