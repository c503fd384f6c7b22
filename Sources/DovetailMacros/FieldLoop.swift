import DovetailSyntax

/// Writes the loop over the fields of an object, and one inside it for each nested object.
struct FieldLoop {
    let attributes: [ModelDeclaration.Attribute]
    /// What is done with the version of the object.
    let version: [(name: String, body: String)]
    /// How many nested objects there are so far.
    private var objectCount = 0

    init(_ attributes: [ModelDeclaration.Attribute], version: [(name: String, body: String)]) {
        self.attributes = attributes
        self.version = version
    }

    /// The loop over the fields of the model's own object, and what has to stand before it.
    mutating func text() -> String {
        var branches = branches(of: ModelDeclaration.Attribute.readFields(of: attributes))
        // A row has no objects: every attribute is a column of its own.
        for (index, attribute) in attributes.enumerated() where attribute.path.isNested {
            let read = reading(index, attribute.documentName)
            branches.append(
                (
                    attribute.documentName,
                    "if object.isRow { \(read) } else { \(Self.skip("object")) }"
                )
            )
        }
        branches += version
        var text = ""
        for number in 0..<objectCount { text += "var _seen\(number) = false\n" }
        return text + "var object = try reader.beginObject()\n" + loop("object", branches) + "\n"
    }

    private static func skip(_ object: String) -> String {
        "try reader.skipField(key, in: \(object))"
    }

    private func loop(_ object: String, _ branches: [(name: String, body: String)]) -> String {
        "while let key = try reader.nextKey(in: &\(object)) {\n"
            + KeySwitch(key: "key", unknown: Self.skip(object)).text(branches) + "\n}"
    }

    private mutating func branches(of fields: [FieldNode]) -> [(name: String, body: String)] {
        var result: [(name: String, body: String)] = []
        for field in fields {
            if let attribute = field.attribute {
                result.append((field.name, reading(attribute, field.name)))
            } else {
                let (seen, object) = ("_seen\(objectCount)", "object\(objectCount)")
                objectCount += 1
                let inner = loop(object, branches(of: field.members))
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
