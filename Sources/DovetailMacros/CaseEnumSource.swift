import DovetailSyntax
import SwiftSyntax

/// Writes the members of an enum without a raw type: an object with one field, which is named after
/// the case and holds the object of its values, as the compiler synthesizes `Codable` (SE-0295).
///
/// ```json
/// {"circle":{"radius":2}}
/// ```
///
/// Reading is one loop over the fields of the object, with a branch for each name of a case:
///
/// ```swift
/// while let key = try reader.nextMember(in: &object) {
///     switch key.code {
///     case 0x040000006661656C:  // "leaf"
///         try reader.expectFirstCase(value, in: object)
///         try reader.skipObject()
///         value = Self.leaf
///     default:
///         try reader.skipValue()
///     }
/// }
/// ```
///
/// Reading passes over fields that are no case, so the type key of a protocol may be beside the
/// case. A second case is an error, which `reader.expectFirstCase` throws.
struct CaseEnumSource {
    let model: ModelDeclaration
    /// The cases in the order of the declaration.
    let cases: [EnumCase]

    /// Writes `init(modelValue:)` and `encode(to:)`.

    func write(to source: inout SourceText) {
        source.block(ModelSource.initializer(model), writeReading)
        source.block(ModelSource.encode(model), writeWriting)
    }

    /// The loop over the fields of the outer object, with a branch for each name of a case.
    private func writeReading(to source: inout SourceText) {
        let version = VersionSource(model: model)
        let branches = cases.flatMap { enumCase in
            ([enumCase.documentName] + enumCase.aliases).map { name in
                KeySwitch.Branch(name) { writeReading(of: enumCase, to: &$0) }
            }
        }
        source.line("var value: Self?")
        source.line("var object = \(version.beginning)")
        source.block("while let key = try reader.nextMember(in: &object)") {
            KeySwitch(branches: branches + version.branches, unknown: "try reader.skipValue()")
                .write(to: &$0)
        }
        source.block("guard var value else") {
            $0.line("throw reader.missingCase(of: Self.self, in: object)")
        }
        source.line("try Dovetail::_didDecode(&value, &reader, object)")
        source.line("self = value")
    }

    /// The branch of one case: a slot and a branch for each value, as in a struct, and then the
    /// call of the case. A case without values has an empty object, whose fields are skipped.
    private func writeReading(of enumCase: EnumCase, to source: inout SourceText) {
        source.line("try reader.expectFirstCase(value, in: object)")
        guard !enumCase.values.isEmpty else {
            source.line("try reader.skipObject()")
            source.line("value = Self.\(enumCase.name)")
            return
        }
        if isBare(enumCase) { return writeReading(ofBare: enumCase, to: &source) }
        let arguments = writeReading(ofValues: enumCase, to: &source)
        source.line("value = Self.\(enumCase.name)(\(arguments))")
    }

    /// Reads the object of a case's values: a slot and a branch for each.
    ///
    /// - Returns: the arguments of the case.
    func writeReading(ofValues enumCase: EnumCase, to source: inout SourceText) -> String {
        var fields: [KeySwitch.Branch] = []
        for (index, value) in enumCase.values.enumerated() {
            let slot = value.slot(at: index)
            source.line("var \(slot): \(RawSource.optional(model.spelling(of: value.type)))")
            let name = RawSource.literal(value.documentName)
            let coding = CodingExpression.of(value.type, in: model).map { ", by: \($0)" } ?? ""
            fields.append(
                .init(value.documentName, "try reader.read(&\(slot), \(name)\(coding))")
            )
        }
        source.line("var object = try reader.beginObject()")
        source.block("while let key = try reader.nextKey(in: &object)") {
            KeySwitch(branches: fields, unknown: "try reader.skipField(key, in: object)")
                .write(to: &$0)
        }
        var arguments: [String] = []
        for (index, value) in enumCase.values.enumerated() {
            let slot = value.slot(at: index)
            let label = value.label.map { Self.argumentLabel($0) + ": " } ?? ""
            if let defaultValue = value.defaultValue {
                arguments.append("\(label)\(slot) ?? (\(defaultValue))")
            } else if value.type.isWrittenAsOptional {
                arguments.append("\(label)\(slot) ?? nil")
            } else {
                let name = RawSource.literal(value.documentName)
                let present =
                    value.type.mayHideOptional ? "\(slot) = Dovetail::_present(\(slot))" : slot
                source.block("guard let \(present) else") {
                    $0.line("throw reader.missingField(\(name), in: object)")
                }
                arguments.append("\(label)\(slot)")
            }
        }
        return arguments.joined(separator: ", ")
    }

