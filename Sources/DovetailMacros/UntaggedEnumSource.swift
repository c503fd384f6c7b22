import DovetailSyntax

/// Writes the members of an enum whose cases are told apart by their values alone:
/// `@Model(tagging: .untagged)`.
///
/// ```swift
/// var union = try reader.beginUnion()
/// union.add(0, Dovetail::_kinds(Swift::String.self))
/// union.add(1, Dovetail::_kinds(Customer.self))
/// reader.narrow(&union) { shapes }
/// while let place = union.next() {
///     let value: Self? = switch place {
///     case 0: try reader.attempt(&union, place) { Self.id(try $0.value(Swift::String.self)) }
///     default: try reader.attempt(&union, place) { Self.whole(try $0.value(Customer.self)) }
///     }
///     if let value {
///         self = value
///         return
///     }
/// }
/// throw reader.noCase(of: Self.self, union, ["id", "whole"], _$shapes)
/// ```
///
/// A case with one value that has no label is that value; one with others is an object of them, and
/// one without values is null.
struct UntaggedEnumSource {
    let model: ModelDeclaration
    /// The cases in the order in which they are tried.
    let cases: [EnumCase]

    /// Writes `documentKinds`, `readsNull`, `init(modelValue:)` and `encode(to:)`.
    func write(to source: inout SourceText) {
        let access = model.access
        source.block("\(access)static var documentKinds: Dovetail::DocumentKinds") {
            $0.list("[", cases.map(kinds), "]")
        }
        source.block("\(access)static var readsNull: Swift::Bool") {
            $0.line("documentKinds.contains(.null)")
        }
        writeShapes(to: &source)
        source.block(ModelSource.initializer(model), writeReading)
        source.block(ModelSource.encode(model), writeWriting)
    }

    /// Writes the table that tells objects and arrays apart. A generic type has no stored property of
    /// its own.
    private func writeShapes(to source: inout SourceText) {
        func table(_ source: inout SourceText) {
            source.list("Dovetail::UnionShapes([", cases.map(shape), "])")
        }
        let head =
            "private static \(model.isGeneric ? "var" : "let") _$shapes: Dovetail::UnionShapes"
        guard model.isGeneric else {
            source.line("\(head) =")
            return source.indented(table)
        }
        source.block(head) {
            $0.block("Dovetail::UnionShapes.known(of: Self.self)", table)
        }
    }

    private func bareValue(of enumCase: EnumCase) -> EnumCase.Value? {
        let value = enumCase.values.first
        return enumCase.values.count == 1 && value?.label == nil ? value : nil
    }

    private func coding(_ value: EnumCase.Value) -> String? {
        CodingExpression.of(value.type, in: model)
    }

    /// What the function that looks at a case's value is called with: its type, or its coding.
    private func argument(_ value: EnumCase.Value) -> String {
        coding(value).map { "by: \($0)" } ?? "(\(model.spelling(of: value.type))).self"
    }

    private func kinds(_ enumCase: EnumCase) -> String {
        guard let value = bareValue(of: enumCase) else {
            return enumCase.values.isEmpty ? ".null" : ".object"
        }
        return "Dovetail::_kinds(\(argument(value)))"
    }

    private func shape(_ enumCase: EnumCase) -> String {
        if let value = bareValue(of: enumCase) { return "Dovetail::_shape(\(argument(value)))" }
        guard !enumCase.values.isEmpty else { return "Dovetail::UnionShape(.null)" }
        let required = enumCase.values.first {
            $0.defaultValue == nil && !$0.type.isWrittenAsOptional && !$0.type.mayHideOptional
        }
        let name = required.map { ", required: \(RawSource.literal($0.documentName))" } ?? ""
        return "Dovetail::UnionShape(.object\(name))"
    }

    private func writeReading(to source: inout SourceText) {
        source.line("var union = try reader.beginUnion()")
        for (place, enumCase) in cases.enumerated() {
            source.line("union.add(\(place), \(kinds(enumCase)))")
        }
        if cases.count > 1 { source.line("reader.narrow(&union) { Self._$shapes }") }
        source.block("while let place = union.next()") { source in
            source.line("let value: Self?")
            source.line("switch place {")
            for (place, enumCase) in cases.enumerated() {
                source.line(place == cases.count - 1 ? "default:" : "case \(place):")
                source.indented { source in
                    source.closure("value = try reader.attempt(&union, place)", "reader") {
                        writeReading(of: enumCase, to: &$0)
                    }
                }
            }
            source.line("}")
            source.block("if let value") {
                $0.line("self = value")
                $0.line("return")
            }
        }
        let names = RawSource.list(cases.map(\.documentName))
        source.line("throw reader.noCase(of: Self.self, union, \(names), Self._$shapes)")
    }

    private func writeReading(of enumCase: EnumCase, to source: inout SourceText) {
        let name = "Self.\(enumCase.name)"
        if let value = bareValue(of: enumCase) {
            return source.line("\(name)(try reader.value(\(argument(value))))")
        }
        guard !enumCase.values.isEmpty else {
            source.line("_ = try reader.readNull()")
            return source.line("return \(name)")
        }
        let values = CaseEnumSource(model: model, cases: cases)
        let arguments = values.writeReading(ofValues: enumCase, to: &source)
        source.line("return \(name)(\(arguments))")
    }

    private func writeWriting(to source: inout SourceText) {
        source.closure("try writer.embed", "writer") { source in
            source.line("switch self {")
            for enumCase in cases {
                let slots = enumCase.values.enumerated().map { $1.slot(at: $0) }
                let names = slots.map { "let \($0)" }.joined(separator: ", ")
                source.line("case .\(enumCase.name)\(names.isEmpty ? "" : "(\(names))"):")
                source.indented { source in
                    if let value = bareValue(of: enumCase) {
                        let coding = coding(value).map { ", by: \($0)" } ?? ""
                        return source.line("try writer.value(\(slots[0])\(coding))")
                    }
                    guard !slots.isEmpty else { return source.line("try writer.writeNull()") }
                    source.line("let object = try writer.beginObject()")
                    let values = CaseEnumSource(model: model, cases: cases)
                    for (slot, value) in zip(slots, enumCase.values) {
                        source.line(values.writing(of: value, slot))
                    }
                    source.line("try writer.endObject(object)")
                }
            }
            source.line("}")
        }
    }
}
