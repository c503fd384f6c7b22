import SwiftSyntax

/// The type parameters of a declaration, and of those around it, that generated code needs to be
/// models: `Value` in `struct Box<Value> { var value: Value }`. The extension is then written with
/// `where Value: ModelValue`, so `Box<Int>` is a model and `Box<() -> Void>` is an ordinary type.
enum GenericParameters {
    /// The parameters that occur in `types` and are not bound to `Codable`, whose values are
    /// written as `Codable` says. Parameter packs and values (`each`, `let`) are left out.
    ///
    /// The bare name of a type around the declaration means all of its parameters: in
    /// `Around<Value>`, the type `Around` is `Around<Value>`. Other names in which a parameter is
    /// hidden cannot be seen by a macro.
    ///
    /// - Parameters:
    ///   - declaration: The declaration with the macro.
    ///   - lexicalContext: The declarations around it, the innermost first.
    ///   - types: The types of all that is read and written.
    /// - Returns: The names in the order of their declaration, the innermost declaration first.
    static func modelParameters(
        of declaration: some DeclGroupSyntax,
        lexicalContext: [Syntax],
        in types: [TypeSyntax]
    ) -> [String] {
        let nodes = [Syntax(declaration)] + lexicalContext
        let used = nodes.contains { !$0.genericParameters.isEmpty } ? names(in: types) : []
        guard !used.isEmpty else { return [] }
        let around = lexicalContext.drop { !used.contains($0.typeName ?? "") }
        let implied = Set(around.flatMap(\.genericParameters).map(\.name.text))
        var constraints: [String: Set<String>] = [:]
        var order: [String] = []
        for node in nodes {
            for parameter in node.genericParameters where parameter.specifier == nil {
                let name = parameter.name.text
                if constraints[name] == nil { order.append(name) }
                constraints[name, default: []].formUnion(names(in: parameter.inheritedType))
            }
            for requirement in node.genericRequirements {
                guard let bound = requirement.requirement.as(ConformanceRequirementSyntax.self)
                else { continue }
                constraints[bound.leftType.trimmedDescription]?
                    .formUnion(names(in: bound.rightType))
            }
        }
        let codable: Set<String> = ["Codable", "Decodable", "Encodable"]
        return order.filter {
            used.union(implied).contains($0)
                && constraints[$0, default: []].isDisjoint(with: codable)
        }
    }

    /// Every token in the types. More than the names is no harm: only names of parameters are
    /// looked for.
    private static func names(in types: [TypeSyntax]) -> Set<String> {
        Set(types.flatMap { names(in: $0) })
    }

    private static func names(in type: TypeSyntax?) -> [String] {
        type?.tokens(viewMode: .sourceAccurate).map(\.text) ?? []
    }
}

extension Syntax {
    /// The name of a type, or of the type that an extension extends.
    fileprivate var typeName: String? {
        let named = self.asProtocol((any NamedDeclSyntax).self)?.name.text
        return named ?? self.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
    }

    fileprivate var genericParameters: [GenericParameterSyntax] {
        let generic = self.asProtocol((any WithGenericParametersSyntax).self)
        return (generic?.genericParameterClause?.parameters).map(Array.init) ?? []
    }

    fileprivate var genericRequirements: [GenericRequirementSyntax] {
        let generic = self.asProtocol((any WithGenericParametersSyntax).self)
        return (generic?.genericWhereClause?.requirements).map(Array.init) ?? []
    }
}
