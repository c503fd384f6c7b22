import DovetailSyntax

/// Writes the end of the initializer of a struct that the compiler writes a memberwise one for: the
/// slots are moved into the call of it, so that nothing of what was read is copied.
struct MemberwiseSource {
    let model: ModelDeclaration
    let attributes: [ModelDeclaration.Attribute]

    /// Nil when the struct has no such initializer, or a default that only holds where it stands.
    init?(_ model: ModelDeclaration, _ attributes: [ModelDeclaration.Attribute]) {
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
    var text: String {
        var moves = ""
        var arguments: [String] = []
        // The attributes are in the order of the fields, the arguments in that of the properties.
        let ordered = attributes.enumerated().sorted {
            $0.element.property.place < $1.element.property.place
        }
        for (index, attribute) in ordered {
            let property = attribute.property
            let value: String
            if property.attribute.isOmittedWhenEmpty {
                value = "Dovetail::_moved(&_\(index)) ?? Dovetail::_empty()"
            } else if property.hasDefault, let text = property.portableDefault {
                moves += "let value\(index): \(type(of: property)) = "
                moves += "Dovetail::_moved(&_\(index)) ?? \(text)\n"
                value = "value\(index)"
            } else if property.isOptional {
                value = "Dovetail::_moved(&_\(index)) ?? nil"
            } else if property.type.mayHideOptional {
                // On lines of their own: overloads in a long call take the type checker long.
                moves += "let value\(index) = Dovetail::_present(moving: &_\(index))\n"
                value = "value\(index)"
            } else {
                value = "Dovetail::_filled(moving: &_\(index))"
            }
            arguments.append("\(label(of: property)): \(value)")
        }
        if model.keepsUnknownFields { arguments.append("unknownFields: _unknown") }
        return moves + "self.init(\(arguments.joined(separator: ", ")))\n"
    }

    /// The name as a label, where the compiler warns of backticks that it does not need.
    private func label(of property: StoredProperty) -> String {
        let name = property.plainName
        let isWord = name.utf8.allSatisfy {
            $0 == 0x5F || $0 >= 0x80 || 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 & 0xDF
        }
        let startsWithDigit = name.utf8.first.map { 0x30...0x39 ~= $0 } ?? true
        return isWord && !startsWithDigit ? name : property.name
    }

    private func type(of property: StoredProperty) -> String {
        model.spelling(of: property.type)
    }
}
