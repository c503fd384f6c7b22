import SwiftIfConfig
import SwiftSyntax

/// The case of a raw enum that stands for raw values which no case has.
enum EnumFallback {
    /// The name of the case with `@Fallback`.
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
    /// Whether it is one case that holds one string, and so can keep what no case has.
    var keepsText: Bool {
        guard elements.count == 1, let values = elements.first?.parameterClause?.parameters,
            let value = values.first, values.count == 1, value.firstName == nil
        else { return false }
        return ["String", "Swift.String"].contains(value.type.trimmedDescription)
    }
}
