public import SwiftSyntax

/// The access level that a generated member needs to fulfil a public protocol.
public enum AccessLevel {
    /// The modifier for members of a declaration with `modifiers`, with a space after it; the empty
    /// string where the default, `internal`, is enough.
    public static func ofMembers(in modifiers: DeclModifierListSyntax) -> String {
        for modifier in modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.public), .keyword(.open): return "public "
            case .keyword(.package): return "package "
            default: continue
            }
        }
        return ""
    }

    /// The same for what is beside a protocol and in its extension, which names what is beside it. A
    /// private declaration makes them `fileprivate`, because they name it in their signatures; so does
    /// one around it. A type around it that is less than public makes them less, too.
    static func ofPeers(of node: ProtocolDeclSyntax, in lexicalContext: [Syntax]) -> String {
        let around = lexicalContext.compactMap { $0.asProtocol((any WithModifiersSyntax).self) }
        let all = [node.modifiers] + around.map(\.modifiers)
        if all.joined().contains(where: { $0.name.isOneOf(.private, .fileprivate) }) {
            return "fileprivate "
        }
        // What is in an extension has its level, if it says none itself.
        let outer = lexicalContext.first?.as(ExtensionDeclSyntax.self)
        let own = ofMembers(in: node.modifiers)
        let level = own.isEmpty ? outer.map { ofMembers(in: $0.modifiers) } ?? "" : own
        let types = around.filter { !$0.is(ExtensionDeclSyntax.self) }
        let levels = types.map { ofMembers(in: $0.modifiers) } + [level]
        return ["", "package "].first(where: levels.contains) ?? level
    }
}
