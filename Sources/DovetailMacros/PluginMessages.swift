@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling

/// Answers what the compiler asks, and does so before anything is parsed where the answer is nothing.
///
/// The compiler asks for every role of `@Model` at every declaration, and for the attributes of every
/// member. Structs and enums, which most models are, have an answer to one of these questions alone.
/// No text is less for the compiler than an empty one, of which it would make a source file.
struct PluginMessages: PluginMessageHandler {
    private let expansions = PluginProviderMessageHandler(provider: Plugin())

    func handleMessage(_ message: HostToPluginMessage) -> PluginToHostMessage {
        Self.expandsToNothing(message)
            ? .expandMacroResult(expandedSource: nil, diagnostics: [])
            : expansions.handleMessage(message)
    }

    func shutDown() throws { try expansions.shutDown() }

    /// Whether the expansion is surely empty, as far as the text shows without being parsed: one that
    /// has the word `class` anywhere may be that of a class.
    private static func expandsToNothing(_ message: HostToPluginMessage) -> Bool {
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
        else { return false }
        switch (macro.typeName, role) {
        case ("MarkerMacro", .peer): return true
        case ("ModelMacro", .memberAttribute):
            return parent.map { !$0.source.contains("class") } ?? false
        case ("ModelMacro", .member):
            return context?.isEmpty == true && !declaration.source.contains("class")
                && !attribute.source.contains("unknownFields")
        default: return false
        }
    }
}
