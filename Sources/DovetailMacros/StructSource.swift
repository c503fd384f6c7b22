import DovetailSyntax

/// Writes the members of a struct: its attributes, one body that reads and one that writes.
struct StructSource {
    let model: ModelDeclaration
    let attributes: [ModelDeclaration.Attribute]
    /// The name of the type as the file knows it.
    var qualifiedName = "Self"
    private var access: String { model.access }

    var members: [String] {
        [attributeList, writing] + policy + (model.isClass ? [] : [reading])
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
            if attribute.property.attribute.transform != nil,
                let coding = CodingExpression.of(attribute.property)
            {
                entry += ", by: \(coding)"
            }
            if attribute.path.isNested {
                entry += ", path: \(RawSource.literal(attribute.path.text))"
            }
            if attribute.isPrimaryKey { entry += ", primaryKey: true" }
            if attribute.isPrimaryKey, hasOwnKey, keyCount == 1, !model.declaresID {
                entry += ", aliases: [\\\(root).id]"
            }
            return entry + ")"
        }
        let unknown =
            model.keepsUnknownFields
            ? [
                "Dovetail::ModelAttribute(Dovetail::UnknownFields.columnName, \\\(root).unknownFields)"
            ] : []
        return "\(access)static var modelAttributes: [Dovetail::ModelAttribute] { [\n"
            + (entries + unknown).joined(separator: ",\n") + "\n] }"
    }

    private var policy: [String] {
        guard model.unknownFields != "skip" else { return [] }
        return [
            "\(access)static var unknownFieldsPolicy: Dovetail::UnknownPolicy "
                + "{ .\(model.unknownFields) }"
        ]
    }

    /// The property that holds fields which are not declared.
    var unknownFields: String {
        "/// The fields of the document that are not declared.\n"
            + "\(access)var unknownFields: Dovetail::UnknownFields = Dovetail::UnknownFields()"
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
        if model.keepsUnknownFields { text += "var _unknown = Dovetail::UnknownFields()\n" }
        var loop = FieldLoop(
            attributes,
            version: VersionSource(model: model),
            unknownFields: model.unknownFields
        )
        text += loop.text()
        for (index, attribute) in attributes.enumerated() where attribute.isRequired {
            let path = attribute.path
            let field =
                path.isNested
                ? "path: \(RawSource.literal(path.text))" : RawSource.literal(path.columnName)
            // A typealias may stand for an optional, which overload resolution sees.
            let slot =
                attribute.property.type.mayHideOptional
                ? "_\(index) = Dovetail::_present(_\(index))" : "_\(index)"
            text += "guard let \(slot) else { throw reader.missingField(\(field), in: object) }\n"
        }
        for (index, attribute) in attributes.enumerated() {
            let property = attribute.property
            if property.attribute.isOmittedWhenEmpty {
                text += "self.\(property.name) = _\(index) ?? Dovetail::_empty()\n"
            } else if property.hasDefault {
                text += "if let _\(index) { self.\(property.name) = _\(index) }\n"
            } else if property.isOptional {
                text += "self.\(property.name) = _\(index) ?? nil\n"
            } else {
                text += "self.\(property.name) = _\(index)\n"
            }
        }
        if model.keepsUnknownFields { text += "self.unknownFields = _unknown\n" }
        let hook = model.isClass ? "object: self" : "&self"
        return text + "try Dovetail::_didDecode(\(hook), &reader, object)\n}"
    }

    private var writing: String {
        var text = "\(access)func encode(to writer: inout Dovetail::ModelWriter) throws {\n"
        let usesModel = !attributes.isEmpty || model.keepsUnknownFields
        text += (usesModel ? "let model" : "_") + " = try Dovetail::_willEncode(self, &writer)\n"
        if model.keepsUnknownFields {
            text += "let tag = writer.pendingTag(of: model.unknownFields)\n"
        }
        text += "let object = try writer.beginObject(\(model.keepsUnknownFields ? "tag" : ""))\n"
        text += VersionSource(model: model).writing
        var objectCount = 0
        text += writing(
            of: ModelDeclaration.Attribute.writtenFields(of: attributes),
            under: [],
            &objectCount
        )
        return text + "try writer.endObject(object)\n}"
    }

    private func writing(
        of fields: [FieldNode],
        under path: [String],
        _ objectCount: inout Int
    ) -> String {
        var text = ""
        for field in fields {
            let token = RawSource.fieldToken(field.name)
            if let index = field.attribute {
                let property = attributes[index].property
                let coding = CodingExpression.of(property).map { ", by: \($0)" } ?? ""
                text += "try writer.\(property.verb)(\(token), model.\(property.name)\(coding))\n"
            } else {
                let object = "object\(objectCount)"
                objectCount += 1
                text += "let \(object) = try writer.beginObjectField(\(token))\n"
                text += writing(of: field.members, under: path + [field.name], &objectCount)
                text += "writer.endObjectField(\(object))\n"
            }
        }
        guard model.keepsUnknownFields else { return text }
        let objects = fields.filter { $0.attribute == nil }.map(\.name)
        return text + "try writer.write(model.unknownFields, under: \(RawSource.list(path)), "
            + "except: \(RawSource.list(objects)), beside: tag)\n"
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

extension ModelDeclaration.Attribute {
    /// Whether a document has to have it.
    fileprivate var isRequired: Bool {
        !property.hasDefault && !property.isOptional && !property.attribute.isOmittedWhenEmpty
    }
}

extension StoredProperty {
    /// The method that writes it.
    fileprivate var verb: String {
        if attribute.isOmittedWhenEmpty { return "nonEmptyField" }
        // Left out it would come back as the default, so nil is written as null.
        let mayBeNil = type.isWrittenAsOptional || type.mayHideOptional
        return mayBeNil && hasDefaultOtherThanNil ? "nullableField" : "field"
    }
}

extension ModelDeclaration {
    /// Whether fields that are not declared are kept.
    var keepsUnknownFields: Bool { unknownFields == "preserve" }
}
