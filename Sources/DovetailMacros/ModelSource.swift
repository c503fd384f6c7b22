import DovetailSyntax

/// Writes the members of a model's extension.
struct ModelSource {
    let model: ModelDeclaration

    init(_ model: ModelDeclaration) {
        self.model = model
    }

    var members: String {
        let name = RawSource.literal(model.typeName)
        var parts = ["\(model.access)static var typeName: Swift::String { \(name) }"]
        if !model.typeAliases.isEmpty {
            let aliases = model.typeAliases.map(RawSource.literal).joined(separator: ", ")
            parts.append("\(model.access)static var typeAliases: [Swift::String] { [\(aliases)] }")
        }
        switch model.shape {
        case .structure(let attributes):
            parts += StructSource(model: model, attributes: attributes).members
        case .stringEnum(let cases):
            parts += StringEnumSource(model: model, cases: cases).members
        case .rawEnum:
            if let fallback = model.fallback { parts.append(reading(fallback: fallback)) }
        }
        if !model.isGeneric { parts.append(Self.registration) }
        return parts.joined(separator: "\n")
    }

    /// An enum of raw values that are not strings in the source, with a case for unknown ones.
    private func reading(fallback: String) -> String {
        """
        \(model.access)init(modelValue reader: inout Dovetail::ModelReader) throws {
        self = try reader.readCase(or: .\(fallback))
        }
        """
    }

    /// Runs when the loader maps the module.
    private static let registration = """
        #if canImport(Darwin)
        @section("__DATA,__mod_init_func")
        #else
        @section(".init_array")
        #endif
        @used private static let _$registration: @convention(c) () -> Swift::Void = { Dovetail::_register(Self.self) }
        """
}
