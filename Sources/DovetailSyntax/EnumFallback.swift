import SwiftSyntax

/// The case of a raw enum that stands for raw values which no case has.
enum EnumFallback {
    /// The name of the case with `@Fallback`.
    static func name(
        in members: MemberBlockItemListSyntax,
        hasRawType: Bool,
        _ problems: inout Problems
    ) -> String? {
        var name: String?
        for item in members {
            guard let group = item.decl.as(EnumCaseDeclSyntax.self),
                let marker = group.attributes.first(where: isFallback)
            else { continue }
            if !hasRawType {
                problems.add(.fallbackWithoutRawType, at: marker)
            } else if group.elements.count > 1 || name != nil {
                problems.add(.severalFallbacks, at: marker)
            }
            name = group.elements.first?.name.text
        }
        return name
    }

    private static func isFallback(_ attribute: AttributeListSyntax.Element) -> Bool {
        guard case .attribute(let attribute) = attribute else { return false }
        let name = attribute.attributeName.trimmedDescription
        return name.split { $0 == "." || $0 == ":" }.last == "Fallback"
    }
}
