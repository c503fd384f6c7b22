import Foundation
import Observation

/// Finds out whether properties are tracked on this thread, which Observation does not tell.
///
/// Tracking keeps the key paths that are read in a set, so it asks each for its hash, and that asks
/// the arguments of its subscripts. The key path here has an argument that counts how often it was
/// asked. So an object gets a registrar only when it is tracked: one takes 130 bytes.
@usableFromInline
final class ObservationProbe {
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
    @exclusivity(unchecked) private var registrar = ObservationRegistrar()
    private let subject = Subject()
    private let keyPath: any KeyPath<Subject, Int> & Sendable = \Subject[Marker()]

    /// The probe of this thread.
    private static var current: Unmanaged<ObservationProbe> {
        if let known = pthread_getspecific(place) { return .fromOpaque(known) }
        let probe = Unmanaged.passRetained(ObservationProbe())
        pthread_setspecific(place, probe.toOpaque())
        return probe
    }

    /// Whether a property that is read now is tracked.
    @usableFromInline
    static var isTracking: Bool {
        current._withUnsafeGuaranteedRef { probe in
            let before = probe.asked
            probe.registrar.access(probe.subject, keyPath: probe.keyPath)
            if probe.asked == before { return false }
            // What tracks keeps the old one, and lets it go when it ends.
            probe.registrar = ObservationRegistrar()
            return true
        }
    }
}
