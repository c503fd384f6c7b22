public import SwiftSyntax

extension ModelDeclaration {
    /// Whether a declaration is a class whose instances a context keeps: any class but a generic one,
    /// unless `managed: false` says otherwise.
    static func isManaged(
        _ declaration: some DeclGroupSyntax,
        _ arguments: ModelArguments,
        _ lexicalContext: [Syntax]
    ) -> Bool {
        guard declaration.is(ClassDeclSyntax.self), arguments.isManaged else { return false }
        return !([Syntax(declaration)] + lexicalContext).contains {
            $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
        }
    }

    /// The same for callers that need no more than that.
    public static func isManaged(
        _ declaration: some DeclGroupSyntax,
        macro: AttributeSyntax,
        lexicalContext: [Syntax]
    ) -> Bool {
        guard declaration.is(ClassDeclSyntax.self) else { return false }
        var problems = Problems()
        return isManaged(declaration, ModelArguments(macro, &problems), lexicalContext)
    }

    /// Whether a declaration says that it is `Codable`, and has neither keys nor code of its own for it.
    static func leavesCodable(_ declaration: some DeclGroupSyntax) -> Bool {
        let names =
            declaration.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        guard names.contains(where: { ["Codable", "Decodable", "Encodable"].contains($0) }) else {
            return false
        }
        return !declaration.memberBlock.members.contains { member in
            if let keys = member.decl.as(EnumDeclSyntax.self) {
                return keys.name.text == "CodingKeys"
            }
            let parameters =
                member.decl.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters
                ?? member.decl.as(FunctionDeclSyntax.self).flatMap {
                    $0.name.text == "encode" ? $0.signature.parameterClause.parameters : nil
                }
            let type = parameters?.first?.type.trimmedDescription ?? ""
            return type.hasSuffix("Decoder") || type.hasSuffix("Encoder")
        }
    }

    /// Whether the arguments of `@Model` say `unknownFields: .preserve`. For callers that need no
    /// more than that: it reads the arguments and not the declaration.
    public static func keepsUnknownFields(_ macro: AttributeSyntax) -> Bool {
        var problems = Problems()
        return ModelArguments(macro, &problems).unknownFields == .preserve
    }

    /// The names that the arguments of `@Model` give a type in documents, the written one first; nil
    /// for arguments with problems.
    ///
    /// - Parameter name: The Swift name, which it has where they give none.
    /// - Parameter lexicalContext: The declarations around it, the innermost first.
    public static func names(
        _ macro: AttributeSyntax,
        of name: String,
        lexicalContext: [Syntax] = []
    ) -> [String]? {
        var problems = Problems()
        let arguments = ModelArguments(macro, lexicalContext: lexicalContext, &problems)
        return problems.isEmpty ? [arguments.documentName(of: name)] + arguments.aliases : nil
    }

    /// How generated code in the extension names a type of the declaration: `_$Types.T0` for one of
    /// ``localTypes``, any other as it is written.
    public func spelling(of type: TypeSyntax) -> String { spelling(type.description) }

    /// The same for a type as text.
    public func spelling(_ type: String) -> String {
        localTypes.firstIndex(of: type).map { "_$Types.T\($0)" } ?? type
    }
}
