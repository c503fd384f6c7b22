@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling

/// Answers what the compiler asks, and does so with as little parsing as the answer needs.
///
/// The compiler asks for every role of `@Model` at every declaration, for the attributes of every
/// member, and for the accessors and the storage of every property of a class. Structs and enums, which
/// most models are, have an answer to one of these questions alone. What a property of a class becomes
/// its own text tells (``ManagedMembers``): the surroundings and the description of the build, which are
/// most of a message, are not looked at. Everything else goes to the library of swift-syntax.
struct PluginMessages: PluginMessageHandler {
    private let expansions = PluginProviderMessageHandler(provider: Plugin())
    private let members = ManagedMembers()

    func handleMessage(_ message: HostToPluginMessage) -> PluginToHostMessage {
        guard
            case .expandAttachedMacro(
                let macro,
                let role,
                _,
                let attribute,
                let declaration,
                let parent,
                _,
                _,
                let context,
                _
            ) = message
        else { return expansions.handleMessage(message) }
        switch (macro.typeName, role) {
        case ("MarkerMacro", .peer): return Self.answer(nil)
        case ("ModelMacro", .memberAttribute):
            // One that has the word anywhere may be a class.
            guard let parent, parent.source.contains("class") else { return Self.answer(nil) }
            let surroundings = ManagedMembers.Surroundings(
                attribute: attribute.source,
                declaration: parent.source,
                lexicalContext: (context ?? []).map(\.source)
            )
            return Self.answer(members.attribute(for: declaration.source, in: surroundings))
        case ("ManagedPropertyMacro", .peer):
            return Self.answer(members.property(declaration.source)?.storageDeclaration)
        case ("ManagedPropertyMacro", .accessor):
            let property = members.property(declaration.source)
            return Self.answer(property?.accessors(attribute: attribute.source))
        case ("ModelMacro", .member)
        where context?.isEmpty == true && !declaration.source.contains("class")
            && !attribute.source.contains("unknownFields"):
            return Self.answer(nil)
        default: return expansions.handleMessage(message)
        }
    }

    func shutDown() throws { try expansions.shutDown() }

    /// The answer with the text of an expansion. No text is less for the compiler than an empty one, of
    /// which it would make a source file.
    private static func answer(_ text: String?) -> PluginToHostMessage {
        .expandMacroResult(expandedSource: text, diagnostics: [])
    }
}
