import DovetailSyntax

/// Writes the members of a model's extension, and those of its body.
///
/// It writes what all models have, and leaves the rest to one type for each shape:
/// ``StructSource``, ``StringEnumSource``, ``TextEnumSource``, ``CaseEnumSource``. Names of the
/// library and of the standard library are written with their module, so that no declaration of the
/// program can hide them.
struct ModelSource {
    let model: ModelDeclaration
    /// The name of the type at file scope, with its type parameters.
    let qualifiedName: String

    init(_ model: ModelDeclaration, named qualifiedName: String = "Self") {
        self.model = model
        self.qualifiedName = qualifiedName
    }

    /// The head of the initializer that reads.
    static func initializer(_ model: ModelDeclaration) -> String {
        let words = model.hierarchy == nil ? "" : "required convenience "
        return "\(model.access)\(words)init(modelValue reader: inout Dovetail::ModelReader) throws"
    }

    /// The head of the function that writes.
    static func encode(_ model: ModelDeclaration) -> String {
        "\(model.access)func encode(to writer: inout Dovetail::ModelWriter) throws"
    }

    /// Writes the members of the extension.
    func write(to source: inout SourceText) {
        let access = model.access
        if model.hierarchy == nil { writeNames(to: &source) }
        if model.keepsTypeName {
            source.line("\(access)static var keepsTypeName: Swift::Bool { true }")
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
            writeFallback(besides: cases.map(\.name), to: &source)
        case .rawEnum(let cases):
            if let fallback = model.fallback {
                // Without a fallback the library's own initializer for raw values is used.
                source.block(Self.initializer(model)) {
                    $0.line("self = try reader.readCase(or: .\(fallback))")
                }
            }
            if let cases { writeFallback(besides: cases, to: &source) }
        case .textEnum(let cases):
            if let fallback = model.fallback {
                TextEnumSource(model: model, cases: cases, fallback: fallback).write(to: &source)
            }
        case .caseEnum(let cases) where model.isFlattenable:
            FlattenableEnumSource(model: model, cases: cases, name: qualifiedName)
                .write(to: &source)
        case .caseEnum(let cases) where model.isUntagged:
            UntaggedEnumSource(model: model, cases: cases).write(to: &source)
        case .caseEnum(let cases):
            CaseEnumSource(model: model, cases: cases).write(to: &source)
        }
        // Enums that are one value have no hooks: a requirement of `ModelLifecycle` is unavailable,
        // so the compiler refuses the conformance with these words.
        if !model.hasHooks {
            let kind = model.isUntagged ? "an untagged enum" : "a raw enum"
            source.line(
                """
                @available(*, unavailable, message: "the values of \(kind) are read and written \
                without hooks; put willEncode() and didDecode() into a model that holds the enum")
                """
            )
            source.line("\(access)static func _hasHooks() {}")
        }
        if model.isGeneric { writeRefusal(to: &source) } else { writeKeeper(to: &source) }
    }

    /// Writes the names of the type.
    private func writeNames(to source: inout SourceText) {
        let head = model.classMember()
        let name = RawSource.literal(model.typeName)
        source.line("\(head)var typeName: Swift::String { \(name) }")
        if !model.typeAliases.isEmpty || model.hierarchy != nil {
            let aliases = RawSource.list(model.typeAliases)
            source.line("\(head)var typeAliases: [Swift::String] { \(aliases) }")
        }
    }

    /// Writes what queries have to know of an enum with `@Fallback`: which stored values are read as what they
    /// are, so that all others are those of the fallback.
    private func writeFallback(besides cases: [String], to source: inout SourceText) {
        guard let fallback = model.fallback else { return }
        let others = cases.filter { $0 != fallback }.map { ".\($0)" }.joined(separator: ", ")
        source.block("\(model.access)static var _fallback: Dovetail::FallbackCase?") {
            $0.line("Dovetail::FallbackCase(Self.\(fallback), besides: [\(others)])")
        }
    }

    /// Writes the `id` of a model with a primary key.
    func writeIdentity(to source: inout SourceText) {
        guard case .structure(let attributes) = model.shape else { return }
        StructSource(model: model, attributes: attributes).writeIdentity(to: &source)
    }

    /// Writes what makes the compiler refuse a model protocol for a generic type, which the
    /// runtime's records cannot name: an unavailable implementation of a requirement. Its message
    /// is shown at the conformance, in whichever file that is.
    private func writeRefusal(to source: inout SourceText) {
        source.line(
            """
            @available(*, unavailable, message: "a generic type cannot conform to a model protocol, \
            as documents name a type and not its parameters; conform with a type of its own that \
            holds the generic one, or list the conformers: @ModelProtocol(conformers:)")
            """
        )
        source.line("\(model.access)static func _hasNoParameters() {}")
    }

    /// Writes the function that keeps the type's conformances, by which `any P` finds it. The
    /// optimizer removes those of a type that nothing in the program names.
    private func writeKeeper(to source: inout SourceText) {
        source.line("@used private static func _$keep() -> Any.Type { Self.self }")
    }

    /// What has to be in the body of the declaration, one text for each member.
    var ownMembers: [String] {
        var members: [String] = []
        if case .structure(let attributes) = model.shape {
            let source = StructSource(model: model, attributes: attributes)
            if model.isClass {
                members.append(SourceText.at(depth: 0, source.writeInitializer))
                if model.leavesInitializer { members.append("init() {}") }
            }
            if model.hierarchy != nil {
                members.append(SourceText.at(depth: 0, writeNames))
                members.append(SourceText.at(depth: 0, source.writeClassMembers))
            }
            if model.isManaged {
                let managed = ManagedSource(model: model, attributes: attributes)
                members.append(SourceText.at(depth: 0, managed.writeMembers))
            }
            if model.keepsUnknownFields {
                members.append(SourceText.at(depth: 0, source.writeUnknownFields))
            }
        }
        guard !model.localTypes.isEmpty else { return members }
        let types = SourceText.at(depth: 0) { source in
            // The slots of a model that can be flattened are seen by its initializer.
            let access = model.isFlattenable ? "fileprivate" : "private"
            source.block("\(access) enum _$Types") { source in
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
        case .structure, .caseEnum: !isUntagged
        case .stringEnum, .rawEnum, .textEnum: false
        }
    }
}
