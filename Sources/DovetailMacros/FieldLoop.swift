import DovetailSyntax

/// Writes the loop over the fields of an object, and one inside it for each nested object.
struct FieldLoop {
    let model: ModelDeclaration
    let attributes: [ModelDeclaration.Attribute]
    /// The nested objects so far, with the attributes that they hold when they are written.
    private var objects: [(name: String, path: [String], attributes: [Int])] = []

    init(_ model: ModelDeclaration, _ attributes: [ModelDeclaration.Attribute]) {
        self.model = model
        self.attributes = attributes
    }

    /// The loop over the fields of the model's own object, which was entered.
    mutating func write(to source: inout SourceText) {
        var branches = branches(
            of: ModelDeclaration.Attribute.readFields(of: attributes),
            under: []
        )
        writeColumns(to: &source)
        branches += VersionSource(model: model).branches
        if model.hierarchy != nil, !branches.contains(where: { $0.name == "$type" }) {
            let reading = "try reader.readClass(\(model.name).self, in: object)"
            branches.append(.init("$type") { $0.line(reading) })
        }
        for object in objects {
            source.line("var seen\(object.name) = Dovetail::SeenObject.absent")
        }
        Self.write(
            loop("object", [], branches),
            flattened: FlattenedSource(model, attributes),
            to: &source
        )
        if model.keepsUnknownFields { writeKeptObjects(to: &source) }
    }

    /// Keeps the objects that would not be written, as none of their attributes is.
    private func writeKeptObjects(to source: inout SourceText) {
        for object in objects {
            let inside = object.attributes.map { attributes[$0] }
            guard inside.allSatisfy(\.mayBeLeftOut) else { continue }
            source.list("if", inside.map { "!" + isWritten($0.property) }, "{")
            source.indented {
                let path = RawSource.list(object.path)
                $0.line("unknownFields.keepObject(seen\(object.name), at: \(path))")
            }
            source.line("}")
        }
    }

    private func isWritten(_ property: StoredProperty) -> String {
        if property.attribute.isOmittedWhenEmpty {
            return "Dovetail::_isWritten(nonEmpty: \(property.slot))"
        }
        let coding = CodingExpression.of(property, in: model).map { ", by: \($0)" } ?? ""
        return "Dovetail::_isWritten(\(property.slot)\(coding))"
    }

    /// Reads a row, in which every attribute is a column of its own, by the columns' positions.
    private func writeColumns(to source: inout SourceText) {
        source.block("if object.isRow") { source in
            writeColumnReads(to: &source)
            if model.keepsUnknownFields { source.line("try reader.readColumn(&unknownFields)") }
            source.line("return")
        }
    }

    /// Reads the next columns of a row, one for each attribute.
    func writeColumnReads(to source: inout SourceText) {
        for property in attributes.map(\.property) where !model.isOfProtocol(property) {
            if property.attribute.flattened != nil {
                source.line("try \(property.slot).readColumns(from: &reader)")
                continue
            }
            guard property.isRead else {
                source.line("reader.skipColumn()")
                continue
            }
            let coding = CodingExpression.of(property, in: model).map { ", by: \($0)" } ?? ""
            let reading = "try reader.readColumn(&\(property.slot)\(coding))"
            if model.defers(property) {
                source.line("if !reader.defers(&\(property.slot)) { \(reading) }")
            } else if model.slot(of: property) == nil {
                source.line(reading)
            } else {
                source.line("if Dovetail::_isPlain(\(property.slot)) { \(reading) }")
            }
        }
    }

    /// Reads one field into the slots of a model that can be flattened, and returns false for those of
    /// others.
    mutating func writeSlots(to source: inout SourceText) {
        let fields = ModelDeclaration.Attribute.readFields(of: attributes)
        var branches = KeySwitch(branches: branches(of: fields, under: []), unknown: "return false")
        branches.flattened = FlattenedSource(model, attributes).slots
        branches.write(to: &source)
    }

    /// What is done with a field that is not declared.
    private func passing(_ object: String, _ path: [String]) -> String {
        switch model.unknownFields {
        case .preserve:
            let place = path.isEmpty ? "" : ", under: \(RawSource.list(path))"
            return "try reader.keepField(key, in: \(object)\(place), &unknownFields)"
        case .throw:
            let place = path.isEmpty ? "" : ", isInner: true"
            return "try reader.refuseField(key, in: \(object)\(place))"
        case .skip: return "try reader.skipField(key, in: \(object))"
        }
    }

