import Foundation
import Observation

/// Whether a property that is read now is tracked on this thread, which Observation does not tell.
///
/// A function and not a member of ``ObservationProbe``: every call of that would ask for its metadata.
@usableFromInline
func isObservationTracked() -> Bool {
    let probe = ObservationProbe.current
    let isTracked = probe._withUnsafeGuaranteedRef { $0.isAsked() }
    if isTracked { ObservationProbe.replace(probe) }
    return isTracked
}

/// Finds out whether properties are tracked.
///
/// Tracking keeps the key paths that are read in a set, so it asks each for its hash, and that asks
/// the arguments of its subscripts. The key path here has an argument that counts how often it was
/// asked. So an object gets a registrar only when it is tracked: one takes 130 bytes.
private final class ObservationProbe {
    private final class Subject: Observable, Sendable {
        subscript(_ marker: Marker) -> Int { 0 }
    }

    private struct Marker: Hashable, Sendable {
        func hash(into hasher: inout Hasher) {
            ObservationProbe.current._withUnsafeGuaranteedRef { $0.asked += 1 }
        }
    }

    /// Where each thread has its own probe, which ends with it.
    private static let place: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { probe in
            // Invariant: `make` alone puts values there, each retained once.
            if let probe { Unmanaged<ObservationProbe>.fromOpaque(probe).release() }
        }
        return key
    }()

    /// How often the key path was asked for its hash.
    @exclusivity(unchecked) private var asked = 0
    /// A constant: of a variable each call would copy it, which is half of what the question takes.
    private let registrar = ObservationRegistrar()
    private let subject = Subject()
    private let keyPath: any KeyPath<Subject, Int> & Sendable = \Subject[Marker()]

    /// The probe of this thread.
    static var current: Unmanaged<ObservationProbe> {
        if let known = pthread_getspecific(place) { return .fromOpaque(known) }
        return make()
    }

    @inline(never)
    private static func make() -> Unmanaged<ObservationProbe> {
        let probe = Unmanaged.passRetained(ObservationProbe())
        pthread_setspecific(place, probe.toOpaque())
        return probe
    }

    /// Gives this thread another one. What tracks keeps the registrar of the old one, and lets it go when it
    /// ends.
    @inline(never)
    static func replace(_ probe: Unmanaged<ObservationProbe>) {
        _ = make()
        probe.release()
    }

    /// Reads a property, and tells whether that was tracked.
    func isAsked() -> Bool {
        let before = asked
        registrar.access(subject, keyPath: keyPath)
        return asked != before
    }
}
