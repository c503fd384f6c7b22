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
        switch model.shape {
        case .structure(let attributes):
            parts += StructSource(model: model, attributes: attributes).members
        case .stringEnum(let cases):
            parts += StringEnumSource(model: model, cases: cases).members
        case .rawEnum: break
        case .caseEnum(let cases):
            parts += CaseEnumSource(model: model, cases: cases).members
        }
        if !model.isGeneric { parts.append(Self.registration) }
        return parts.joined(separator: "\n")
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
