import SwiftSyntax

/// The steps between the versions of a model: `migrate(_:from:)` and `demote(_:to:)`.
enum VersionSteps {
    /// Complains about one that looks like a step and is none, which nobody would call: the protocol has a default
    /// for each.
    static func check(_ declaration: some DeclGroupSyntax, _ problems: inout Problems) {
        let functions = declaration.memberBlock.members.compactMap {
            $0.decl.as(FunctionDeclSyntax.self)
        }
        for (name, label) in [("migrate", "from"), ("demote", "to")] {
            let alike = functions.filter { function in
                let labels = function.signature.parameterClause.parameters.map(\.firstName.text)
                return function.name.text == name && labels == ["_", label]
            }
            guard let first = alike.first, !alike.contains(where: isStep) else { continue }
            problems.add(.stepOfOtherForm(name, label), at: first.name)
        }
    }

    /// Whether a function is one, as far as its syntax says.
    private static func isStep(_ function: FunctionDeclSyntax) -> Bool {
        let isOfType = function.modifiers.contains { $0.name.isOneOf(.static, .class) }
        let first = function.signature.parameterClause.parameters.first?.type
        let isInout =
            first?.as(AttributedTypeSyntax.self)?.specifiers.contains {
                $0.trimmedDescription == "inout"
            } ?? false
        let result = function.signature.returnClause?.type.trimmedDescription
        return isOfType && isInout && [nil, "Void", "()"].contains(result)
    }
}
