import DovetailSyntax

/// Writes the loop over the fields of an object, and one inside it for each nested object.
struct FieldLoop {
    let attributes: [ModelDeclaration.Attribute]
    /// What is done with the version of the object.
    let version: [KeySwitch.Branch]
    /// What becomes of fields that are not declared.
    let unknownFields: String
    /// How many nested objects there are so far.
    private var objectCount = 0

    init(
        _ attributes: [ModelDeclaration.Attribute],
        version: [KeySwitch.Branch],
        unknownFields: String
    ) {
        self.attributes = attributes
        self.version = version
        self.unknownFields = unknownFields
    }

    /// The loop over the fields of the model's own object, which was entered.
    mutating func text() -> String {
        var branches = branches(
            of: ModelDeclaration.Attribute.readFields(of: attributes),
            under: []
        )
        // A row has no objects: every attribute is a column of its own.
        for (index, attribute) in attributes.enumerated() where attribute.path.isNested {
            let read = reading(index, attribute.documentName)
            branches.append(
                .init(name: attribute.documentName, condition: "object.isRow", body: read)
            )
        }
        branches += version
        var text = ""
        for number in 0..<objectCount { text += "var _seen\(number) = false\n" }
        return text + loop("object", [], branches) + "\n"
    }

    /// What is done with a field that is not declared.
    private func passing(_ object: String, _ path: [String]) -> String {
        switch unknownFields {
        case "preserve":
            let place = path.isEmpty ? "" : ", under: \(RawSource.list(path))"
            return "try reader.keepField(key, in: \(object)\(place), &_unknown)"
        case "throw":
            let place = path.isEmpty ? "" : ", isInner: true"
            return "try reader.refuseField(key, in: \(object)\(place))"
        default: return "try reader.skipField(key, in: \(object))"
        }
    }

    private func loop(
        _ object: String,
        _ path: [String],
        _ branches: [KeySwitch.Branch]
    ) -> String {
        let names = FieldCode.expected(branches.filter { $0.isExpected }.map(\.name))
        return "var \(object)Names = Dovetail::ExpectedNames(\(RawSource.literal(names)))\n"
            + "while let key = try reader.nextKey(in: &\(object), expecting: &\(object)Names) {\n"
            + KeySwitch(key: "key", unknown: passing(object, path)).text(branches) + "\n}"
    }

    private mutating func branches(
        of fields: [FieldNode],
        under path: [String]
    ) -> [KeySwitch.Branch] {
        var result: [KeySwitch.Branch] = []
        for field in fields {
            if let attribute = field.attribute {
                result.append(.init(name: field.name, body: reading(attribute, field.name)))
            } else {
                let (seen, object) = ("_seen\(objectCount)", "object\(objectCount)")
                objectCount += 1
                let inner = loop(
                    object,
                    path + [field.name],
                    branches(of: field.members, under: path + [field.name])
                )
                result.append(
                    .init(
                        name: field.name,
                        body: """
                            if try reader.enterField(&\(seen), \(RawSource.literal(field.name))) {
                            var \(object) = try reader.beginObject()
                            \(inner)
                            }
                            """
                    )
                )
            }
        }
        return result
    }

    private func reading(_ index: Int, _ name: String) -> String {
        let coding = CodingExpression.of(attributes[index].property).map { ", by: \($0)" } ?? ""
        return "try reader.read(&_\(index), \(RawSource.literal(name))\(coding))"
    }
}
