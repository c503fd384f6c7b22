import DovetailSyntax

/// Writes the members of a struct: its attributes, one body that reads and one that writes.
struct StructSource {
    let model: ModelDeclaration
    let attributes: [ModelDeclaration.Attribute]
    /// The name of the type as the file knows it.
    var qualifiedName = "Self"
    private var access: String { model.access }

    var members: [String] {
        [attributeList, writing] + (model.isClass ? [] : [reading])
            + identity(attributes.filter { $0.property.attribute.isPrimaryKey })
    }

    private var attributeList: String {
        let hasOwnKey = attributes.contains { $0.property.attribute.isPrimaryKey }
        let keyCount = attributes.count { $0.isPrimaryKey }
        // The dynamic Self of a class in a key path ends the program.
        let root = model.isClass ? qualifiedName : "Self"
        let entries = attributes.map { attribute in
            var entry = "Dovetail::ModelAttribute(\(RawSource.literal(attribute.documentName)), "
            entry += "\\\(root).\(attribute.property.name)"
            if attribute.isPrimaryKey { entry += ", primaryKey: true" }
            if attribute.isPrimaryKey, hasOwnKey, keyCount == 1, !model.declaresID {
                entry += ", aliases: [\\\(root).id]"
            }
            return entry + ")"
        }
        return "\(access)static var modelAttributes: [Dovetail::ModelAttribute] { [\n"
            + entries.joined(separator: ",\n") + "\n] }"
    }

    /// The initializer, which a class can only have in its own body.
    var reading: String {
        var text = "\(access)init(modelValue reader: inout Dovetail::ModelReader) throws"
        if model.isClass, !model.modelParameters.isEmpty {
            text += " where " + model.requirements.joined(separator: ", ")
        }
        text += " {\n"
        for (index, attribute) in attributes.enumerated() {
            text +=
                "var _\(index): Swift::Optional<\(model.spelling(of: attribute.property.type))> = nil\n"
        }
        text += "var object = try reader.beginObject()\n"
        text += "while let key = try reader.nextKey(in: &object) {\n"
        let fields = attributes.enumerated().map { index, attribute in
            let name = RawSource.literal(attribute.documentName)
            let coding = CodingExpression.of(attribute.property.type).map { ", by: \($0)" } ?? ""
            return (attribute.documentName, "try reader.read(&_\(index), \(name)\(coding))")
        }
        text += KeySwitch(key: "key", unknown: "try reader.skipValue()").text(fields) + "\n}\n"
        for (index, attribute) in attributes.enumerated()
        where !attribute.property.hasDefault && !attribute.property.isOptional {
            let name = RawSource.literal(attribute.documentName)
            // A typealias may stand for an optional, which overload resolution sees.
            let slot =
                attribute.property.type.mayHideOptional
                ? "_\(index) = Dovetail::_present(_\(index))" : "_\(index)"
            text += "guard let \(slot) else { throw reader.missingField(\(name), in: object) }\n"
        }
        for (index, attribute) in attributes.enumerated() {
            let property = attribute.property
            if property.hasDefault {
                text += "if let _\(index) { self.\(property.name) = _\(index) }\n"
            } else if property.isOptional {
                text += "self.\(property.name) = _\(index) ?? nil\n"
            } else {
                text += "self.\(property.name) = _\(index)\n"
            }
        }
        return text + "}"
    }

    private var writing: String {
        var text = "\(access)func encode(to writer: inout Dovetail::ModelWriter) throws {\n"
        text += "let object = try writer.beginObject()\n"
        for attribute in attributes {
            let token = RawSource.fieldToken(attribute.documentName)
            let value = "self.\(attribute.property.name)"
            let coding = CodingExpression.of(attribute.property.type).map { ", by: \($0)" } ?? ""
            // Left out it would come back as the default, so nil is written as null.
            let type = attribute.property.type
            let isNullable =
                (type.isWrittenAsOptional || type.mayHideOptional)
                && attribute.property.hasDefaultOtherThanNil
            let verb = isNullable ? "nullableField" : "field"
            text += "try writer.\(verb)(\(token), \(value)\(coding))\n"
        }
        return text + "try writer.endObject(object)\n}"
    }

    /// `id` for a primary key of another name; several properties make a type of their own.
    private func identity(_ keys: [ModelDeclaration.Attribute]) -> [String] {
        guard !model.declaresID, let first = keys.first else { return [] }
        if keys.count == 1 {
            return ["\(access)var id: \(first.property.type) { self.\(first.property.name) }"]
        }
        let fields = keys.map {
            "\(access)let \($0.property.name): \($0.property.type)"
        }
        let values = keys.map { "\($0.property.plainName): self.\($0.property.name)" }
        return [
            "\(access)struct ID: Swift::Hashable, Swift::Sendable {\n"
                + fields.joined(separator: "\n") + "\n}",
            "\(access)var id: ID { ID(\(values.joined(separator: ", "))) }",
        ]
    }
}
