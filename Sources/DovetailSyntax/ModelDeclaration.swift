public import SwiftSyntax

/// A declaration with `@Model`, read once; everything that generated code needs is in here.
public struct ModelDeclaration {
    /// What kind of model it is.
    public enum Shape {
        /// A struct with its stored attributes.
        case structure([Attribute])
        /// An enum whose cases are strings: case names with their raw values.
        case stringEnum([(name: String, value: String)])
        /// An enum with another raw type.
        case rawEnum
    }

    /// A stored property together with its name in documents.
    public struct Attribute {
        /// The property.
        public let property: StoredProperty
        /// The place in documents.
        public let path: FieldPath
        /// The name in stores, which is that in documents but for nested ones.
        public var documentName: String { path.columnName }
        /// Whether it is (part of) the primary key.
        public let isPrimaryKey: Bool
    }

    /// The Swift name without enclosing types.
    public let name: String
    /// The name in documents and stores.
    public let typeName: String
    /// Further names of it that are read, but not written.
    public let typeAliases: [String]
    /// The access level that generated members take, with a space behind it, or nothing.
    public let access: String
    /// Whether the type or one around it is generic, so that it can hold no static storage.
    public let isGeneric: Bool
    /// Whether a member called `id` is declared.
    public let declaresID: Bool
    /// The raw type of an enum.
    public let rawType: String?
    /// The case of a raw enum that stands for unknown raw values.
    public let fallback: String?
    /// The kind of model.
    public let shape: Shape

    /// Reads a declaration; nil when it has problems, which are all reported at once.
    public init?(
        _ declaration: some DeclGroupSyntax,
        macro: AttributeSyntax,
        lexicalContext: [Syntax],
        _ problems: inout Problems
    ) {
        let arguments = ModelArguments(macro, &problems)
        let isInsideGeneric = lexicalContext.contains {
            $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
        }
        if lexicalContext.contains(where: { $0.is(FunctionDeclSyntax.self) }) {
            problems.add(.localModel, at: macro)
        }
        let generic = declaration.asProtocol((any WithGenericParametersSyntax).self)
        isGeneric = isInsideGeneric || generic?.genericParameterClause != nil
        access = AccessLevel.ofMembers(in: declaration.modifiers)
        let members = declaration.memberBlock.members
        declaresID = members.contains { item in
            item.decl.as(VariableDeclSyntax.self)?.bindings.contains {
                $0.pattern.trimmedDescription == "id"
            } ?? false
        }
        if let structure = declaration.as(StructDeclSyntax.self) {
            name = structure.name.text
            rawType = nil
            fallback = nil
            shape = .structure(Self.attributes(of: members, arguments, &problems))
        } else if let enumeration = declaration.as(EnumDeclSyntax.self) {
            name = enumeration.name.text
            rawType = Self.rawType(of: enumeration)
            fallback = EnumFallback.name(in: members, hasRawType: rawType != nil, &problems)
            shape = Self.enumShape(enumeration, rawType, macro, &problems)
        } else {
            problems.add(.unsupportedDeclaration, at: macro)
            return nil
        }
        typeName = arguments.typeName ?? name
        typeAliases = arguments.aliases
        if !problems.isEmpty { return nil }
    }

    private static func attributes(
        of members: MemberBlockItemListSyntax,
        _ arguments: ModelArguments,
        _ problems: inout Problems
    ) -> [Attribute] {
        let properties = StoredProperty.all(in: members, &problems)
        let hasDeclaredKey = properties.contains { $0.attribute.isPrimaryKey }
        let attributes = properties.map { property in
            let name = arguments.naming.documentName(of: property.plainName)
            return Attribute(
                property: property,
                path: property.attribute.name ?? FieldPath(field: name),
                isPrimaryKey: hasDeclaredKey
                    ? property.attribute.isPrimaryKey : property.plainName == "id"
            )
        }
        return Attribute.arranged(attributes, &problems)
    }

    private static let rawTypes: Set<String> = [
        "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
        "UInt64", "Double", "Float",
    ]

    private static func rawType(of enumeration: EnumDeclSyntax) -> String? {
        let first = enumeration.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
        return first.flatMap { rawTypes.contains($0) ? $0 : nil }
    }

    private static func enumShape(
        _ enumeration: EnumDeclSyntax,
        _ rawType: String?,
        _ macro: AttributeSyntax,
        _ problems: inout Problems
    ) -> Shape {
        guard let rawType else {
            problems.add(.enumWithoutRawType, at: macro)
            return .rawEnum
        }
        guard rawType == "String" else { return .rawEnum }
        var cases: [(name: String, value: String)] = []
        for item in enumeration.memberBlock.members {
            guard let group = item.decl.as(EnumCaseDeclSyntax.self) else { continue }
            for element in group.elements {
                let plain = element.name.text.replacingBackticks
                let value = element.rawValue.map { $0.value.literalText } ?? plain
                // A raw value that is not readable here is left to `init(rawValue:)`.
                guard let value else { return .rawEnum }
                cases.append((element.name.text, value))
            }
        }
        // Cases behind `#if` are not seen above.
        let hasConditions = enumeration.memberBlock.members.contains {
            $0.decl.is(IfConfigDeclSyntax.self)
        }
        return hasConditions ? .rawEnum : .stringEnum(cases)
    }
}

extension String {
    /// The name without backticks.
    var replacingBackticks: String { filter { $0 != "`" } }
}

/// What the arguments of `@Model` say.
struct ModelArguments {
    var typeName: String?
    var aliases: [String] = []
    var naming = NamingRule.asDeclared

    init(_ macro: AttributeSyntax, _ problems: inout Problems) {
        guard case .argumentList(let arguments) = macro.arguments else { return }
        for argument in arguments {
            switch argument.label?.text {
            case "typeName":
                typeName = argument.expression.literalText
                if typeName == nil { problems.add(.nameIsNoLiteral, at: argument.expression) }
            case "aliases": aliases = argument.expression.documentNames(&problems) ?? []
            case "naming":
                let member = argument.expression.as(MemberAccessExprSyntax.self)
                guard let rule = member.flatMap({ NamingRule(rawValue: $0.declName.baseName.text) })
                else {
                    problems.add(.unknownNaming, at: argument.expression)
                    continue
                }
                naming = rule
            default: continue
            }
        }
    }
}

/// The access level that a generated member needs to fulfil a public protocol.
public enum AccessLevel {
    /// The modifier for members of a declaration with `modifiers`, with a space behind it.
    public static func ofMembers(in modifiers: DeclModifierListSyntax) -> String {
        for modifier in modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.public), .keyword(.open): return "public "
            case .keyword(.package): return "package "
            default: continue
            }
        }
        return ""
    }

    /// The same for declarations beside it, which have to hide what it hides.
    public static func ofPeers(in modifiers: DeclModifierListSyntax) -> String {
        let isHidden = modifiers.contains { $0.name.isOneOf(.private, .fileprivate) }
        return isHidden ? "fileprivate " : ofMembers(in: modifiers)
    }
}
