import DovetailSyntax

/// Writes the members of a struct that can be flattened: the slots of its fields as a type of its own,
/// with which a model around it reads them, and the body that reads and writes the struct alone by the
/// same slots.
///
/// ```swift
/// struct FieldSlots: Dovetail::ModelFieldSlots {
///     private var _name: String?
///     mutating func read(_ key: …) throws -> Bool {
///         switch key.code {
///         case 0x04000000656D616E:  // name
///             try reader.read(&_name, "name")
///         default:
///             return false
///         }
///         return true
///     }
///     …
/// }
/// ```
struct FlattenableSource {
    let model: ModelDeclaration
    let attributes: [ModelDeclaration.Attribute]
    /// The name of the type at file scope.
    let name: String
    private var access: String { model.isInsideHidden ? "fileprivate " : model.access }
    private var flattened: FlattenedSource { FlattenedSource(model, attributes) }
    private var read: [ModelDeclaration.Attribute] { attributes.filter(\.property.isRead) }

    init(
        _ model: ModelDeclaration,
        _ attributes: [ModelDeclaration.Attribute],
        _ name: String
    ) {
        self.model = model
        self.attributes = attributes
        self.name = name
    }

    func write(to source: inout SourceText) {
        let names = flattened.isEmpty ? "Dovetail::FlattenedNames.own" : nil
        Self.writeFields(flattened.fields, access, to: &source)
        Self.writeEncoding(model, names: names, to: &source)
        source.block(
            "\(access)func encodeFields(to writer: inout Dovetail::ModelWriter, "
                + "names: Dovetail::FlattenedNames) throws"
        ) { source in
            let bound = attributes.isEmpty ? "_" : "let model"
            source.line("\(bound) = try Dovetail::_willEncode(self, &writer)")
            StructSource(model: model, attributes: attributes).writeFields(to: &source)
        }
        if model.unknownFields != .skip {
            source.line(
                "\(access)static var unknownFieldsPolicy: Dovetail::UnknownPolicy "
                    + "{ .\(model.unknownFields.rawValue) }"
            )
        }
        Self.writeReading(
            model,
            expected,
            names: names,
            end: "try self.init(\(arguments(of: "slots.")))",
            to: &source
        )
        source.block("\(access)struct FieldSlots: Dovetail::ModelFieldSlots", writeSlots)
        writeInitializer(to: &source)
    }

    /// The names of all fields that are read.
    private var expected: [String] {
        ModelDeclaration.Attribute.readFields(of: attributes).map(\.name)
    }

    private func slotType(of property: StoredProperty) -> String {
        property.attribute.flattened == nil
            ? RawSource.optional(model.spelling(of: property.type))
            : flattened.slotType(of: property)
    }

    /// The arguments of the initializer that takes the slots.
    ///
    /// - Parameter owner: What the slots are members of, with a dot.
    private func arguments(of owner: String) -> String {
        let slots = read.map { "&\(owner)\($0.property.slot)" }
        return (slots + ["names: names", "in: object", "from: &reader"]).joined(separator: ", ")
    }

    private func writeSlots(to source: inout SourceText) {
        source.line("\(access)typealias SlottedModel = \(name)")
        for property in read.map(\.property) {
            source.line("fileprivate var \(property.slot): \(slotType(of: property))")
        }
        if hasSkippedConstants { source.line("private var hasConstant = false") }
        let members = attributes.map(\.property).filter { $0.attribute.flattened != nil }
        let own = attributes.count - members.count
        let counts = ["\(own)"] + members.map { flattened.slotType(of: $0) + ".columnCount" }
        source.block("\(access)static var columnCount: Swift::Int") {
            $0.line(counts.joined(separator: " + "))
        }
        source.block("\(access)init(_ names: Dovetail::FlattenedNames)") { source in
            for property in members {
                source.line("\(property.slot) = \(flattened.emptySlots(of: property))")
            }
        }
        writeIsEmpty(to: &source)
        source.block(Self.readHead(access)) { source in
            var loop = FieldLoop(model, attributes)
            loop.writeSlots(to: &source)
            source.line("return true")
        }
        source.block(Self.columnsHead(access)) { source in
            FieldLoop(model, attributes).writeColumnReads(to: &source)
        }
        source.block(Self.finishHead(access)) { source in
            source.line("try \(name)(\(arguments(of: "")))")
        }
    }

    private func writeIsEmpty(to source: inout SourceText) {
        source.block("\(access)var isEmpty: Swift::Bool") { source in
            let constants = hasSkippedConstants ? ["!hasConstant"] : []
            let parts =
                constants
                + read.map(\.property).map { property in
                    if property.attribute.flattened != nil { return "\(property.slot).isEmpty" }
                    if property.attribute.isOmittedWhenEmpty {
                        return "!Dovetail::_isWritten(nonEmpty: \(property.slot))"
                    }
                    if property.hasDefaultOtherThanNil {
                        return "!Dovetail::_isMet(\(property.slot))"
                    }
                    let coding =
                        CodingExpression.of(property, in: model).map { ", by: \($0)" } ?? ""
                    return "!Dovetail::_isWritten(\(property.slot)\(coding))"
                }
            // One statement for each: a long condition takes the type checker long.
            for part in parts.dropLast() { source.line("guard \(part) else { return false }") }
            source.line(parts.isEmpty ? "true" : "return \(parts[parts.count - 1])")
        }
    }

