import DovetailSyntax

/// Writes the members of a model's extension.
struct ModelSource {
    let model: ModelDeclaration
    /// The name of the type as the file knows it.
    let qualifiedName: String

    init(_ model: ModelDeclaration, named qualifiedName: String = "Self") {
        self.model = model
        self.qualifiedName = qualifiedName
    }

    /// The head of the initializer that reads.
    static func initializer(_ model: ModelDeclaration) -> String {
        "\(model.access)init(modelValue reader: inout Dovetail::ModelReader) throws"
    }

    /// The head of the function that writes.
    static func encode(_ model: ModelDeclaration) -> String {
        "\(model.access)func encode(to writer: inout Dovetail::ModelWriter) throws"
    }

    func write(to source: inout SourceText) {
        let access = model.access
        let name = RawSource.literal(model.typeName)
        source.line("\(access)static var typeName: Swift::String { \(name) }")
        if !model.typeAliases.isEmpty {
            let aliases = RawSource.list(model.typeAliases)
            source.line("\(access)static var typeAliases: [Swift::String] { \(aliases) }")
        }
        if VersionSource(model: model).isVersioned {
            source.line("\(access)static var modelVersion: Swift::Int { \(model.knownVersion) }")
        }
        switch model.shape {
        case .structure(let attributes):
            StructSource(model: model, attributes: attributes, qualifiedName: qualifiedName)
                .write(to: &source)
        case .stringEnum(let cases):
            StringEnumSource(model: model, cases: cases).write(to: &source)
        case .rawEnum:
            if let fallback = model.fallback {
                // The raw values are not strings in the source.
                source.block(Self.initializer(model)) {
                    $0.line("self = try reader.readCase(or: .\(fallback))")
                }
            }
        case .textEnum(let cases):
            if let fallback = model.fallback {
                TextEnumSource(model: model, cases: cases, fallback: fallback).write(to: &source)
            }
        case .caseEnum(let cases):
            CaseEnumSource(model: model, cases: cases).write(to: &source)
        }
        // The values of raw enums are read and written by the library alone.
        if !model.hasHooks {
            source.line(
                """
                @available(*, unavailable, message: "the values of a raw enum are read and written \
                without hooks; put willEncode() and didDecode() into a model that holds the enum")
                """
            )
            source.line("\(access)static func _hasHooks() {}")
        }
        if model.isGeneric { writeRefusal(to: &source) } else { writeKeeper(to: &source) }
    }

    /// Writes the `id` of a model with a primary key.
    func writeIdentity(to source: inout SourceText) {
        guard case .structure(let attributes) = model.shape else { return }
        StructSource(model: model, attributes: attributes).writeIdentity(to: &source)
    }

    /// A generic type cannot be found by its protocols. This is what it would fulfil a requirement of
    /// theirs with, so the compiler refuses the conformance with these words, wherever it stands.
    private func writeRefusal(to source: inout SourceText) {
        source.line(
            """
            @available(*, unavailable, message: "a generic type cannot conform to a model protocol, \
            as documents name a type and not its parameters; conform with a type of its own that \
            holds the generic one, or list the conformers: @ModelProtocol(conformers:)")
            """
        )
        source.line("\(model.access)static func _isRegistered() {}")
    }

    /// Keeps what the runtime knows of the type, by which `any P` finds it: the optimizer removes
    /// the conformances of types that nothing but documents names.
    private func writeKeeper(to source: inout SourceText) {
        source.line("@used private static func _$keep() -> Any.Type { Self.self }")
    }

    /// What has to stand in the body of the declaration, a text a member.
    var ownMembers: [String] {
        var members: [String] = []
        if case .structure(let attributes) = model.shape {
            let source = StructSource(model: model, attributes: attributes)
            if model.isClass {
                members.append(SourceText.at(depth: 0, source.writeInitializer))
            }
            if model.keepsUnknownFields {
                members.append(SourceText.at(depth: 0, source.writeUnknownFields))
            }
        }
        guard !model.localTypes.isEmpty else { return members }
        let types = SourceText.at(depth: 0) { source in
            source.block("private enum _$Types") { source in
                for (index, type) in model.localTypes.enumerated() {
                    source.line("typealias T\(index) = \(type)")
                }
            }
        }
        return members + [types]
    }
}

extension ModelDeclaration {
    /// Whether generated code calls the hooks of `ModelLifecycle`.
    fileprivate var hasHooks: Bool {
        switch shape {
        case .structure, .caseEnum: true
        case .stringEnum, .rawEnum, .textEnum: false
        }
    }
}
