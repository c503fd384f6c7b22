import DovetailSyntax

/// Writes the members of an enum that can be flattened: each case is one field, which is named after the
/// case and holds its one value, `{"string":"x"}`. In a row each case is a column, of which at most one
/// is not NULL.
///
/// ```swift
/// case 0x06676E69727473:  // string
///     if try reader.skipsNull(besides: String.self) { return true }
///     try reader.expectFirstCase(value, in: object)
///     var _0: String?
///     try reader.read(&_0, "string")
///     value = _0.map { .string($0) }
/// ```
struct FlattenableEnumSource {
    let model: ModelDeclaration
    let cases: [EnumCase]
    /// The name of the type at file scope.
    let name: String
    private var access: String { model.isInsideHidden ? "fileprivate " : model.access }

    func write(to source: inout SourceText) {
        let fields = cases.flatMap { enumCase in
            let name = enumCase.name.filter { $0 != "`" }
            let of = name == enumCase.documentName ? "" : ", of: \(RawSource.literal(name))"
            return [".name(\(RawSource.literal(enumCase.documentName))\(of))"]
                + enumCase.aliases.map {
                    ".alias(\(RawSource.literal($0)), of: \(RawSource.literal(name)))"
                }
        }
        let own = "Dovetail::FlattenedNames.own"
        FlattenableSource.writeFields(fields, access, to: &source)
        writeAttributes(to: &source)
        FlattenableSource.writeEncoding(model, names: own, to: &source)
        source.block(
            "\(access)func encodeFields(to writer: inout Dovetail::ModelWriter, "
                + "names: Dovetail::FlattenedNames) throws",
            writeWriting
        )
        let names = cases.flatMap { [$0.documentName] + $0.aliases }
        FlattenableSource.writeReading(
            model,
            names,
            names: own,
            end: "self = try slots.finish(names: names, in: object, from: &reader)",
            to: &source
        )
        source.block("\(access)struct FieldSlots: Dovetail::ModelFieldSlots", writeSlots)
    }

    private func writeAttributes(to source: inout SourceText) {
        let columns = cases.map { enumCase in
            let name = RawSource.literal(enumCase.documentName)
            if let coding = coding(of: enumCase) {
                return "Dovetail::_flattenedCase(\(name), by: \(coding))"
            }
            return "Dovetail::_flattenedCase(\(name), (\(type(of: enumCase))).self)"
        }
        source.line("@_optimize(none)")
        source.block("\(access)static var flattenedAttributes: [Dovetail::ModelAttribute]") {
            $0.list("[", columns, "]")
        }
    }

    /// The cases before the one of the value are NULL in a row, and those after it.
    private func writeWriting(to source: inout SourceText) {
        source.line("let model = try Dovetail::_willEncode(self, &writer)")
        source.line("switch model {")
        for (index, enumCase) in cases.enumerated() {
            let coding = coding(of: enumCase).map { ", by: \($0)" } ?? ""
            let token = RawSource.fieldToken(enumCase.documentName)
            source.line("case .\(enumCase.name)(let _0):")
            source.indented { source in
                if index > 0 { source.line("try writer.omitColumns(\(index))") }
                source.line("try writer.field(names.token(\(index), \(token)), _0\(coding))")
                let rest = cases.count - index - 1
                if rest > 0 { source.line("try writer.omitColumns(\(rest))") }
            }
        }
        source.line("}")
    }

    private func writeSlots(to source: inout SourceText) {
        source.line("\(access)typealias SlottedModel = \(name)")
        source.line("private var value: SlottedModel?")
        source.line("\(access)static var columnCount: Swift::Int { \(cases.count) }")
        source.line("\(access)init(_ names: Dovetail::FlattenedNames) {}")
        source.block("\(access)var isEmpty: Swift::Bool") { $0.line("!Dovetail::_isMet(value)") }
        source.block(FlattenableSource.readHead(access)) { source in
            let branches = cases.flatMap { enumCase in
                ([enumCase.documentName] + enumCase.aliases).map { name in
                    KeySwitch.Branch(name) { writeReading(of: enumCase, name, to: &$0) }
                }
            }
            KeySwitch(branches: branches, unknown: "return false").write(to: &source)
            source.line("return true")
        }
        source.block(FlattenableSource.columnsHead(access)) { source in
            for enumCase in cases {
                let coding = coding(of: enumCase).map { ", by: \($0)" } ?? ""
                source.block("if !reader.skipsNullColumns(1)") { source in
                    source.line("try reader.expectFirstColumn(value)")
                    source.line("var _0: \(RawSource.optional(type(of: enumCase)))")
                    source.line("try reader.readColumn(&_0\(coding))")
                    source.line("value = _0.map { .\(enumCase.name)($0) }")
                }
            }
        }
        source.block(FlattenableSource.finishHead(access)) { source in
            source.block("guard var value else") { source in
                let names = RawSource.list(cases.map(\.documentName))
                source.line("throw reader.missingCase(\(names), names: names, in: object)")
            }
            source.line("try Dovetail::_didDecode(&value, &reader, object)")
            source.line("return value")
        }
    }

    private func writeReading(of enumCase: EnumCase, _ name: String, to source: inout SourceText) {
        let coding = coding(of: enumCase).map { ", by: \($0)" } ?? ""
        let null = self.coding(of: enumCase) ?? "(\(type(of: enumCase))).self"
        source.line("if try reader.skipsNull(besides: \(null)) { return true }")
        source.line("try reader.expectFirstCase(value, in: object)")
        source.line("var _0: \(RawSource.optional(type(of: enumCase)))")
        source.line("try reader.read(&_0, \(RawSource.literal(name))\(coding))")
        source.line("value = _0.map { .\(enumCase.name)($0) }")
    }

    private func type(of enumCase: EnumCase) -> String {
        enumCase.values.first.map { model.spelling(of: $0.type) } ?? ""
    }

    private func coding(of enumCase: EnumCase) -> String? {
        enumCase.values.first.flatMap { CodingExpression.of($0.type, in: model) }
    }
}
