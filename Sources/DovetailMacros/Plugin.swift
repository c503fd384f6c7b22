@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The process that the compiler talks to over its standard input and output.
@main
struct Plugin: PluginProvider {
    static func main() throws {
        let connection = try StandardIOMessageConnection()
        try CompilerPluginMessageListener(connection: connection, provider: Plugin()).main()
    }

    struct UnknownMacro: Error, CustomStringConvertible {
        let description: String
    }

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