    /// Whether a case is written as the one value that it holds: `payload: .bare`.
    private func isBare(_ enumCase: EnumCase) -> Bool {
        model.hasBarePayload && enumCase.values.count == 1 && enumCase.values[0].label == nil
    }

    /// The branch of a case whose one value is the field's: `{"page_id":"x"}`.
    private func writeReading(ofBare enumCase: EnumCase, to source: inout SourceText) {
        let value = enumCase.values[0]
        let slot = value.slot(at: 0)
        let name = RawSource.literal(enumCase.documentName)
        let coding = CodingExpression.of(value.type, in: model).map { ", by: \($0)" } ?? ""
        source.line("var \(slot): \(RawSource.optional(model.spelling(of: value.type)))")
        source.line("try reader.read(&\(slot), \(name)\(coding))")
        source.block("guard let \(slot) else") {
            $0.line("throw reader.missingCase(of: Self.self, in: object)")
        }
        source.line("value = Self.\(enumCase.name)(\(slot))")
    }

    /// The label in a call. Only three keywords need backticks there, and what is no plain name; the compiler
    /// warns of those around others.
    private static func argumentLabel(_ label: String) -> String {
        let plain = label.filter { $0 != "`" }
        return LocalNames.isWord(plain) && !["inout", "var", "let"].contains(plain) ? plain : label
    }

    /// A `switch` over the cases that binds their values to the names of their slots.
    private func writeWriting(to source: inout SourceText) {
        source.line("let model = try Dovetail::_willEncode(self, &writer)")
        source.line("let object = try writer.beginObject()")
        VersionSource(model: model).writeWriting(to: &source)
        source.line("switch model {")
        for enumCase in cases {
            let slots = enumCase.values.enumerated().map { $1.slot(at: $0) }
            let names = slots.map { "let \($0)" }.joined(separator: ", ")
            source.line("case .\(enumCase.name)\(names.isEmpty ? "" : "(\(names))"):")
            source.indented { source in
                if isBare(enumCase) {
                    let value = enumCase.values[0]
                    let token = RawSource.fieldToken(enumCase.documentName)
                    let coding =
                        CodingExpression.of(value.type, in: model).map { ", by: \($0)" } ?? ""
                    // A case is told by its field, so nil is written as null.
                    let mayBeNil = value.type.isWrittenAsOptional || value.type.mayHideOptional
                    let verb = mayBeNil ? "nullableField" : "field"
                    return source.line("try writer.\(verb)(\(token), \(slots[0])\(coding))")
                }
                source.line("writer.beginField(\(RawSource.fieldToken(enumCase.documentName)))")
                source.line("let object = try writer.beginObject()")
                for (slot, value) in zip(slots, enumCase.values) {
                    source.line(writing(of: value, slot))
                }
                source.line("try writer.endObject(object)")
                source.line("writer.endField()")
            }
        }
        source.line("}")
        source.line("try writer.endObject(object)")
    }

    /// The line that writes one value.
    func writing(of value: EnumCase.Value, _ slot: String) -> String {
        let token = RawSource.fieldToken(value.documentName)
        let coding = CodingExpression.of(value.type, in: model).map { ", by: \($0)" } ?? ""
        // An absent field is read as the default, so nil is written as null.
        let isNullable =
            (value.type.isWrittenAsOptional || value.type.mayHideOptional)
            && value.hasDefaultOtherThanNil
        return "try writer.\(isNullable ? "nullableField" : "field")(\(token), \(slot)\(coding))"
    }
}
