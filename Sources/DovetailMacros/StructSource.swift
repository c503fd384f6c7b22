import DovetailSyntax

/// Writes the members of a struct or class: its attributes, one body that reads and one that writes.
struct StructSource {
    let model: ModelDeclaration
    let attributes: [ModelDeclaration.Attribute]
    /// The name of the type as the file knows it.
    var qualifiedName = "Self"
    private var access: String { model.access }
    /// The attributes whose values are looked for in documents.
    private var read: [ModelDeclaration.Attribute] { attributes.filter(\.property.isRead) }

    /// Those whose slots the loop is handed. One whose type is not written it finds around itself.
    private var handed: [ModelDeclaration.Attribute] { read.filter { !$0.property.isInferred } }

    /// What is flattened in the model.
    var flattened: FlattenedSource { FlattenedSource(model, attributes) }

    func write(to source: inout SourceText) {
        if model.isManaged {
            ManagedSource(model: model, attributes: attributes, qualifiedName: qualifiedName)
                .write(to: &source)
        }
        if let hierarchy = model.hierarchy {
            if !hierarchy.isSubclass { writeIdentity(to: &source) }
            return
        }
        writeAttributeList(to: &source)
        flattened.writeNames(to: &source)
        if model.isFlattenable {
            FlattenableSource(model, attributes, qualifiedName).write(to: &source)
            if !model.hasOwnKeyExtension { writeIdentity(to: &source) }
            return
        }
        source.block(ModelSource.encode(model), writeWriting)
        if model.unknownFields != .skip {
            source.line(
                "\(access)static var unknownFieldsPolicy: Dovetail::UnknownPolicy "
                    + "{ .\(model.unknownFields.rawValue) }"
            )
        }
        if !model.isClass { writeInitializer(to: &source) }
        if !model.hasOwnKeyExtension { writeIdentity(to: &source) }
    }

    /// Writes what subclasses override, in the body of a class.
    func writeClassMembers(to source: inout SourceText) {
        writeAttributeList(to: &source)
        writeClassWriting(to: &source)
    }

    private func writeAttributeList(to source: inout SourceText) {
        let hasOwnKey = attributes.contains { $0.property.attribute.isPrimaryKey }
        let keyCount = attributes.count { $0.isPrimaryKey }
        // The dynamic Self of a class in a key path ends the program.
        let root =
            model.hierarchy != nil ? ManagedSource.root : model.isClass ? qualifiedName : "Self"
        var entries = attributes.filter { !model.isOfProtocol($0.property) }.map { attribute in
            if attribute.property.attribute.flattened != nil {
                return flattened.attribute(of: attribute.property, root: root)
            }
            let mayBeRelationship = model.slot(of: attribute.property) != nil
            var entry = "Dovetail::\(mayBeRelationship ? "_attribute" : "ModelAttribute")("
            entry += "\(RawSource.literal(attribute.documentName)), "
            entry += "\\\(root).\(attribute.property.name)"
            if attribute.property.attribute.transform != nil,
                let coding = CodingExpression.of(attribute.property, in: model)
            {
                entry += ", by: \(coding)"
            }
            if attribute.path.isNested {
                entry += ", path: \(RawSource.literal(attribute.path.text))"
            }
            if attribute.isPrimaryKey { entry += ", primaryKey: true" }
            var aliases: [String] = []
            if attribute.isPrimaryKey, hasOwnKey, keyCount == 1 {
                if !model.declaresID { aliases.append("\\\(root).id") }
                if model.isManaged, model.hierarchy == nil {
                    aliases.append("\\\(root).persistentModelID")
                }
            }
            if !aliases.isEmpty { entry += ", aliases: [\(aliases.joined(separator: ", "))]" }
            var more: [String] = []
            if attribute.documentName != attribute.property.plainName {
                more.append("property: \(RawSource.literal(attribute.property.plainName))")
            }
            let isOnlyKey = attribute.isPrimaryKey && keyCount == 1
            let traits = TableSource(model: model, root: root)
                .traits(of: attribute.property, isOnlyKey: isOnlyKey)
            if !traits.isEmpty { more.append("traits: [\(traits.joined(separator: ", "))]") }
            let satisfied = attribute.property.attribute.satisfied.map(\.name)
            if !satisfied.isEmpty { more.append("satisfies: \(RawSource.list(satisfied))") }
            let with = mayBeRelationship ? ")?.with(" : ").with("
            entry += more.isEmpty ? ")" : with + more.joined(separator: ", ") + ")"
            return flattened.isEmpty ? entry : "[\(entry)]"
        }
        if model.keepsUnknownFields {
            let name = "Dovetail::UnknownFields.columnName"
            let entry =
                "Dovetail::ModelAttribute(\(name), \\\(root).unknownFields)"
                + ".with(property: \"unknownFields\")"
            entries.append(flattened.isEmpty ? entry : "[\(entry)]")
        }
        // Rarely called; optimizing it takes two hundredths of the time a module compiles in.
        source.line("@_optimize(none)")
        source.block("\(model.classMember())var modelAttributes: [Dovetail::ModelAttribute]") {
            let function =
                !model.slots.isEmpty ? "_attributes" : flattened.isEmpty ? nil : "_joined"
            let opening = function.map { "Dovetail::\($0)([" } ?? "["
            let closing = function == nil ? "]" : "])"
            guard model.hierarchy != nil else { return $0.list(opening, entries, closing) }
            ManagedSource.writeList(of: model, "modelAttributes", "ModelAttribute", to: &$0) {
                $0.list(opening, entries, closing)
            }
        }
        TableSource(model: model, root: root).write(to: &source)
    }

