import SwiftSyntax

/// What the arguments of `@Attribute` that concern a table say: `.unique`, `.generated`,
/// `.references`, what only a schema keeps, `originalName:` and `hashModifier:`.
public struct TableOptions {
    /// The model that a property refers to: `.references(Team.self, deleteRule: .cascade)`.
    public struct Reference {
        /// The type before `.self`. A nested declaration has to spell it again
        /// (``ModelDeclaration/localTypes``).
        public let typeName: String
        /// The name of the rule, as `cascade`; nil for none.
        public let deleteRule: String?
        /// Its place in the source, for problems that only the property's type shows.
        let place: ExprSyntax
    }

    /// Whether no two rows may hold the same value.
    public var isUnique: Bool { unique != nil }
    /// Whether the database gives the value.
    public var isGenerated: Bool { generated != nil }
    /// The model whose key the property holds.
    public private(set) var reference: Reference?
    /// The names of the options that only a schema keeps, such as `spotlight`.
    public internal(set) var marks: [String] = []
    /// The name that the property had in an earlier version.
    public internal(set) var originalName: String?
    /// What tells two versions of the property from each other.
    public internal(set) var hashModifier: String?
    /// Where the options are.
    private(set) var unique: ExprSyntax?
    private(set) var generated: ExprSyntax?

    /// The members of `AttributeMark` in DovetailModel that are options as they are.
    private static let markNames: Set = [
        "externalStorage", "preserveValueOnDeletion", "spotlight", "allowsCloudEncryption",
    ]

    /// The members of `DeleteRule` in DovetailModel.
    static let deleteRules = ["cascade", "deny", "noAction", "nullify"]

    /// Whether nothing is said.
    var isPlain: Bool {
        unique == nil && generated == nil && reference == nil && marks.isEmpty
            && originalName == nil && hashModifier == nil
    }

    /// Reads an option by its name. One with another name is passed over.
    mutating func read(
        _ name: String,
        _ option: ExprSyntax,
        _ arguments: LabeledExprListSyntax?,
        _ problems: inout Problems
    ) {
        switch name {
        case "unique": unique = option
        case "generated": generated = option
        case let name where Self.markNames.contains(name): marks.append(name)
        case "references":
            if reference != nil { problems.add(.twoReferences, at: option) }
            guard let arguments, let type = arguments.first?.expression else { return }
            guard let metatype = type.as(MemberAccessExprSyntax.self), let base = metatype.base,
                metatype.declName.baseName.tokenKind == .keyword(.self)
            else {
                problems.add(.referenceIsNoType, at: type)
                return
            }
            let rule = arguments.first { $0.label?.text == "deleteRule" }?.expression
            let ruleName = rule?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            if let rule, !Self.deleteRules.contains(ruleName ?? "") {
                problems.add(.deleteRuleIsNoLiteral, at: rule)
            }
            reference = Reference(
                typeName: base.trimmedDescription,
                deleteRule: ruleName,
                place: option
            )
        default: break
        }
    }

    /// Reports options that a property with this type, as it is written, cannot have.
    func check(_ property: StoredProperty, _ problems: inout Problems) {
        if let generated {
            let isTransformed = property.attribute.transform != nil
            if !property.attribute.isPrimaryKey {
                problems.add(.generatedWithoutKey, at: generated)
            } else if isTransformed || !property.type.isOptionalInteger {
                problems.add(.generatedKeyIsNoInteger, at: property.pattern)
            }
        }
        guard let reference else { return }
        if property.type.isCollection {
            problems.add(.referenceOfCollection, at: reference.place)
        } else if reference.deleteRule == "nullify", !property.isOptional,
            !property.type.mayHideOptional
        {
            problems.add(.nullifyWithoutOptional, at: property.pattern)
        }
    }

    /// Reports the options of a property that is no attribute, so that there is no column for them.
    func refuse(_ problems: inout Problems) {
        for place in [unique, generated, reference?.place].compactMap(\.self) {
            problems.add(.optionWithoutColumn, at: place)
        }
    }
}

extension TypeSyntax {
    /// Whether the type is written as an optional of `Int64` or `Int`, which a generated key is.
    fileprivate var isOptionalInteger: Bool {
        let integers: Set = ["Int", "Int64", "Swift.Int", "Swift.Int64"]
        return wrappedInOptional.map { integers.contains($0.trimmedDescription) } ?? false
    }
}
