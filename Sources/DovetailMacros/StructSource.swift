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
        let version = VersionSource(model: model)
        var text = "\(access)init(modelValue reader: inout Dovetail::ModelReader) throws"
        if model.isClass, !model.modelParameters.isEmpty {
            text += " where " + model.requirements.joined(separator: ", ")
        }
        text += " {\nvar object = \(version.beginning)\n" + fields
        for (index, type) in slotTypes.enumerated() {
            text += "var _\(index): Swift::Optional<\(type)> = nil\n"
        }
        if model.keepsUnknownFields { text += "var _unknown = Dovetail::UnknownFields()\n" }
        let slots = attributes.indices.map { ", &_\($0)" }.joined()
        let unknown = model.keepsUnknownFields ? ", &_unknown" : ""
        text += "try _fields(&object, &reader\(slots)\(unknown))\n"
        if let moving = MemberwiseSource(model, attributes) {
            text += presence(bindingSlots: false) + moving.text
        } else {
            text += presence(bindingSlots: true) + assignments
        }
        let hook = model.isClass ? "object: self" : "&self"
        return text + "try Dovetail::_didDecode(\(hook), &reader, object)\n}"
    }

    /// Sets the properties one by one: for classes, and where ``MemberwiseSource`` cannot be used,
    /// which is faster.
    private var assignments: String {
        var text = ""
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
        return text
    }

    /// The types of the attributes, as generated code names them.
    private var slotTypes: [String] {
        attributes.map { model.spelling(of: $0.property.type) }
    }

    /// The loop over the fields, in a function of its own, to which the slots belong to somebody
    /// else: every call in it may throw, and where the slots are its own variables each of these
    /// ways out frees all of them. That grew with the square of the number of attributes.
    private var fields: String {
        var text = "@inline(never) func _fields(_ object: inout Dovetail::ObjectScope, "
        text += "_ reader: inout Dovetail::ModelReader"
        for (index, type) in slotTypes.enumerated() {
            text += ", _ _\(index): inout Swift::Optional<\(type)>"
        }
        if model.keepsUnknownFields { text += ", _ _unknown: inout Dovetail::UnknownFields" }
        text += ") throws {\n"
        var loop = FieldLoop(
            attributes,
            version: VersionSource(model: model).branches,
            unknownFields: model.unknownFields
        )
        return text + loop.text() + "}\n"
    }

    /// What makes sure that every required attribute was read, with one way out that tells the
    /// first absent one.
    ///
    /// - Parameter bindingSlots: whether the slots become their values, which copies them.
    private func presence(bindingSlots: Bool) -> String {
        let required = attributes.enumerated().filter { $1.isRequired }
        guard !required.isEmpty else { return "" }
        let conditions = required.map { index, attribute in
            // A typealias may stand for an optional, which overload resolution sees.
            let mayHide = attribute.property.type.mayHideOptional
            if bindingSlots {
                return "let _\(index)\(mayHide ? " = Dovetail::_present(_\(index))" : "")"
            }
            return mayHide ? "Dovetail::_isPresent(_\(index))" : "case .some = _\(index)"
        }
        var text = "guard \(conditions.joined(separator: ", ")) else {\n"
        text += "var path: Swift::StaticString = \"\"\n"
        for (index, attribute) in required.reversed() {
            let slot =
                attribute.property.type.mayHideOptional
                ? "Dovetail::_present(_\(index))" : "_\(index)"
            let path = RawSource.literal(attribute.path.text)
            text += "if case nil = \(slot) { path = \(path) }\n"
        }
        return text + "throw reader.missingField(path: path, in: object)\n}\n"
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
        let stored = keys.enumerated().map { position, key in
            let coding = CodingExpression.of(key.property).map { ", by: \($0)" } ?? ""
            return "\(key.property.plainName): try row.value(\(position)\(coding))"
        }
        return [
            "\(access)struct ID: Swift::Hashable, Swift::Sendable {\n"
                + fields.joined(separator: "\n") + "\n}",
            "\(access)var id: ID { ID(\(values.joined(separator: ", "))) }",
            "\(access)static func modelIdentifier(of row: Dovetail::ModelKeyRow) throws "
                + "-> (any Swift::Hashable)? {\n"
                + "ID(\(stored.joined(separator: ", ")))\n}",
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