    /// Writes the property that holds fields which are not declared.
    func writeUnknownFields(to source: inout SourceText) {
        source.line("/// The fields of the document that are not declared.")
        source.line(
            "\(access)var unknownFields: Dovetail::UnknownFields = Dovetail::UnknownFields()"
        )
    }

    /// Writes the initializer, which a class can only have in its own body.
    ///
    /// Classes of a hierarchy have two: one that is designated, and calls that of the superclass, and one that
    /// every model has, which is not. So a class that declares no designated one inherits those of its
    /// superclass, as in Swift; it reads its own properties around that which it inherits.
    func writeInitializer(to source: inout SourceText) {
        if let hierarchy = model.hierarchy {
            let head = ModelSource.initializer(model)
            if hierarchy.inheritsInitializers { return source.block(head, writeReading) }
            source.block(
                "\(model.access)\(hierarchy.isSubclass ? "override " : "")"
                    + "init(_$fields reader: inout Dovetail::ModelReader) throws",
                writeReading
            )
            return source.block(head) { $0.line("try self.init(_$fields: &reader)") }
        }
        var head = ModelSource.initializer(model)
        if model.isClass, !model.modelParameters.isEmpty {
            head += " where " + model.requirements.joined(separator: ", ")
        }
        source.block(head, writeReading)
    }

    private func writeReading(to source: inout SourceText) {
        source.line("var object = \(VersionSource(model: model).beginning)")
        if !flattened.isEmpty { source.line("let names = try reader.checkedNames(Self._$names)") }
        if let coding = CodingExpression.ofTag(model) {
            source.line("try reader.expectTypeKey(in: &object, of: Self.self, by: \(coding))")
        }
        for attribute in read {
            let property = attribute.property
            if property.attribute.flattened != nil {
                source.line("var \(property.slot) = \(flattened.emptySlots(of: property))")
                continue
            }
            source.line(
                property.isInferred
                    ? "var \(property.slot) = Dovetail::_slot(of: \\\(model.name).\(property.name))"
                    : "var \(slot(attribute))"
            )
        }
        if model.keepsUnknownFields {
            source.line("var unknownFields = reader.unknownFields(in: object)")
        }
        writeLoop(to: &source)
        var arguments = ["&object", "&reader"]
        arguments += handed.map { "&\($0.property.slot)" }
        if model.keepsUnknownFields { arguments.append("&unknownFields") }
        source.line("try readFields(\(arguments.joined(separator: ", ")))")
        if let moving = MemberwiseSource(model, attributes) {
            writePresence(bindingSlots: false, to: &source)
            moving.write(to: &source)
        } else {
            writePresence(bindingSlots: true, to: &source)
            if model.hierarchy?.inheritsInitializers != true { writeAssignments(to: &source) }
        }
        if let hierarchy = model.hierarchy, hierarchy.isSubclass {
            source.line("reader.beginSuperclass(of: object)")
            let owner = hierarchy.inheritsInitializers ? "self" : "super"
            source.line("try \(owner).init(_$fields: &reader)")
            if hierarchy.inheritsInitializers { writeAssignments(to: &source) }
        }
        writeConstantChecks(to: &source)
        let hook = model.isClass ? "object: self" : "&self"
        func finish(_ source: inout SourceText) {
            if model.isManaged { source.line("_$link()") }
            source.line("try Dovetail::_didDecode(\(hook), &reader, object)")
        }
        guard model.hierarchy != nil else { return finish(&source) }
        // The initializer of the object's own class ends last.
        source.block("if Dovetail::_isOwnClass(of: self, \(model.name).self)") { source in
            if model.hierarchy?.isSubclass == true { source.line("reader.endSuperclass()") }
            finish(&source)
        }
    }

