import DovetailSyntax

/// Writes what a model needs for those that are flattened in it: the names of all fields, resolved once
/// for the type, and for each of the models its slots, a question in the loop over the fields, and the
/// value at the end.
///
/// ```swift
/// private static let _$names = Dovetail::FlattenedNames(
///     of: Self.self,
///     [.model(LayerHead.self, of: "head"), .name("text")]
/// )
/// var _head = Dovetail::FlattenedSlots<LayerHead>(names.member(0))
/// if try !_head.read(key, in: object, from: &reader) { … }
/// let headValue = try _head.finish(names: names.member(0), in: object, from: &reader)
/// ```
struct FlattenedSource {
    let model: ModelDeclaration
    let attributes: [ModelDeclaration.Attribute]

    init(_ model: ModelDeclaration, _ attributes: [ModelDeclaration.Attribute]) {
        self.model = model
        self.attributes = attributes
    }

    private var properties: [StoredProperty] {
        attributes.map(\.property).filter { $0.attribute.flattened != nil }
    }

    /// Whether nothing is flattened in the model.
    var isEmpty: Bool { properties.isEmpty }

    /// The variables that hold the slots.
    var slots: [String] { properties.map(\.slot) }

    /// The type of the slots of a property.
    func slotType(of property: StoredProperty) -> String {
        let name = property.attribute.prefix == nil ? "FlattenedSlots" : "PrefixedFlattenedSlots"
        return "Dovetail::\(name)<\(model.spelling(of: property.type))>"
    }

    /// What the fields of a property are named.
    func names(of property: StoredProperty) -> String {
        let position = properties.firstIndex { $0.place == property.place } ?? 0
        return "names.member(\(position))"
    }

    /// The expression that makes empty slots.
    func emptySlots(of property: StoredProperty) -> String {
        "\(slotType(of: property))(\(names(of: property)))"
    }

    /// The expression that empties the slots into a value.
    func value(of property: StoredProperty) -> String {
        "try \(property.slot).finish(names: \(names(of: property)), in: object, from: &reader)"
    }

    /// The entry of the list of attributes.
    ///
    /// - Parameter root: How a key path names the type.
    func attribute(of property: StoredProperty, root: String) -> String {
        var entry = "Dovetail::_flattened(\\\(root).\(property.name), "
        entry += RawSource.literal(property.plainName)
        if let prefix = property.attribute.prefix {
            entry += ", prefix: \(RawSource.literal(prefix))"
        }
        if model.declaresID, !attributes.contains(where: \.isPrimaryKey) {
            entry += ", identifier: \\\(root).id"
        }
        return entry + ")"
    }

    /// The elements of the list of fields.
    var fields: [String] {
        var seen: Set<String> = []
        var fields: [String] = []
        var aliases: [String] = []
        for attribute in attributes {
            let property = attribute.property
            let name = RawSource.literal(property.plainName)
            guard property.attribute.flattened == nil else {
                let prefix = property.attribute.prefix.map { ", prefix: \(RawSource.literal($0))" }
                let written = model.spelling(of: property.type)
                // `Box<Int>?.self` would be an optional chain.
                let type = written.hasSuffix("?") ? "(\(written))" : written
                fields.append(".model(\(type).self, of: \(name)\(prefix ?? ""))")
                continue
            }
            // An object around several attributes is one field.
            let field = attribute.path.components[0]
            if seen.insert(field).inserted {
                let of = field == property.plainName ? "" : ", of: \(name)"
                fields.append(".name(\(RawSource.literal(field))\(of))")
            }
            for alias in property.attribute.aliases {
                let field = alias.components[0]
                guard seen.insert(field).inserted else { continue }
                aliases.append(".alias(\(RawSource.literal(field)), of: \(name))")
            }
        }
        return fields + aliases
    }

    /// Writes the names, which a generic type keeps elsewhere.
    func writeNames(to source: inout SourceText) {
        guard !isEmpty else { return }
        let head = "private static \(model.isGeneric ? "var" : "let") _$names"
        func writeFields(_ source: inout SourceText) {
            source.line("of: \(model.isClass ? model.name : "Self").self,")
            if model.isFlattenable {
                source.line("flattenedFields")
            } else {
                source.list("[", fields, "]")
            }
        }
        guard model.isGeneric else {
            source.line("\(head) = Dovetail::FlattenedNames(")
            source.indented(writeFields)
            return source.line(")")
        }
        source.block("\(head): Dovetail::FlattenedNames") { source in
            source.line("Dovetail::FlattenedNames.shared(")
            source.indented(writeFields)
            source.line(")")
        }
    }
}
