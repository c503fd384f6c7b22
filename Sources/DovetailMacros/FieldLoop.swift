import DovetailSyntax

/// Writes the loop over the fields of an object, and one inside it for each nested object.
struct FieldLoop {
    let attributes: [ModelDeclaration.Attribute]
    /// What is done with the version of the object.
    let version: VersionSource
    /// What becomes of fields that are not declared.
    let unknownFields: String
    /// How many nested objects there are so far.
    private var objectCount = 0

    init(
        _ attributes: [ModelDeclaration.Attribute],
        version: VersionSource,
        unknownFields: String
    ) {
        self.attributes = attributes
        self.version = version
        self.unknownFields = unknownFields
    }

    /// The loop over the fields of the model's own object, and what has to stand before it.
    mutating func text() -> String {
        var branches = branches(
            of: ModelDeclaration.Attribute.readFields(of: attributes),
            under: []
        )
        // A row has no objects: every attribute is a column of its own.
        for (index, attribute) in attributes.enumerated() where attribute.path.isNested {
            let read = reading(index, attribute.documentName)
            branches.append(
                (
                    attribute.documentName,
                    "if object.isRow { \(read) } else { \(passing("object", [])) }"
                )
            )
        }
        branches += version.branches
        var text = ""
        for number in 0..<objectCount { text += "var _seen\(number) = false\n" }
        return text + "var object = \(version.beginning)\n" + loop("object", [], branches) + "\n"
    }

    /// What is done with a field that is not declared.
    private func passing(_ object: String, _ path: [String]) -> String {
        switch unknownFields {
        case "preserve":
            let place = path.isEmpty ? "" : ", under: \(RawSource.list(path))"
            return "try reader.keepField(key, in: \(object)\(place), &_unknown)"
        case "throw": return "try reader.refuseField(key, in: \(object))"
        default: return "try reader.skipField(key, in: \(object))"
        }
    }

    private func loop(
        _ object: String,
        _ path: [String],
        _ branches: [(name: String, body: String)]
    ) -> String {
        "while let key = try reader.nextKey(in: &\(object)) {\n"
            + KeySwitch(key: "key", unknown: passing(object, path)).text(branches) + "\n}"
    }

    private mutating func branches(
        of fields: [FieldNode],
        under path: [String]
    ) -> [(name: String, body: String)] {
        var result: [(name: String, body: String)] = []
        for field in fields {
            if let attribute = field.attribute {
                result.append((field.name, reading(attribute, field.name)))
            } else {
                let (seen, object) = ("_seen\(objectCount)", "object\(objectCount)")
                objectCount += 1
                let inner = loop(
                    object,
                    path + [field.name],
                    branches(of: field.members, under: path + [field.name])
                )
                result.append(
                    (
                        field.name,
                        """
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
