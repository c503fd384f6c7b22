import SwiftIfConfig
import SwiftSyntax

extension ModelDeclaration {
    /// The raw types that are known by name. `Character` and types of the program are found by a
    /// raw value in the source.
    private static let rawTypes: Set<String> = [
        "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
        "UInt64", "Double", "Float",
    ]

    /// The raw type as far as a macro can tell: one of the standard library's, or the first
    /// inherited type when a case has a raw value. Where the type is a typealias and no raw value
    /// is written, the answer is nil and the enum is one without a raw type
    /// (Documentation/Deviations.md).
    static func rawType(of enumeration: EnumDeclSyntax, _ members: CompiledMembers) -> String? {
        let first = enumeration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
        let name = first?.split(whereSeparator: { $0 == "." || $0 == ":" }).last.map(String.init)
        if let name, rawTypes.contains(name) { return name }
        for element in members.known.caseElements + members.doubtful.caseElements {
            guard let value = element.rawValue?.value else { continue }
            return value.is(FloatLiteralExprSyntax.self) ? "Double" : first
        }
        return nil
    }

    /// Which kind of model an enum is, and its cases.
    ///
    /// The cases of an enum without a raw type have to be known, so one inside of a condition that
    /// cannot be evaluated is a problem there. With a raw type `init(rawValue:)` knows them.
    static func shape(
        of enumeration: EnumDeclSyntax,
        _ members: CompiledMembers,
        _ rawType: String?,
        _ fallback: String?,
        _ arguments: ModelArguments,
        _ configuration: (any BuildConfiguration)?,
        _ problems: inout Problems
    ) -> Shape {
        guard let rawType else {
            let doubtful = members.doubtful.caseElements
            for element in doubtful { problems.add(.conditionalCase, at: element) }
            let cases = EnumCase.all(
                in: members.known,
                arguments.naming,
                configuration,
                &problems
            )
            if cases.isEmpty, doubtful.isEmpty {
                problems.add(.enumWithoutCases, at: enumeration.name)
            }
            guard let fallback else { return .caseEnum(cases) }
            let others = cases.filter { $0.name != fallback }
            if others.contains(where: { !$0.values.isEmpty }) {
                problems.add(.fallbackBesideValues, at: enumeration.name)
            }
            return .textEnum(others)
        }
        CaseNames.refuse(in: members.known + members.doubtful, configuration, &problems)
        guard members.doubtful.caseElements.isEmpty else { return .rawEnum(cases: nil) }
        let names = members.known.caseElements.map(\.name.text)
        // Raw values that the declaration makes itself are asked for.
        guard rawType == "String", !members.known.makesRawValues else {
            return .rawEnum(cases: names)
        }
        var cases: [(name: String, value: String)] = []
        var seen: Set<String> = []
        for element in members.known.caseElements {
            let plain = element.name.text.replacingBackticks
            let value =
                element.rawValue.map { $0.value.literalText }
                ?? arguments.naming.documentName(of: plain)
            // A raw value that is no plain literal is left to `init(rawValue:)`.
            guard let value else { return .rawEnum(cases: names) }
            // The compiler refuses two raw values; with `naming:` the name of one may be the other's.
            if !seen.insert(value).inserted, arguments.naming != .asDeclared {
                problems.add(.repeatedCaseName(value), at: element.name)
            }
            cases.append((element.name.text, value))
        }
        return .stringEnum(cases)
    }
}

extension [DeclSyntax] {
    /// Whether there is an `init?(rawValue:)` or a `rawValue`.
    fileprivate var makesRawValues: Bool {
        contains { member in
            if let initializer = member.as(InitializerDeclSyntax.self) {
                let parameters = initializer.signature.parameterClause.parameters
                return parameters.count == 1 && parameters.first?.firstName.text == "rawValue"
            }
            return member.as(VariableDeclSyntax.self)?.bindings.contains {
                $0.pattern.trimmedDescription == "rawValue"
            } == true
        }
    }

    fileprivate var caseElements: [EnumCaseElementSyntax] {
        compactMap { $0.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
    }
}
