@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The process that the compiler starts to expand macros, and talks to over its standard input and
/// output.
///
/// It does what `CompilerPlugin` of SwiftCompilerPlugin does. The toolchain ships that module for
/// the compiler's own use only, and the one below it, with which a plugin can be written, as a
/// library.
@main
struct Plugin: PluginProvider {
    static func main() throws {
        let connection = try StandardIOMessageConnection()
        try CompilerPluginMessageListener(connection: connection, provider: Plugin()).main()
    }

    struct UnknownMacro: Error, CustomStringConvertible {
        let description: String
    }

    /// The macro of a name that `#externalMacro(module:type:)` has. The names are those in
    /// Macros.swift of Dovetail and in the declaration of `#_modelTable`.
    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        switch typeName {
        case "ModelMacro": ModelMacro.self
        case "ModelProtocolMacro": ModelProtocolMacro.self
        case "ModelTableMacro": ModelTableMacro.self
        case "MarkerMacro": MarkerMacro.self
        default: throw UnknownMacro(description: "no macro \(moduleName).\(typeName)")
        }
    }
}
