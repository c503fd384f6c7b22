import SwiftIfConfig
import SwiftSyntax

/// What `@Attribute` says about the cases of one `case` line: names in documents, and nothing else.
///
/// The language puts attributes at the line and not at a case, so a line with a name may declare
/// one case only.
struct CaseNames {
    /// The name in documents; nil when `naming:` of the model decides.
    private(set) var name: String?
    /// Further names that are read and never written.
    private(set) var aliases: [String] = []

    /// `@Transient` is read only to be refused: a case cannot be left out of documents.
    private static let markers: Set = ["Attribute", "Transient"]

    init(
        of group: EnumCaseDeclSyntax,
        _ configuration: (any BuildConfiguration)?,
        _ problems: inout Problems
    ) {
        let markers = group.attributes.compiled(in: configuration, Self.markers, &problems)
        for marker in markers {
            guard marker.plainName == "Attribute" else {
                problems.add(.optionOfCase, at: marker)
                continue
            }
            guard case .argumentList(let arguments) = marker.arguments else { continue }
            for argument in arguments { read(argument.label?.text, argument.expression, &problems) }
            if group.elements.count > 1, name != nil || !aliases.isEmpty {
                problems.add(.severalNamedCases, at: marker)
                (name, aliases) = (nil, [])
            }
        }
    }

    private mutating func read(
        _ label: String?,
        _ value: ExprSyntax,
        _ problems: inout Problems
    ) {
        switch label {
        case "name": name = caseName(value, &problems)
        case "aliases":
            guard let list = value.as(ArrayExprSyntax.self) else {
                problems.add(.aliasesAreNoLiteral, at: value)
                return
            }
            aliases = list.elements.compactMap { caseName($0.expression, &problems) }
        default: problems.add(.optionOfCase, at: value)
        }
    }

    /// A name of `@Attribute`, in which a dot separates objects unless `\.` escapes it. A case is
    /// one field, so a path of several is a problem.
    private func caseName(_ value: ExprSyntax, _ problems: inout Problems) -> String? {
        guard let text = value.literalText else {
            problems.add(.nameIsNoLiteral, at: value)
            return nil
        }
        let path = FieldPath(written: text)
        if path.isNested { problems.add(.nestedCase(text), at: value) }
        return path.columnName
    }

    /// Refuses names at the cases of an enum with a raw type, whose names are their raw values.
    static func refuse(
        in members: [DeclSyntax],
        _ configuration: (any BuildConfiguration)?,
        _ problems: inout Problems
    ) {
        for case let group? in members.map({ $0.as(EnumCaseDeclSyntax.self) }) {
            let found = group.attributes.compiled(in: configuration, markers, &problems)
            for marker in found { problems.add(.namedRawCase, at: marker) }
        }
    }
}
