public import DovetailModel
public import Foundation

extension ModelContext {
    /// Reads an object of a document into the context, and those that it owns.
    ///
    /// ```swift
    /// let data = Data(#"{"title":"tools","items":[{"name":"hammer"}],"owner":"ann@x.org"}"#.utf8)
    /// let box = try context.decode(Box.self, from: data, as: .json)
    /// try context.save()
    /// ```
    ///
    /// An object whose declared key, or else first unique attribute, the context or the store has
    /// already is that object, with the attributes of the document; others are inserted. A reference
    /// leads to an object of the document, of the context, or of the store. Lists hold what the document
    /// says, and objects that leave an owning one are deleted at the save as after any other change.
    ///
    /// The document says all of an object: an attribute that it leaves out becomes what it is in a new
    /// one, and a relationship to one nil. A list that it leaves out, and a relationship that cannot be
    /// nil, stay as they are.
    ///
    /// - Complexity: linear in the size of the document, with one query for the objects of each class,
    ///   one for those that are referred to, and up to three for each relationship of a class: for what
    ///   the objects that were there hold, and who has held what they will hold.
    /// - Throws: ``ModelDecodingError`` with the path, of kind `unknownObject` for a reference that leads
    ///   nowhere, and what a fetch throws. Nothing is changed in the context then.
    @discardableResult
    public func decode<Object: PersistentModel>(
        _ type: Object.Type,
        from data: Data,
        as format: ModelFormat
    ) throws -> Object {
        // Invariant: one object is read, and that is given back.
        try decode(from: data, as: format) { document, graph in
            [try graph.read(type, document, at: "")]
        }[0]
    }

    /// Reads the objects of an array into the context, as `decode(_:from:as:)` reads one.
    ///
    /// - Throws: what reading one throws.
    @discardableResult
    public func decode<Object: PersistentModel>(
        _ type: [Object].Type,
        from data: Data,
        as format: ModelFormat
    ) throws -> [Object] {
        try decode(from: data, as: format) { document, graph in
            guard let elements = document.arrayValue else {
                throw DocumentGraph.mismatch("an array", document, at: "")
            }
            return try elements.enumerated().map { index, element in
                try graph.read(Object.self, element, at: "[\(index)]")
            }
        }
    }

    private func decode<Object: PersistentModel>(
        from data: Data,
        as format: ModelFormat,
        _ read: (ModelDocument, inout DocumentGraph) throws -> [DocumentGraph.Node]
    ) throws -> [Object] {
        try enter()
        defer { leave() }
        try beginUse()
        var graph = DocumentGraph(container.schema)
        let roots = try read(ModelDocument(decoding: data, as: format), &graph)
        try DocumentMerge(of: graph, in: self).apply()
        return roots.compactMap { $0.object as? Object }
    }
}