    /// Compares what documents have for constants.
    func writeConstantChecks(to source: inout SourceText) {
        let names = model.isFlattenable ? ", names: names" : ""
        for attribute in read where attribute.property.isConstant {
            let property = attribute.property
            let path = RawSource.literal(attribute.path.text)
            source.line(
                "try reader.expectConstant(self.\(property.name), \(property.slot), "
                    + "path: \(path)\(names), in: object)"
            )
        }
    }

    /// The loop over the fields, in a function of its own, to which the slots belong to somebody
    /// else: every call in it may throw, and where the slots are its own variables each of these
    /// ways out frees all of them. That grew with the square of the number of attributes.
    private func writeLoop(to source: inout SourceText) {
        var parameters = [
            "_ object: inout Dovetail::ObjectScope", "_ reader: inout Dovetail::ModelReader",
        ]
        parameters += handed.map { attribute in
            "_ \(attribute.property.slot): inout \(slotType(attribute))"
        }
        if model.keepsUnknownFields {
            parameters.append("_ unknownFields: inout Dovetail::UnknownFields")
        }
        source.line("@inline(never)")
        source.block("func readFields(\(parameters.joined(separator: ", "))) throws") {
            var loop = FieldLoop(model, attributes)
            loop.write(to: &$0)
        }
    }

    private func slot(_ attribute: ModelDeclaration.Attribute) -> String {
        "\(attribute.property.slot): \(slotType(attribute))"
    }

    private func slotType(_ attribute: ModelDeclaration.Attribute) -> String {
        if attribute.property.attribute.flattened != nil {
            return flattened.slotType(of: attribute.property)
        }
        return RawSource.optional(model.spelling(of: attribute.property.type))
    }

    /// Sets the properties one by one: for classes, and where ``MemberwiseSource`` cannot be used,
    /// which is faster.
    func writeAssignments(to source: inout SourceText) {
        for property in read.map(\.property) where !property.isConstant {
            let (name, slot) = (model.storage(of: property), property.slot)
            if property.attribute.flattened != nil {
                let assignment = "self.\(name) = \(flattened.value(of: property))"
                if property.hasDefault {
                    source.block("if !\(slot).isEmpty") { $0.line(assignment) }
                } else {
                    source.line(assignment)
                }
            } else if model.slot(of: property) != nil, !property.hasDefault, !property.isOptional {
                source.line("self.\(name) = Dovetail::_present(\(slot))")
            } else if property.attribute.isOmittedWhenEmpty {
                let empty = property.type.emptyValue
                source.line("self.\(name) = Dovetail::_moved(&\(slot), or: \(empty))")
            } else if property.hasDefault {
                source.line("if let \(slot) { self.\(name) = \(slot) }")
            } else if property.isOptional {
                source.line("self.\(name) = Dovetail::_moved(orNil: &\(slot))")
            } else {
                source.line("self.\(name) = \(slot)")
            }
        }
        if model.keepsUnknownFields { source.line("self.unknownFields = unknownFields") }
    }

