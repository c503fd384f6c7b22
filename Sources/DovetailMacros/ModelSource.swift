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

    var members: String {
        let name = RawSource.literal(model.typeName)
        var parts = ["\(model.access)static var typeName: Swift::String { \(name) }"]
        if !model.typeAliases.isEmpty {
            let aliases = model.typeAliases.map(RawSource.literal).joined(separator: ", ")
            parts.append("\(model.access)static var typeAliases: [Swift::String] { [\(aliases)] }")
        }
        let version = VersionSource(model: model)
        if version.isVersioned {
            parts.append(
                "\(model.access)static var modelVersion: Swift::Int { \(model.knownVersion) }"
            )
        }
        switch model.shape {
        case .structure(let attributes):
            let source = StructSource(
                model: model,
                attributes: attributes,
                qualifiedName: qualifiedName
            )
            parts += source.members
        case .stringEnum(let cases):
            parts += StringEnumSource(model: model, cases: cases).members
        case .rawEnum:
            if let fallback = model.fallback { parts.append(reading(fallback: fallback)) }
        case .textEnum(let cases):
            if let fallback = model.fallback {
                parts += TextEnumSource(model: model, cases: cases, fallback: fallback).members
            }
        case .caseEnum(let cases):
            parts += CaseEnumSource(model: model, cases: cases).members
        }
        if !model.hasHooks { parts.append(refusalOfHooks) }
        parts.append(model.isGeneric ? refusal : keeper)
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

    /// A generic type cannot be registered. This is what it would fulfil a requirement of model
    /// protocols with, so the compiler refuses the conformance with these words, wherever it stands.
    private var refusal: String {
        """
        @available(*, unavailable, message: "a generic type cannot conform to a model protocol, as \
        documents name a type and not its parameters; conform with a type of its own that holds the \
        generic one, or list the conformers: @ModelProtocol(conformers:)")
        \(model.access)static func _isRegistered() {}
        """
    }

    /// The values of raw enums are read and written by the library alone. As with `refusal`, the
    /// compiler says these words at the conformance.
    private var refusalOfHooks: String {
        """
        @available(*, unavailable, message: "the values of a raw enum are read and written without \
        hooks; put willEncode() and didDecode() into a model that holds the enum")
        \(model.access)static func _hasHooks() {}
        """
    }

    /// What has to stand in the body of the declaration.
    var ownMembers: [String] {
        var members: [String] = []
        if case .structure(let attributes) = model.shape {
            let source = StructSource(model: model, attributes: attributes)
            if model.isClass { members.append(source.reading) }
            if model.keepsUnknownFields { members.append(source.unknownFields) }
        }
        guard !model.localTypes.isEmpty else { return members }
        let aliases = model.localTypes.enumerated().map { "typealias T\($0) = \($1)" }
        return members + ["private enum _$Types {\n\(aliases.joined(separator: "\n"))\n}"]
    }

    /// Keeps what the runtime knows of the type, by which `any P` finds it: the optimizer removes
    /// the conformances of types that nothing but documents names.
    private var keeper: String {
        "@used nonisolated private static func _$keep() -> Any.Type { Self.self }"
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
