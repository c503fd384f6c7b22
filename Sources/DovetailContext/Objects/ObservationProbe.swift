import Foundation
import Observation

/// Finds out whether properties are tracked on this thread, which Observation does not tell.
///
/// Tracking keeps the key paths that are read in a set, so it asks each for its hash, and that asks
/// the arguments of its subscripts. The key path here has an argument that counts how often it was
/// asked. So an object gets a registrar only when it is tracked: one takes 130 bytes.
final class ObservationProbe {
    private final class Subject: Observable, Sendable {
        subscript(_ marker: Marker) -> Int { 0 }
    }

    private struct Marker: Hashable, Sendable {
        func hash(into hasher: inout Hasher) {
            ObservationProbe.current.asked += 1
        }
    }

    private static let subject = Subject()
    private static let keyPath: any KeyPath<Subject, Int> & Sendable = \Subject[Marker()]
    /// Where each thread has its own probe, which ends with it.
    private static let place: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { probe in
            // Invariant: `current` alone puts values there, each retained once.
            if let probe { Unmanaged<ObservationProbe>.fromOpaque(probe).release() }
        }
        return key
    }()

    private var asked = 0
    private var registrar = ObservationRegistrar()

    private static var current: ObservationProbe {
        if let known = pthread_getspecific(place) {
            return Unmanaged<ObservationProbe>.fromOpaque(known).takeUnretainedValue()
        }
        let probe = ObservationProbe()
        pthread_setspecific(place, Unmanaged.passRetained(probe).toOpaque())
        return probe
    }

    /// Whether a property that is read now is tracked.
    static var isTracking: Bool {
        let probe = current
        let before = probe.asked
        probe.registrar.access(subject, keyPath: keyPath)
        if probe.asked == before { return false }
        // What tracks keeps the old one, and lets it go when it ends.
        probe.registrar = ObservationRegistrar()
        return true
    }
}