    private typealias Loop = (object: String, fields: KeySwitch)

    private func loop(
        _ object: String,
        _ path: [String],
        _ branches: [KeySwitch.Branch]
    ) -> Loop {
        (object, KeySwitch(branches: branches, unknown: passing(object, path)))
    }

    private static func write(
        _ loop: Loop,
        flattened: FlattenedSource? = nil,
        to source: inout SourceText
    ) {
        var (object, fields) = loop
        if let flattened, !flattened.isEmpty {
            fields.flattened = flattened.slots
            source.line("var \(object)Names = Dovetail::ExpectedNames(Self._$names.expected)")
        } else {
            source.line("var \(object)Names = Dovetail::ExpectedNames(")
            source.indented { source in
                for line in FieldCode.expected(fields.branches.map(\.name)) { source.line(line) }
            }
            source.line(")")
        }
        source.block(
            "while let key = try reader.nextKey(in: &\(object), expecting: &\(object)Names)"
        ) {
            fields.write(to: &$0)
        }
    }

    private mutating func branches(
        of fields: [FieldNode],
        under path: [String]
    ) -> [KeySwitch.Branch] {
        var result: [KeySwitch.Branch] = []
        for field in fields where !field.isFlattened {
            guard field.attribute == nil else {
                guard let index = field.attribute else { continue }
                result.append(branch(attributes[index], field.name))
                continue
            }
            let inside = path + [field.name]
            let name = LocalNames.object(inside, objects.count)
            let written = ModelDeclaration.Attribute.writtenFields(of: attributes)
            let isWritten = written.object(at: inside[...])?.attributes
            objects.append((name, inside, isWritten ?? Array(Set(field.attributes)).sorted()))
            let object = "object\(name)"
            let loop = loop(object, inside, branches(of: field.members, under: inside))
            let entering =
                "if try reader.enterField(&seen\(name), \(RawSource.literal(field.name)))"
            result.append(
                .init(field.name) { source in
                    source.block(entering) { source in
                        source.line("var \(object) = try reader.beginObject()")
                        Self.write(loop, to: &source)
                    }
                }
            )
        }
        return result
    }

    /// How the field of an attribute is read, or of a property that may hold other objects.
    private func branch(
        _ attribute: ModelDeclaration.Attribute,
        _ name: String
    ) -> KeySwitch.Branch {
        let reading = reading(attribute, name)
        guard attribute.property.isRead, model.slot(of: attribute.property) != nil else {
            return .init(name, reading)
        }
        let slot = attribute.property.slot
        if let existential = attribute.property.relatedProtocol {
            let coding = CodingExpression.ofProtocol(existential, in: model)
            let literal = RawSource.literal(name)
            let owner = model.hierarchy == nil ? "Self" : model.name
            let arguments = "&\(slot), \(literal), of: \(owner).self, by: \(coding)"
            return .init(name, "try reader.readRelationship(\(arguments))")
        }
        return .init(name) { source in
            source.block("if Dovetail::_isPlain(\(slot))") { $0.line(reading) }
            source.block("else") {
                $0.line("try reader.readRelationship(&\(slot), \(RawSource.literal(name)))")
            }
        }
    }

    private func reading(_ attribute: ModelDeclaration.Attribute, _ name: String) -> String {
        let property = attribute.property
        // A constant has its value already.
        guard property.isRead else {
            return (model.isFlattenable ? "hasConstant = true; " : "") + "try reader.skipValue()"
        }
        let coding = CodingExpression.of(property, in: model).map { ", by: \($0)" } ?? ""
        return "try reader.read(&\(property.slot), \(RawSource.literal(name))\(coding))"
    }
}

extension [FieldNode] {
    /// The object at a path; nil where there is none.
    fileprivate func object(at path: ArraySlice<String>) -> FieldNode? {
        guard let node = first(where: { $0.name == path.first && $0.attribute == nil }) else {
            return nil
        }
        return path.count == 1 ? node : node.members.object(at: path.dropFirst())
    }
}
