import DovetailSyntax

/// Writes the end of the initializer of a struct that the compiler writes a memberwise one for: the
/// slots are moved into the call of it, so that nothing of what was read is copied.
struct MemberwiseSource {
    let model: ModelDeclaration
    let attributes: [ModelDeclaration.Attribute]

    /// Nil when the struct has no such initializer, or a default that only holds where it stands.
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

    /// Sets `self` from the slots, of which the required ones are filled.
    func write(to source: inout SourceText) {
        var arguments: [String] = []
        // The attributes are in the order of the fields, the arguments in that of the properties.
        for attribute in attributes.sorted(by: { $0.property.place < $1.property.place }) {
            let property = attribute.property
            let slot = property.slot
            let constant = LocalNames.value(property.plainName)
            let value: String
            if let text = defaultValue(of: property) {
                // On lines of their own, as below.
                source.line(
                    "let \(constant): \(model.spelling(of: property.type)) = "
                        + "Dovetail::_moved(&\(slot)) ?? \(text)"
                )
                value = constant
            } else if property.isOptional {
                value = "Dovetail::_moved(&\(slot)) ?? nil"
            } else if property.type.mayHideOptional {
                // On lines of their own: overloads in a long call take the type checker long.
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

    /// What the property is where its field is absent; nil when that is nil or an error.
    private func defaultValue(of property: StoredProperty) -> String? {
        if property.attribute.isOmittedWhenEmpty { return property.type.emptyValue }
        return property.hasDefault ? property.portableDefault : nil
    }

    /// The name as a label, where the compiler warns of backticks that it does not need.
    private func label(of property: StoredProperty) -> String {
        LocalNames.isWord(property.plainName) ? property.plainName : property.name
    }
}
