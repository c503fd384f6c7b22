@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The process that the compiler starts to expand macros, and talks to over its standard input and
/// output.
///
/// It does what `CompilerPlugin` of SwiftCompilerPlugin does for other packages. The toolchain
/// ships no library of that module, only the one below it.
@main
struct Plugin: PluginProvider {
    static func main() throws {
        let connection = try StandardIOMessageConnection()
        try CompilerPluginMessageListener(
            connection: connection,
            messageHandler: PluginMessages()
        ).main()
    }

    struct UnknownMacro: Error, CustomStringConvertible {
        let description: String
    }

    /// The macro of a name that `#externalMacro(module:type:)` has. The names are those in
    /// Macros.swift of Dovetail and in the declaration of `#_rootCoding`, but for `ManagedPropertyMacro`,
    /// for which ``PluginMessages`` answers, as it does for some roles of the others.
    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        switch typeName {
        case "ModelMacro": ModelMacro.self
        case "ModelProtocolMacro": ModelProtocolMacro.self
        case "RootCodingMacro": RootCodingMacro.self
        case "MarkerMacro": MarkerMacro.self
        case "ModelDefaultsMacro": ModelDefaultsMacro.self
        case "ManagedInitializerMacro": ManagedInitializerMacro.self
        case "ModelActorMacro": ModelActorMacro.self
        case "IndexMacro": IndexMacro.self
        case "PredicateMacro": PredicateMacro.self
        case "InlinePredicateMacro": InlinePredicateMacro.self
        default: throw UnknownMacro(description: "no macro \(moduleName).\(typeName)")
        }
    }
}