    /// What makes sure that every required attribute was read, with one way out that tells the
    /// first absent one.
    ///
    /// - Parameter bindingSlots: whether the slots become their values, which copies them.
    func writePresence(bindingSlots: Bool, to source: inout SourceText) {
        let names = model.isFlattenable ? ", names: names" : ""
        let required = read.filter(\.isRequired)
        guard !required.isEmpty else { return }
        let conditions = required.map { attribute in
            let slot = attribute.property.slot
            // A row has no attribute for other objects.
            if model.slot(of: attribute.property) != nil {
                let isPlain =
                    attribute.property.relatedProtocol == nil
                    ? " && !Dovetail::_isPlain(\(slot))" : ""
                return "Dovetail::_isPresent(\(slot)) || reader.leavesOutObjects" + isPlain
            }
            // A typealias may stand for an optional, which overload resolution sees.
            let mayHide = attribute.property.type.mayHideOptional
            if bindingSlots {
                return "let \(slot)\(mayHide ? " = Dovetail::_present(\(slot))" : "")"
            }
            return mayHide ? "Dovetail::_isPresent(\(slot))" : "case .some = \(slot)"
        }
        if required.count == 1 {
            let path = RawSource.literal(required[0].path.text)
            return source.block("guard \(conditions[0]) else") {
                $0.line("throw reader.missingField(path: \(path)\(names), in: object)")
            }
        }
        source.list("guard", conditions, "else {")
        source.indented { source in
            source.line("var path: Swift::StaticString = \"\"")
            for attribute in required.reversed() {
                let slot =
                    attribute.property.type.mayHideOptional
                    ? "Dovetail::_present(\(attribute.property.slot))" : attribute.property.slot
                let path = RawSource.literal(attribute.path.text)
                source.line("if case nil = \(slot) { path = \(path) }")
            }
            source.line("throw reader.missingField(path: path\(names), in: object)")
        }
        source.line("}")
    }

    /// `id` for a primary key of another name; several properties make a type of their own.
    func writeIdentity(to source: inout SourceText) {
        let keys = attributes.filter { $0.property.attribute.isPrimaryKey }
        if keys.isEmpty, model.isManaged, !model.declaresID {
            source.line("\(access)var id: Dovetail::PersistentIdentifier { persistentModelID }")
        }
        guard !model.declaresID, let first = keys.first else { return }
        guard keys.count > 1 else {
            let type = first.property.type
            return source.line("\(access)var id: \(type) { self.\(first.property.name) }")
        }
        let conformances = "Swift::Hashable, Swift::Sendable, Dovetail::CompositeIdentifier"
        source.block("\(access)struct ID: \(conformances)") { source in
            for key in keys {
                source.line("\(access)let \(key.property.name): \(key.property.type)")
            }
            let parts = keys.map { "self.\($0.property.name)" }.joined(separator: ", ")
            source.line("\(access)var _parts: [Any] { [\(parts)] }")
        }
        let values = keys.map { "\($0.property.plainName): self.\($0.property.name)" }
        source.block("\(access)var id: ID") {
            $0.line("ID(\(values.joined(separator: ", ")))")
        }
        let stored = keys.enumerated().map { position, key in
            let coding = CodingExpression.of(key.property, in: model).map { ", by: \($0)" } ?? ""
            return "\(key.property.plainName): try row.value(\(position)\(coding))"
        }
        source.block(
            "\(access)static func modelIdentifier(of row: Dovetail::ModelKeyRow) throws "
                + "-> (any Swift::Hashable)?"
        ) {
            $0.line("ID(\(stored.joined(separator: ", ")))")
        }
    }
}

extension ModelDeclaration.Attribute {
    /// Whether a document has to have it.
    fileprivate var isRequired: Bool {
        !property.hasDefault && !property.isOptional && !property.attribute.isOmittedWhenEmpty
            && !property.isConstant && property.attribute.flattened == nil
    }

    /// Whether documents that are written may lack its field.
    var mayBeLeftOut: Bool {
        if property.attribute.isOmittedWhenEmpty { return true }
        let mayBeNil = property.isOptional || property.type.mayHideOptional
        return mayBeNil && !property.hasDefaultOtherThanNil && !property.isConstant
            && !property.attribute.isNullWhenNil
    }
}

extension ModelDeclaration {
    /// Whether fields that are not declared are kept.
    var keepsUnknownFields: Bool { unknownFields == .preserve }
}
