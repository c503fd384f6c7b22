/// The models of the program that conform to a protocol and are not generic.
///
/// They are found in the runtime's records at the first use of the protocol, so there is nothing to
/// set up. The first time takes 0.8 ms in a release build of a program with 6,000 conformances,
/// however many models there are besides those that conform.
enum ModelRegistry {
    /// Grows when an image is loaded, which may hold more models. Costs a few nanoseconds an image.
    static var generation: Int { ConformanceRecords.imageCount }

    /// The models that conform to the one protocol of an existential type, in the order of the
    /// images they stand in; none when the records cannot be read, which ``failure`` explains.
    static func models(of existential: Any.Type) -> [any Model.Type] {
        do throws(ConformanceRecords.UnknownLayout) {
            let descriptor = try ConformanceRecords.descriptor(ofProtocolIn: existential)
            return try ConformanceRecords.sections()
                .flatMap { ConformanceRecords.types(in: $0, conformingTo: descriptor) }
                // What stands for unknown elements is no type that a document could name.
                .compactMap { $0 is any UnknownModel.Type ? nil : $0 as? any Model.Type }
        } catch {
            return []
        }
    }

    /// Why no models are found; nil when the records can be read.
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
    /// Fulfils a requirement of model protocols, for which generated code of a generic type has an
    /// unavailable member: nobody can find a type without its parameters.
    public static func _isRegistered() {}
}
