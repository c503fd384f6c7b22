/// Where a reader is in a migrated object.
///
/// That of the innermost object is in the state, so that the next member is two loads away and not
/// five; the objects around it keep theirs (``ReaderState/enter(_:)``).
///
/// Invariant: valid as long as the object is read, while nothing changes its members.
struct MigratedPlace: BitwiseCopyable {
    /// The place of the object in ``ReaderState/Migration/nesting``.
    fileprivate(set) var nesting = 0
    /// As ``MigratedObject/start`` and ``MigratedObject/base``; where no object starts outside of
    /// all.
    fileprivate(set) var start = ReaderState.noBytes
    fileprivate(set) var base = ReaderState.noBytes
    /// ``LazyMembers/names``
    fileprivate(set) var names = ReaderState.noBytes
    /// The member that is next, and the end of the members.
    fileprivate(set) var next: UnsafePointer<LazyMember>
    fileprivate(set) var last: UnsafePointer<LazyMember>
    /// Where the value ends that is being read; where the reader is meanwhile, for a value that a
    /// step put in.
    var valueEnd = ReaderState.noBytes

    init(
        nesting: Int,
        start: UnsafePointer<UInt8>,
        base: UnsafePointer<UInt8>,
        names: UnsafePointer<UInt8>,
        next: UnsafePointer<LazyMember>,
        last: UnsafePointer<LazyMember>,
        valueEnd: UnsafePointer<UInt8>
    ) {
        self.nesting = nesting
        self.start = start
        self.base = base
        self.names = names
        self.next = next
        self.last = last
        self.valueEnd = valueEnd
    }

    /// The place outside of all objects.
    init() {
        next = UnsafeRawPointer(ReaderState.noBytes).assumingMemoryBound(to: LazyMember.self)
        last = next
    }
}

extension ReaderState {
    /// Enters a migrated object of the chain, inside of the current one.
    @inline(__always)
    func enter(_ migrated: Unmanaged<MigratedObject>) {
        migration.current?._withUnsafeGuaranteedRef { $0.place = migration.place }
        migration.current = migrated
        migration.place = migrated._withUnsafeGuaranteedRef {
            $0.placeAtStart(inside: migration.nesting)
        }
        migration.nesting += 1
        migration.depth += 1
    }

    /// Leaves the innermost migrated object.
    @inline(__always)
    func leaveMigrated() {
        migration.nesting -= 1
        guard let migrated = migration.current else { return }
        migration.depth -= 1
        migration.current = migrated._withUnsafeGuaranteedRef { $0.outer }
        if let outer = migration.current {
            migration.place = outer._withUnsafeGuaranteedRef { $0.place }
        } else {
            migration.place.start = ReaderState.noBytes
        }
    }

    /// Moves to the next member of the innermost migrated object; nil after the last one.
    @inline(__always)
    func takeNextMember() -> UnsafePointer<LazyMember>? {
        let next = migration.place.next
        guard next != migration.place.last else { return nil }
        migration.place.next = next + 1
        return next
    }
}
