import DovetailModel

/// What a context tells the observers of its objects when it gives these values, reading them, taking over what
/// others have saved, saving, or taking back what waits: they hear of it when all of it is done, so that what they do
/// in `onChange`, such as to fetch or to save, finds objects that say what the context knows. What a program sets
/// itself is told at once.
///
/// A context that was half done gave the same change to a fetch inside of it again and again, and what an observer
/// set was overwritten by what came after it.
final class WithheldNotices {
    private struct Notice {
        let object: any PersistentModel
        var keyPaths: [AnyKeyPath]
    }

    /// How many calls that give values are in each other.
    private var depth = 0
    private var isTelling = false
    private var notices: [Notice] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// How often what observers do leads to other notices that are told with the first ones. The rest waits for
    /// the next call, as an answer to each notice would never end.
    private static let mostRounds = 16

    /// Whether the context is giving values.
    var isWithholding: Bool { depth > 0 }

    /// Begins a call that gives values.
    func begin() { depth += 1 }

    /// Ends a call that gives values, and tells what was withheld where it is the outermost one.
    func end() {
        depth -= 1
        if depth == 0, !notices.isEmpty, !isTelling { tell() }
    }

    /// Notes that a property of an object has changed.
    func add(_ object: any PersistentModel, _ keyPath: AnyKeyPath) {
        let identifier = ObjectIdentifier(object)
        guard let place = places[identifier] else {
            places[identifier] = notices.count
            return notices.append(Notice(object: object, keyPaths: [keyPath]))
        }
        if !notices[place].keyPaths.contains(keyPath) { notices[place].keyPaths.append(keyPath) }
    }

    private func tell() {
        isTelling = true
        defer { isTelling = false }
        for _ in 0..<Self.mostRounds where !notices.isEmpty {
            let told = exchange(&notices, with: [])
            places = [:]
            for notice in told {
                for keyPath in notice.keyPaths {
                    notice.object.persistentBacking.tell(notice.object, keyPath)
                }
            }
        }
    }
}
