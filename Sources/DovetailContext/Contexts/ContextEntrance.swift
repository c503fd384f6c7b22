import DovetailStore
import Foundation
import Synchronization

/// Notices two threads that work with one context at the same time.
///
/// A context may go from one thread to another; only calls that overlap are wrong. So it is noted
/// which thread is in a call, and a second one that comes meanwhile is refused. Nothing is said of
/// calls that follow each other, however close they are: no call of a program that is right is refused.
///
/// Invariant of the unchecked `Sendable`: `depth` is read and written by the thread alone whose number
/// is in `owner`, which it puts there by an exchange that acquires and takes out by one that releases.
@usableFromInline
final class ContextEntrance: @unchecked Sendable {
    /// The number of the thread that is in a call; 0 for none.
    private let owner = Atomic<UInt>(0)
    /// How many calls of that thread are inside of each other.
    private var depth = 0
    /// Whether a call was refused that could not throw.
    private let wasRefused = Atomic<Bool>(false)

    /// Notes that a call begins.
    ///
    /// - Returns: Whether it may; false while another thread is in a call.
    private func enter() -> Bool {
        let thread = UInt(bitPattern: ObjectIdentifier(Thread.current))
        let (isFree, other) = owner.compareExchange(
            expected: 0,
            desired: thread,
            ordering: .acquiring
        )
        guard isFree || other == thread else { return false }
        depth += 1
        return true
    }

    /// Notes that a call ends that was let in.
    @usableFromInline
    func leave() {
        depth -= 1
        if depth == 0 { owner.store(0, ordering: .releasing) }
    }

    /// Notes that a call begins.
    ///
    /// - Throws: ``StoreError`` of kind `concurrentUse` when it is refused, or one was that could not say
    ///   so.
    @usableFromInline
    func enterOrThrow() throws {
        guard enter() else { throw Self.error }
        guard wasRefused.exchange(false, ordering: .relaxed) else { return }
        leave()
        throw Self.error
    }

    /// Notes that a call begins; false when it is refused, which is kept for the next one.
    @usableFromInline
    func enterOrRefuse() -> Bool {
        if enter() { return true }
        wasRefused.store(true, ordering: .relaxed)
        return false
    }

    private static let error = StoreError(
        .concurrentUse,
        explanation: "two threads were in calls of one context at the same time; give each task a "
            + "context of its own, or use the context inside of one actor"
    )
}

extension ModelContext {
    /// Begins a call of the context, which ``leave()`` ends. In debug builds one that comes while another
    /// thread is in a call is refused, and so is the first one after a call that was refused and could
    /// not say so.
    ///
    /// - Throws: ``StoreError`` of kind `concurrentUse`.
    @inlinable
    @inline(__always)
    func enter() throws {
        #if DEBUG
            try entrance.enterOrThrow()
        #endif
    }

    /// Begins a call that cannot throw; false for one that is refused and has to do nothing. The next call
    /// that can throws the error.
    @inlinable
    @inline(__always)
    func mayEnter() -> Bool {
        #if DEBUG
            entrance.enterOrRefuse()
        #else
            true
        #endif
    }

    /// Ends a call.
    @inlinable
    @inline(__always)
    func leave() {
        #if DEBUG
            entrance.leave()
        #endif
    }
}
