import SwiftSyntax

/// What the arguments of `@Model` say, with the defaults of the macro's declaration for the rest.
struct ModelArguments {
    var typeName: String?
    var aliases: [String] = []
    var naming = NamingRule.asDeclared
    var unknownFields = UnknownPolicy.skip
    var version: Int?
    /// Where `version:` is, for problems that the declaration shows.
    var versionPlace: ExprSyntax?
    var readsNewer = false
    /// Whether a context keeps the instances of a class.
    var isManaged = true
    /// Whether other models may have the fields of this one among theirs.
    var isFlattenable = false
    /// Where `flattenable:` is, for problems that the declaration shows.
    var flattenablePlace: ExprSyntax?
    var table: String?
    /// Where `table:` is, for problems that the declaration shows.
    var tablePlace: ExprSyntax?

    /// Whether rows are marked when they are deleted.
    var marksDeletion = false
    /// Where `deletion:` is, for problems that the declaration shows.
    var deletionPlace: ExprSyntax?

    /// Reads the arguments, and reports each that is no literal or no value of its kind.
    init(_ macro: AttributeSyntax, _ problems: inout Problems) {
        guard case .argumentList(let arguments) = macro.arguments else { return }
        for argument in arguments {
            switch argument.label?.text {
            case "typeName":
                typeName = argument.expression.literalText
                if typeName == nil { problems.add(.nameIsNoLiteral, at: argument.expression) }
            case "table":
                table = argument.expression.literalText
                tablePlace = argument.expression
                switch table {
                case nil: problems.add(.tableIsNoLiteral, at: argument.expression)
                case "": problems.add(.emptyTable, at: argument.expression)
                default: break
                }
            case "unknownFields":
                unknownFields = argument.expression.unknownPolicy(&problems) ?? unknownFields
            case "aliases":
                aliases = argument.expression.documentNames(&problems, mayBeEmpty: true) ?? []
            case "naming":
                let member = argument.expression.as(MemberAccessExprSyntax.self)
                guard let rule = member.flatMap({ NamingRule(rawValue: $0.declName.baseName.text) })
                else {
                    problems.add(.unknownNaming, at: argument.expression)
                    continue
                }
                naming = rule
            case "version":
                let literal = argument.expression.as(IntegerLiteralExprSyntax.self)
                version = literal.flatMap { Int($0.literal.text) }
                versionPlace = argument.expression
                if version ?? 0 < 1 { problems.add(.unknownVersion, at: argument.expression) }
            case "readsNewer":
                let literal = argument.expression.as(BooleanLiteralExprSyntax.self)
                readsNewer = literal?.literal.tokenKind == .keyword(.true)
                if literal == nil { problems.add(.readsNewerIsNoLiteral, at: argument.expression) }
            case "flattenable":
                let literal = argument.expression.as(BooleanLiteralExprSyntax.self)
                isFlattenable = literal?.literal.tokenKind == .keyword(.true)
                flattenablePlace = argument.expression
                if literal == nil {
                    problems.add(.flattenableIsNoLiteral, at: argument.expression)
                }
            case "managed":
                let literal = argument.expression.as(BooleanLiteralExprSyntax.self)
                isManaged = literal?.literal.tokenKind != .keyword(.false)
                if literal == nil { problems.add(.managedIsNoLiteral, at: argument.expression) }
            case "deletion":
                deletionPlace = argument.expression
                let member = argument.expression.as(MemberAccessExprSyntax.self)
                switch member?.declName.baseName.text {
                case "mark": marksDeletion = true
                case "remove": marksDeletion = false
                default: problems.add(.unknownDeletion, at: argument.expression)
                }
            default: continue
            }
        }
    }
}
