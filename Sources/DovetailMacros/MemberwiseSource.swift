import DovetailSyntax

/// Writes the end of the reading initializer for a struct that has a memberwise one: a call of it,
/// into which the slots are moved, so that nothing of what was read is copied.
///
/// ```swift
/// let tagsValue: [String] = Dovetail::_moved(&_tags, or: [])
/// self.init(name: Dovetail::_filled(moving: &_name), tags: tagsValue)
/// ```
///
/// ``MemberwiseInitializer`` says for which structs the compiler writes one, and what it saves.
struct MemberwiseSource {
    let model: ModelDeclaration
    /// The arguments of the initializer, in the order of the fields.
    let attributes: [ModelDeclaration.Attribute]

    /// Nil when the struct has no such initializer, or has a default that may mean something else
    /// in the extension.
    init?(_ model: ModelDeclaration, _ attributes: [ModelDeclaration.Attribute]) {
        // A constant with a value is no argument.
        let attributes = attributes.filter { !$0.property.isConstant }
        let canMove = attributes.allSatisfy { attribute in
            let property = attribute.property
            return !property.hasDefault || property.attribute.isOmittedWhenEmpty
                || property.portableDefault != nil
        }
        guard model.hasMemberwiseInitializer, !attributes.isEmpty, canMove else { return nil }
        self.model = model
        self.attributes = attributes
    }

    /// Writes the call. The code before it has checked that the required slots are filled.
    func write(to source: inout SourceText) {
        var arguments: [String] = []
        // The attributes are in the order of the fields, the arguments in that of the properties.
        for attribute in attributes.sorted(by: { $0.property.place < $1.property.place }) {
            let property = attribute.property
            let slot = property.slot
            let constant = LocalNames.value(property.plainName)
            let value: String
            if property.attribute.flattened != nil {
                let flattened = FlattenedSource(model, attributes)
                let text = flattened.value(of: property)
                if let defaultValue = defaultValue(of: property) {
                    source.line(
                        "let \(constant): \(model.spelling(of: property.type)) = "
                            + "\(slot).isEmpty ? \(defaultValue) : \(text)"
                    )
                } else {
                    source.line("let \(constant) = \(text)")
                }
                value = constant
            } else if let text = defaultValue(of: property) {
                // On a line of its own, as below.
                source.line(
                    "let \(constant): \(model.spelling(of: property.type)) = "
                        + "Dovetail::_moved(&\(slot), or: \(text))"
                )
                value = constant
            } else if property.isOptional {
                value = "Dovetail::_moved(orNil: &\(slot))"
            } else if property.type.mayHideOptional {
                // On a line of its own: overloads in a long call take the type checker long.
                source.line("let \(constant) = Dovetail::_present(moving: &\(slot))")
                value = constant
            } else {
                value = "Dovetail::_filled(moving: &\(slot))"
            }
            arguments.append("\(label(of: property)): \(value)")
        }
        if model.keepsUnknownFields { arguments.append("unknownFields: unknownFields") }
        source.line("self.init(\(arguments.joined(separator: ", ")))")
    }

    /// The value of the property when its field is absent; nil when that is nil or an error.
    private func defaultValue(of property: StoredProperty) -> String? {
        if property.attribute.isOmittedWhenEmpty { return property.type.emptyValue }
        return property.hasDefault ? property.portableDefault : nil
    }

    /// The name as a label. The compiler warns of backticks that a label does not need.
    private func label(of property: StoredProperty) -> String {
        LocalNames.isWord(property.plainName) ? property.plainName : property.name
    }
}
