import SwiftSyntax

extension ModelDeclaration {
    private static let rawTypes: Set<String> = [
        "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
        "UInt64", "Double", "Float",
    ]

    /// The raw type as far as it can be told: one of the standard library's, or what a raw value
    /// in the source is of.
    static func rawType(of enumeration: EnumDeclSyntax) -> String? {
        let first = enumeration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
        let name = first?.split(whereSeparator: { $0 == "." || $0 == ":" }).last.map(String.init)
        if let name, rawTypes.contains(name) { return name }
        for element in enumeration.caseElements {
            guard let value = element.rawValue?.value else { continue }
            return value.is(FloatLiteralExprSyntax.self) ? "Double" : first
        }
        return nil
    }

    static func shape(
        of enumeration: EnumDeclSyntax,
        _ rawType: String?,
        _ arguments: ModelArguments,
        _ problems: inout Problems
    ) -> Shape {
        let members = enumeration.memberBlock.members
        let conditions = members.compactMap { $0.decl.as(IfConfigDeclSyntax.self) }
        guard let rawType else {
            let conditional = conditions.flatMap(\.conditionalCases)
            for element in conditional { problems.add(.conditionalCase, at: element) }
            let cases = EnumCase.all(in: members, arguments.naming, &problems)
            if cases.isEmpty, conditional.isEmpty {
                problems.add(.enumWithoutCases, at: enumeration.name)
            }
            return .caseEnum(cases)
        }
        guard rawType == "String", conditions.isEmpty else { return .rawEnum }
        var cases: [(name: String, value: String)] = []
        for element in enumeration.caseElements {
            let plain = element.name.text.replacingBackticks
            let value = element.rawValue.map { $0.value.literalText } ?? plain
            // A raw value that is not readable here is left to `init(rawValue:)`.
            guard let value else { return .rawEnum }
            cases.append((element.name.text, value))
        }
        return .stringEnum(cases)
    }
}

extension EnumDeclSyntax {
    fileprivate var caseElements: [EnumCaseElementSyntax] { memberBlock.members.caseElements }
}

extension MemberBlockItemListSyntax {
    fileprivate var caseElements: [EnumCaseElementSyntax] {
        compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap { Array($0.elements) }
    }
}

extension IfConfigDeclSyntax {
    /// The cases behind any of the conditions, also of nested ones.
    fileprivate var conditionalCases: [EnumCaseElementSyntax] {
        clauses.flatMap { clause -> [EnumCaseElementSyntax] in
            guard case .decls(let members) = clause.elements else { return [] }
            let nested = members.compactMap { $0.decl.as(IfConfigDeclSyntax.self) }
            return members.caseElements + nested.flatMap(\.conditionalCases)
        }
    }
}
