import DovetailSyntax

// What writes a struct or class to a document or a row.

extension StructSource {
    /// Writes the body of the function that writes.
    func writeWriting(to source: inout SourceText) {
        let usesModel = !attributes.isEmpty || model.keepsUnknownFields
        let name = usesModel ? "let model" : "_"
        source.line("\(name) = try Dovetail::_willEncode(self, &writer)")
        if let coding = CodingExpression.ofTag(model) {
            source.line("try writer.tagObject(of: Self.self, by: \(coding))")
        }
        if model.keepsUnknownFields {
            source.line("let tag = writer.pendingTag(of: model.unknownFields)")
        }
        if !flattened.isEmpty { source.line("let names = try writer.checkedNames(Self._$names)") }
        let tag = model.keepsUnknownFields ? "tag" : ""
        source.line("let object = try writer.beginObject(\(tag))")
        VersionSource(model: model).writeWriting(to: &source)
        writeFields(to: &source)
        source.line("try writer.endObject(object)")
    }

    /// Writes the functions that write an object of a class, or of a subclass.
    func writeClassWriting(to source: inout SourceText) {
        guard let hierarchy = model.hierarchy else { return }
        let head = hierarchy.access + (hierarchy.isSubclass ? "override " : "")
        source.block("\(head)func encode(to writer: inout Dovetail::ModelWriter) throws") {
            source in
            source.line("let model = try Dovetail::_willEncode(self, &writer)")
            let name = hierarchy.isSubclass ? "ofClass: \(RawSource.literal(model.typeName))" : ""
            source.line("let object = try writer.beginObject(\(name))")
            source.line("try model._$encodeFields(to: &writer)")
            source.line("try writer.endObject(object)")
        }
        source.block(
            "\(head)func _$encodeFields(to writer: inout Dovetail::ModelWriter) throws"
        ) { source in
            if hierarchy.isSubclass { source.line("try super._$encodeFields(to: &writer)") }
            if !attributes.isEmpty { source.line("let model = self") }
            writeFields(to: &source)
        }
    }

    func writeFields(to source: inout SourceText) {
        var objectCount = 0
        writeFields(
            ModelDeclaration.Attribute.writtenFields(of: attributes),
            under: [],
            &objectCount,
            to: &source
        )
    }

    private func writeFields(
        _ fields: [FieldNode],
        under path: [String],
        _ objectCount: inout Int,
        to source: inout SourceText
    ) {
        var position = 0
        for field in fields {
            var token = RawSource.fieldToken(field.name)
            if let index = field.attribute {
                let property = attributes[index].property
                if field.isFlattened {
                    let names = flattened.names(of: property)
                    let value = "model.\(model.storage(of: property))"
                    source.line("try \(value).encodeFields(to: &writer, names: \(names))")
                    continue
                }
                if model.isFlattenable {
                    token = "names.token(\(position), \(token))"
                    position += 1
                }
                let coding = CodingExpression.of(property, in: model).map { ", by: \($0)" } ?? ""
                let value = "model.\(model.storage(of: property))"
                let writing = "try writer.\(property.verb)(\(token), \(value)\(coding))"
                if model.defers(property) {
                    source.line(
                        "if let value = try model._$deferred(\\.\(property.name), for: writer) "
                            + "{ \(value) = value }"
                    )
                }
                guard let slot = model.slot(of: property) else {
                    source.line(writing)
                    continue
                }
                if let existential = property.relatedProtocol {
                    let coding = CodingExpression.ofProtocol(existential, in: model)
                    source.line(
                        "try writer.relationship(\(token), \(slot), of: model, by: \(coding))"
                    )
                    continue
                }
                source.block("if Dovetail::_isPlain(\(value))") { $0.line(writing) }
                source.block("else") {
                    $0.line("try writer.relationship(\(token), \(slot), of: model)")
                }
            } else {
                let inside = path + [field.name]
                let object = "object\(LocalNames.object(inside, objectCount))"
                objectCount += 1
                source.line("let \(object) = try writer.beginObjectField(\(token))")
                writeFields(field.members, under: inside, &objectCount, to: &source)
                guard model.keepsUnknownFields,
                    field.attributes.allSatisfy({ attributes[$0].mayBeLeftOut })
                else {
                    source.line("writer.endObjectField(\(object))")
                    continue
                }
                source.line(
                    "try writer.endObjectField(\(object), \(token), in: model.unknownFields, "
                        + "at: \(RawSource.list(inside)))"
                )
            }
        }
        guard model.keepsUnknownFields else { return }
        let objects = fields.filter { $0.attribute == nil }.map(\.name)
        source.line(
            "try writer.write(model.unknownFields, under: \(RawSource.list(path)), "
                + "except: \(RawSource.list(objects)), beside: tag)"
        )
    }
}

extension StoredProperty {
    /// The method that writes it.
    fileprivate var verb: String {
        if attribute.isOmittedWhenEmpty { return "nonEmptyField" }
        // Left out it would come back as the default, so nil is written as null.
        let mayBeNil = type.isWrittenAsOptional || type.mayHideOptional && !isInferred
        let writesNull = hasDefaultOtherThanNil || attribute.isNullWhenNil
        return mayBeNil && writesNull ? "nullableField" : "field"
    }
}
