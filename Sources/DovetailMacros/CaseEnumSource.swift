import DovetailSyntax
import SwiftSyntax

/// Writes the members of an enum without a raw type: an object with one field, which is named after
/// the case and holds the object of its values, as `Codable` is synthesized.
///
/// Reading passes over other fields, so the type key of a protocol may stand beside it.
struct CaseEnumSource {
    let model: ModelDeclaration
    let cases: [EnumCase]
    private var access: String { model.access }

    var members: [String] { [reading, writing] }

    private var reading: String {
        let branches = cases.flatMap { enumCase in
            ([enumCase.documentName] + enumCase.aliases).map {
                KeySwitch.Branch(name: $0, body: reading(enumCase))
            }
        }
        let version = VersionSource(model: model)
        return """
            \(access)init(modelValue reader: inout Dovetail::ModelReader) throws {
            var value: Swift::Optional<Self> = nil
            var object = \(version.beginning)
            while let key = try reader.nextMember(in: &object) {
            \(KeySwitch(key: "key", unknown: "try reader.skipValue()").text(branches + version.branches))
            }
            guard var value else { throw reader.missingCase(of: Self.self, in: object) }
            try Dovetail::_didDecode(&value, &reader, object)
            self = value
            }
            """
    }

    private func reading(_ enumCase: EnumCase) -> String {
        var text = "try reader.expectFirstCase(value, in: object)\n"
        guard !enumCase.values.isEmpty else {
            return text + "try reader.skipObject()\nvalue = Self.\(enumCase.name)"
        }
        for (index, value) in enumCase.values.enumerated() {
            text += "var _\(index): Swift::Optional<\(model.spelling(of: value.type))> = nil\n"
        }
        text += "var object = try reader.beginObject()\n"
        text += "while let key = try reader.nextKey(in: &object) {\n"
        let fields = enumCase.values.enumerated().map { index, value in
            let name = RawSource.literal(value.documentName)
            let coding = CodingExpression.of(value.type).map { ", by: \($0)" } ?? ""
            return KeySwitch.Branch(
                name: value.documentName,
                body: "try reader.read(&_\(index), \(name)\(coding))"
            )
        }
        text +=
            KeySwitch(key: "key", unknown: "try reader.skipField(key, in: object)").text(fields)
            + "\n}\n"
        var arguments: [String] = []
        for (index, value) in enumCase.values.enumerated() {
            let label = value.label.map { Self.argumentLabel($0) + ": " } ?? ""
            if let defaultValue = value.defaultValue {
                arguments.append("\(label)_\(index) ?? (\(defaultValue))")
            } else if value.type.isWrittenAsOptional {
                arguments.append("\(label)_\(index) ?? nil")
            } else {
                let name = RawSource.literal(value.documentName)
                let slot =
                    value.type.mayHideOptional
                    ? "_\(index) = Dovetail::_present(_\(index))" : "_\(index)"
                text += "guard let \(slot) else "
                text += "{ throw reader.missingField(\(name), in: object) }\n"
                arguments.append("\(label)_\(index)")
            }
        }
        return text + "value = Self.\(enumCase.name)(\(arguments.joined(separator: ", ")))"
    }

    /// Behind a parenthesis only three keywords are escaped; the compiler warns of others.
    private static func argumentLabel(_ label: String) -> String {
        ["`inout`", "`var`", "`let`"].contains(label) ? label : label.filter { $0 != "`" }
    }

    private var writing: String {
        var text = "\(access)func encode(to writer: inout Dovetail::ModelWriter) throws {\n"
        text += "let model = try Dovetail::_willEncode(self, &writer)\n"
        text += "let object = try writer.beginObject()\n" + VersionSource(model: model).writing
        text += "switch model {\n"
        for enumCase in cases {
            let token = RawSource.fieldToken(enumCase.documentName)
            let names = enumCase.values.indices.map { "let _\($0)" }.joined(separator: ", ")
            text += "case .\(enumCase.name)\(names.isEmpty ? "" : "(\(names))"):\n"
            text += "writer.beginField(\(token))\nlet object = try writer.beginObject()\n"
            for (index, value) in enumCase.values.enumerated() {
                let token = RawSource.fieldToken(value.documentName)
                let coding = CodingExpression.of(value.type).map { ", by: \($0)" } ?? ""
                // Left out it would come back as the default, so nil is written as null.
                let isNullable =
                    (value.type.isWrittenAsOptional || value.type.mayHideOptional)
                    && value.hasDefaultOtherThanNil
                let verb = isNullable ? "nullableField" : "field"
                text += "try writer.\(verb)(\(token), _\(index)\(coding))\n"
            }
            text += "try writer.endObject(object)\nwriter.endField()\n"
        }
        return text + "}\ntry writer.endObject(object)\n}"
    }
}
