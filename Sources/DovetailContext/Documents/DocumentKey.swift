import DovetailModel
import DovetailStore

/// The key of another object in a document.
struct DocumentKey {
    let type: any PersistentModel.Type
    let value: QueryValue
    let path: String

    /// - Throws: ``ModelDecodingError`` for what is no value of the attribute that names objects of the
    ///   class.
    init(_ reference: DocumentGraph.Reference) throws {
        type = reference.type
        path = reference.path
        // Invariant: `DocumentGraph` has no keys of a class that has no such attribute.
        let sink = ValueSink(columns: 1)
        do {
            try ObjectShape.of(type).reference?.setColumn(of: sink, by: reference.document)
        } catch let error as ModelDecodingError {
            throw error.inside(path)
        }
        value = sink.values[0]
        guard value != .null else { throw leadsNowhere }
    }

    var leadsNowhere: ModelDecodingError {
        let name = ObjectShape.of(type).reference.map { " with this `\($0.property)`" } ?? ""
        return ModelDecodingError(
            kind: .unknownObject,
            path: path,
            expected:
                "the key of an object: \(type)\(name) in the document, in the context, or stored",
            found: "none"
        )
    }
}
