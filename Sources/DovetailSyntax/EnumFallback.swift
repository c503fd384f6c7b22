import SwiftIfConfig
import SwiftSyntax

/// The case with `@Fallback`: in an enum with a raw type it is read for every unknown raw value, in
/// one without it keeps the unknown string.
enum EnumFallback {
    /// The name of the case with `@Fallback`; nil when no case has it.
    ///
    /// Problems are more than one such case, a case that cannot keep a string in an enum without a
    /// raw type, and a case inside of a condition that cannot be evaluated.
    static func name(
        in members: CompiledMembers,
        _ configuration: (any BuildConfiguration)?,
        hasRawType: Bool,
        _ problems: inout Problems
    ) -> String? {
        var name: String?
        for member in members.known {
            guard let group = member.as(EnumCaseDeclSyntax.self),
                let marker = group.attributes.compiled(in: configuration, ["Fallback"], &problems)
                    .first
            else { continue }
            if !hasRawType, !group.keepsText {
                problems.add(.fallbackWithoutRawType, at: marker)
            } else if group.elements.count > 1 || name != nil {
                problems.add(.severalFallbacks, at: marker)
            }
            name = group.elements.first?.name.text
        }
        for case let group? in members.doubtful.map({ $0.as(EnumCaseDeclSyntax.self) }) {
            let markers = group.attributes.compiled(in: configuration, ["Fallback"], &problems)
            for marker in markers { problems.add(.conditionalAttribute, at: marker) }
        }
        return name
    }
}

extension EnumCaseDeclSyntax {
    /// Whether it is one case with one unlabelled `String`, which can keep an unknown name.
    var keepsText: Bool {
        guard elements.count == 1, let values = elements.first?.parameterClause?.parameters,
            let value = values.first, values.count == 1, value.firstName == nil
        else { return false }
        return ["String", "Swift.String"].contains(value.type.trimmedDescription)
    }
}