    /// Whether a field is written and not read, which shows that there is a value.
    private var hasSkippedConstants: Bool { attributes.contains { !$0.property.isRead } }

    /// Writes the initializer that takes the slots, each of which it empties. They belong to the caller,
    /// as those of any other struct belong to the caller of its loop.
    private func writeInitializer(to source: inout SourceText) {
        let slots = read.map { "_ \($0.property.slot): inout \(slotType(of: $0.property))" }
        let parameters =
            slots + [
                "names: Dovetail::FlattenedNames", "in object: Dovetail::ObjectScope",
                "from reader: inout Dovetail::ModelReader",
            ]
        source.block("private init(\(parameters.joined(separator: ", "))) throws") { source in
            let body = StructSource(model: model, attributes: attributes)
            if let moving = MemberwiseSource(model, attributes) {
                body.writePresence(bindingSlots: false, to: &source)
                moving.write(to: &source)
            } else {
                body.writePresence(bindingSlots: true, to: &source)
                body.writeAssignments(to: &source)
            }
            body.writeConstantChecks(to: &source)
            source.line("try Dovetail::_didDecode(&self, &reader, object)")
        }
    }
}

// What structs and enums have in common.

extension FlattenableSource {
    static func readHead(_ access: String) -> String {
        "\(access)mutating func read(_ key: Dovetail::FieldKey, in object: Dovetail::ObjectScope, "
            + "from reader: inout Dovetail::ModelReader) throws -> Swift::Bool"
    }

    static func columnsHead(_ access: String) -> String {
        "\(access)mutating func readColumns(from reader: inout Dovetail::ModelReader) throws"
    }

    static func finishHead(_ access: String) -> String {
        "\(access)mutating func finish(names: Dovetail::FlattenedNames, "
            + "in object: Dovetail::ObjectScope, from reader: inout Dovetail::ModelReader) "
            + "throws -> SlottedModel"
    }

    /// Writes the list of names.
    static func writeFields(_ fields: [String], _ access: String, to source: inout SourceText) {
        source.line("@_optimize(none)")
        source.block("\(access)static var flattenedFields: [Dovetail::FlattenedField]") {
            $0.list("[", fields, "]")
        }
    }

    /// Writes the function that writes the model alone.
    ///
    /// - Parameter names: Its names; nil for `_$names`.
    static func writeEncoding(
        _ model: ModelDeclaration,
        names: String?,
        to source: inout SourceText
    ) {
        source.block(ModelSource.encode(model)) { source in
            source.line("let names = \(names ?? "try writer.checkedNames(Self._$names)")")
            source.line("let object = try writer.beginObject()")
            source.line("try encodeFields(to: &writer, names: names)")
            source.line("try writer.endObject(object)")
        }
    }

    /// Writes the initializer that reads the model alone.
    ///
    /// - Parameters:
    ///   - fields: The names of all fields that are read.
    ///   - names: The model's names; nil for `_$names`.
    ///   - end: What makes the value of `slots`.
    static func writeReading(
        _ model: ModelDeclaration,
        _ fields: [String],
        names: String?,
        end: String,
        to source: inout SourceText
    ) {
        source.block(ModelSource.initializer(model)) { source in
            source.line("let names = \(names ?? "try reader.checkedNames(Self._$names)")")
            source.line("var object = try reader.beginObject()")
            source.line("var slots = FieldSlots(names)")
            source.block("if object.isRow") { $0.line("try slots.readColumns(from: &reader)") }
            source.block("else") { source in
                if names == nil {
                    source.line(
                        "var objectNames = Dovetail::ExpectedNames(Self._$names.expected)"
                    )
                } else {
                    source.line("var objectNames = Dovetail::ExpectedNames(")
                    source.indented { source in
                        for line in FieldCode.expected(fields) { source.line(line) }
                    }
                    source.line(")")
                }
                let loop = "try reader.nextKey(in: &object, expecting: &objectNames)"
                source.block("while let key = \(loop)") { source in
                    let passing =
                        model.unknownFields == .throw
                        ? "try reader.refuseField(key, in: object)"
                        : "try reader.skipField(key, in: object)"
                    let branches = VersionSource(model: model).branches
                    var fields = KeySwitch(branches: branches, unknown: passing)
                    fields.flattened = ["slots"]
                    fields.write(to: &source)
                }
            }
            source.line(end)
        }
    }
}
