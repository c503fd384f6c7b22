import SwiftIfConfig
public import SwiftSyntax

/// A case of an enum without a raw type.
public struct EnumCase {
    /// A value that belongs to a case.
    public struct Value {
        /// The label in the source, with backticks where the source has them.
        public let label: String?
        /// The label in documents; `_0`, `_1` and so on by position where there is none.
        public let documentName: String
        /// The type as written.
        public let type: TypeSyntax
        /// The default as written; nil is that of every optional.
        public let defaultValue: String?
        /// Whether a field that is left out would come back as something else than nil.
        public let hasDefaultOtherThanNil: Bool
    }

    /// The name in the source, with backticks where the source has them.
    public let name: String
    /// The name in documents.
    public let documentName: String
    /// Further names that are read.
    public let aliases: [String]
    /// The values in their order.
    public let values: [Value]
}

extension EnumCase {
    /// Reads the cases of an enum in their order.
    static func all(
        in members: [DeclSyntax],
        _ naming: NamingRule,
        _ configuration: (any BuildConfiguration)?,
        _ problems: inout Problems
    ) -> [EnumCase] {
        var cases: [EnumCase] = []
        var places: [TokenSyntax] = []
        for group in members.compactMap({ $0.as(EnumCaseDeclSyntax.self) }) {
            let names = CaseNames(of: group, configuration, &problems)
            for element in group.elements {
                let name = element.name.text
                cases.append(
                    EnumCase(
                        name: name,
                        documentName: names.name
                            ?? naming.documentName(of: name.replacingBackticks),
                        aliases: names.aliases,
                        values: values(of: element, naming, &problems)
                    )
                )
                places.append(element.name)
            }
        }
        var seen: Set<String> = []
        for (enumCase, place) in zip(cases, places)
        where !seen.insert(enumCase.documentName).inserted {
            problems.add(.repeatedCaseName(enumCase.documentName), at: place)
        }
        for (enumCase, place) in zip(cases, places) {
            for alias in enumCase.aliases where !seen.insert(alias).inserted {
                problems.add(.repeatedAlias(alias), at: place)
            }
        }
        return cases
    }

    private static func values(
        of element: EnumCaseElementSyntax,
        _ naming: NamingRule,
        _ problems: inout Problems
    ) -> [Value] {
        var seen: Set<String> = []
        var values: [Value] = []
        for (index, parameter) in (element.parameterClause?.parameters ?? []).enumerated() {
            let label = parameter.firstName?.text
            let isLabelled = label != nil && label != "_"
            let documentName =
                if let label, isLabelled {
                    naming.documentName(of: label.replacingBackticks)
                } else {
                    "_\(index)"
                }
            if !seen.insert(documentName).inserted {
                problems.add(.repeatedCaseName(documentName), at: parameter)
            }
            let defaultValue = parameter.defaultValue?.value
            let isNil = defaultValue?.is(NilLiteralExprSyntax.self) ?? false
            let isOptionalWithNil = isNil && parameter.type.isWrittenAsOptional
            values.append(
                Value(
                    label: isLabelled ? label : nil,
                    documentName: documentName,
                    type: parameter.type.trimmed,
                    defaultValue: isOptionalWithNil ? nil : defaultValue?.trimmedDescription,
                    hasDefaultOtherThanNil: defaultValue != nil && !isNil
                )
            )
        }
        return values
    }
}
