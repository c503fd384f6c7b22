import Synchronization

/// The models of the program that conform to a protocol and are not generic.
///
/// They are found in the runtime's records (``ConformanceRecords``) at the first use of the
/// protocol, so there is nothing to set up. ``ConformerIndex`` keeps the result and asks again when
/// ``generation`` has grown.
///
/// The first use takes 0.8 ms in a release build of a program with 6,000 conformances. Models that
/// do not conform cost no more than any other conformance.
package enum ModelRegistry {
    /// Grows when an image is loaded, which may hold more models. It costs a few nanoseconds for
    /// each image.
    static var generation: Int { ConformanceRecords.imageCount }

    /// The models that conform to the one protocol of an existential type, image by image; none
    /// when the records cannot be read, which ``failure`` explains.
    ///
    /// - Complexity: linear in the conformances of the program.
    static func models(of existential: Any.Type) -> [any Model.Type] {
        // The type of elements that are kept is no type that a document could name.
        types(of: existential).compactMap {
            $0 is any UnknownModel.Type ? nil : $0 as? any Model.Type
        }
    }

    /// The same, and the classes that inherit from one of them: what a document may name.
    ///
    /// - Complexity: linear in the conformances of the program.
    static func modelsInDocuments(of existential: Any.Type) -> [any Model.Type] {
        let models = models(of: existential)
        guard models.contains(where: { $0 is AnyObject.Type }) else { return models }
        let inherited = types(of: (any _InheritedModel).self).compactMap {
            ($0 as? any _InheritedModel.Type)?.model
        }
        return models
            + inherited.filter { model in
                let isOwn = models.contains { ObjectIdentifier($0) == ObjectIdentifier(model) }
                return !isOwn && (try? ConformanceRecords.conforms(model, to: existential)) == true
            }
    }

    /// The protocols that are conformers of others. They are looked for again when images were loaded.
    ///
    /// - Complexity: linear in the conformances of the program the first time, then O(1).
    static var levels: [LevelParent] {
        let generation = generation
        if let known = knownLevels.withLock({ $0.generation == generation ? $0.levels : nil }) {
            return known
        }
        // The coding's module is asked outside of the lock.
        let found = types(of: (any ProtocolLevel).self)
            .compactMap { $0 as? any ProtocolLevel.Type }
            .flatMap { $0.parents.compactMap { $0 } }
        knownLevels.withLock { $0 = (generation, found) }
        return found
    }

    private static let knownLevels = Mutex<(generation: Int, levels: [LevelParent])>((-1, []))

    /// The types that conform to the one protocol of an existential type and are not generic.
    private static func types(of existential: Any.Type) -> [Any.Type] {
        do throws(ConformanceRecords.UnknownLayout) {
            let descriptor = try ConformanceRecords.descriptor(ofProtocolIn: existential)
            return try ConformanceRecords.sections()
                .flatMap { ConformanceRecords.types(in: $0, conformingTo: descriptor) }
        } catch {
            return []
        }
    }

    /// Whether a model is of a type that is known at run time only: that of the model, or `any P` of
    /// a protocol that it conforms to. Nil for compositions and what else is no such type.
    ///
    /// - Complexity: that of `as?` for types.
    package static func isModel(_ model: any Model.Type, _ type: Any.Type) -> Bool? {
        if ObjectIdentifier(model) == ObjectIdentifier(type) { return true }
        if type is any Model.Type { return false }
        return try? ConformanceRecords.conforms(model, to: type)
    }

    /// Why no models are found; nil when the records can be read. Only errors ask for it.
    static var failure: ConformanceRecords.UnknownLayout? {
        do throws(ConformanceRecords.UnknownLayout) {
            _ = try ConformanceRecords.descriptor(ofProtocolIn: (any Model).self)
            _ = try ConformanceRecords.sections()
            return nil
        } catch {
            return error
        }
    }
}

extension Model {
    /// Fulfils a requirement of model protocols, and does nothing.
    ///
    /// A generic model has an unavailable member of this name, so that the compiler refuses its
    /// conformance: a document names a type without its parameters. Called by nobody.
    public static func _hasNoParameters() {}
}
