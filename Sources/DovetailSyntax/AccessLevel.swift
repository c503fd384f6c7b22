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

    /// The same for declarations beside it. A private declaration makes them `fileprivate`, because
    /// they name it in their signatures.
    public static func ofPeers(in modifiers: DeclModifierListSyntax) -> String {
        let isHidden = modifiers.contains { $0.name.isOneOf(.private, .fileprivate) }
        return isHidden ? "fileprivate " : ofMembers(in: modifiers)
    }
}
