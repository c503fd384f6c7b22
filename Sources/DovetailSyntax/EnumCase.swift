import SwiftIfConfig
public import SwiftSyntax

/// A case of an enum without a raw type, as `case circle(radius: Double)`.
///
/// In documents it is an object with one field, named after the case, that holds an object of its
/// values: `{"circle":{"radius":2}}`. That is the form that the compiler synthesizes for `Codable`
/// (SE-0295).
public struct EnumCase {
    /// An associated value of a case.
    public struct Value {
        /// The label in the source, with its backticks; nil for none and for `_`.
        public let label: String?
        /// The field in documents: the label by the naming rule, or `_0`, `_1` and so on by
        /// position.
        public let documentName: String
        /// The type as written.
        public let type: TypeSyntax
        /// The default as written; nil where there is none, and for `= nil` of an optional, which
        /// has this default anyway.
        public let defaultValue: String?
        /// Whether an absent field is read as something other than nil. Then nil has to be written
        /// as null, as leaving it out would change the value.
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
    /// Reads the cases of an enum in their order, and reports names that two of them share. Aliases
    /// are checked after all names, so that the problem is at the alias.
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

    /// The values of a case in their order; two with one field are a problem.
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
