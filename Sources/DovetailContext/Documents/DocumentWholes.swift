package import DovetailModel
import DovetailStore

// Objects inside of others that documents have no name for. Which of them is which nobody can tell, so what one
// object has in a relationship is merged as a whole: by what they are with all inside of them, and not by who they are.

/// What an object has in a relationship to objects that documents have no name for, on both sides.
package struct DocumentWhole {
    /// Its position among those of the document.
    package let place: Int
    /// The row of the object.
    package let owner: RowName
    /// The name of its relationship in documents.
    package let name: String
    /// Whether the store has other objects in it than the last document.
    package let isChangedHere: Bool
    /// Whether the document has.
    package let isChangedThere: Bool
    /// Whether both have the same.
    package let isSame: Bool
    /// Whether a row of it was deleted here whose name another object has by now.
    package let isReplaced: Bool
    /// What the document says of it.
    package let document: ModelDocument
    /// The rows that come with it only.
    package let new: [RowName]
    /// The rows of objects with a name that it has, and that are there.
    package let known: [RowName]
    /// The rows of objects with a name that are in it here.
    package let held: [RowName]
    /// The objects without which it cannot be.
    package let needed: Set<RowName>
}

/// What becomes of wholes.
package struct WholeChoices {
    /// Those that both sides have, by their positions.
    package var same: Set<Int> = []
    /// Those that become what the document has.
    package var taken: Set<Int> = []
    /// Those that stay what they are here, while the other side has something else.
    package var noted: Set<Int> = []

    package init() {}
}

/// A relationship whose objects are merged as a whole.
struct WholeLink {
    let link: DocumentMerge.Link
    /// The objects of the document, the outermost ones.
    let nodes: [DocumentGraph.Node]
    /// What the document says of it.
    let document: ModelDocument?
}

/// The links of a document that is merged, and what is inside of wholes, which is not among them.
struct SeparatedLinks {
    var nodes: [DocumentGraph.Node] = []
    var links: [DocumentMerge.Link] = []
    var wholes: [WholeLink] = []
    /// The objects inside of wholes.
    var inside: [DocumentGraph.Node] = []
    /// What these refer to, by the objects.
    var references: [ObjectIdentifier: [DocumentMerge.Link]] = [:]
}

extension DocumentMerge {
    /// Separates what is merged as a whole from what is merged row by row.
    func separated() -> SeparatedLinks {
        var all = SeparatedLinks()
        var inside: Set<ObjectIdentifier> = []
        var objects: Set<ObjectIdentifier> = []
        var lists: Set<WholeName> = []
        for node in nodes {
            let isInside = inside.contains(ObjectIdentifier(node))
            let shape = ObjectShape.of(type(of: node.alone))
            for case (let index, .owned(let nodes)) in node.fields
            where isInside || context.isWhole(index, of: shape) {
                inside.formUnion(nodes.lazy.map { ObjectIdentifier($0) })
                if isInside { continue }
                lists.insert(WholeName(node.object, index))
                all.wholes.append(
                    WholeLink(
                        link: Link(object: node.object, index: index, others: nodes.map(\.object)),
                        nodes: nodes,
                        document: node.sources[index]
                    )
                )
            }
            if isInside {
                objects.insert(ObjectIdentifier(node.object))
                all.inside.append(node)
            } else {
                all.nodes.append(node)
            }
        }
        for link in links where !lists.contains(WholeName(link.object, link.index)) {
            let object = ObjectIdentifier(link.object)
            guard objects.contains(object) else {
                all.links.append(link)
                continue
            }
            let shape = ObjectShape.of(type(of: link.object))
            if !shape.relationships[link.index].isOwning {
                all.references[object, default: []].append(link)
            }
        }
        return all
    }
}

/// Names a relationship of an object.
private struct WholeName: Hashable {
    let object: ObjectIdentifier
    let index: Int

    init(_ object: any PersistentModel, _ index: Int) {
        self.object = ObjectIdentifier(object)
        self.index = index
    }
}
