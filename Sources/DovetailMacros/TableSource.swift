import DovetailSyntax

/// Writes what a store has to know of a struct or class beyond its columns: traits of attributes,
/// the name of the table, and indexes.
///
/// ```swift
/// static var modelTable: Swift::String { "users" }
/// static var modelIndexes: [Dovetail::ModelIndex] {
///     [
///         Dovetail::ModelIndex(["name"]),
///         Dovetail::ModelIndex(["email"], isUnique: true)
///     ]
/// }
/// ```
struct TableSource {
    let model: ModelDeclaration
    /// How a key path in the extension names the type.
    let root: String

    /// The elements of `traits:` for an attribute. Where the only primary key says that it is
    /// unique there is none for it: a second index would cost and do nothing.
    func traits(of property: StoredProperty, isOnlyKey: Bool) -> [String] {
        let options = property.attribute.table
        var traits: [String] = []
        if options.isUnique, !isOnlyKey { traits.append(".unique") }
        if options.isGenerated { traits.append(".generated") }
        traits += options.marks.map { ".marked(.\($0))" }
        if model.defers(property) { traits.append(".deferrable") }
        if let name = options.originalName {
            traits.append(".originalName(\(RawSource.literal(name)))")
        }
        if let modifier = options.hashModifier {
            traits.append(".hashModifier(\(RawSource.literal(modifier)))")
        }
        guard let reference = options.reference else { return traits }
        let target = model.spelling(reference.typeName) + ".self"
        if reference.deleteRule == "nullify", !property.isOptional {
            // The name of the type may stand for an optional, which overload resolution sees.
            traits.append("Dovetail::_nullifying(\(target), at: \\\(root).\(property.name))")
        } else {
            let rule = reference.deleteRule.map { ", deleteRule: .\($0)" } ?? ""
            traits.append(".references(\(target)\(rule))")
        }
        return traits
    }

    /// Writes `modelTable`, `modelDeletion`, `modelShard` and `modelIndexes` where the declaration says something of them.
    func write(to source: inout SourceText) {
        if let table = model.table, model.hierarchy == nil {
            let name = RawSource.literal(table)
            source.line("\(model.access)static var modelTable: Swift::String { \(name) }")
        }
        if model.marksDeletion {
            source.line(
                "\(model.access)static var modelDeletion: Dovetail::ModelDeletion { .mark }"
            )
        }
        if let shard = model.shard {
            let name = RawSource.literal(shard)
            source.line("\(model.access)static var modelShard: Swift::String? { \(name) }")
        }
        guard !model.indexes.isEmpty || model.hierarchy != nil else { return }
        let indexes = model.indexes.map { index in
            let isUnique = index.isUnique ? ", isUnique: true" : ""
            return "Dovetail::ModelIndex(\(RawSource.list(index.properties))\(isUnique))"
        }
        source.block("\(model.classMember())var modelIndexes: [Dovetail::ModelIndex]") {
            let inherited = model.hierarchy?.isSubclass == true ? "super.modelIndexes + " : ""
            if indexes.isEmpty {
                $0.line(inherited + "[]")
            } else {
                $0.list(inherited + "[", indexes, "]")
            }
        }
    }
}
