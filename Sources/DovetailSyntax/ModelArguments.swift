public import SwiftSyntax

/// What attributes leave out of documents: the twin of `OmittedValues` in DovetailModel.
enum OmittedValues: String {
    case nils, empty, nothing
}

/// What the arguments of `@Model` say, with those of `@ModelDefaults` around the declaration and the
/// defaults of the macro's own for the rest.
struct ModelArguments {
    var typeName: String?
    /// How the Swift name becomes the name in documents, where none is given.
    var typeNaming = NamingRule.asDeclared
    var omits = OmittedValues.nils
    /// Whether `unknownFields:` is that of the declaration itself.
    var saysUnknownFields = false
    var aliases: [String] = []
    var naming = NamingRule.asDeclared
    var unknownFields = UnknownPolicy.skip
    var version: Int?
    /// Where `version:` is, for problems that the declaration shows.
    var versionPlace: ExprSyntax?
    var readsNewer = false
    /// Where `keepsTypeName: true` is; nil where the type's own name is written.
    var keptNamePlace: ExprSyntax?
    /// Where `writesTypeKey: true` is; nil where the type key is written as `any P` alone.
    var typeKeyPlace: ExprSyntax?
    /// Whether nothing says which case of an enum a value is.
    var isUntagged = false
    /// Where `tagging:` is, for problems that the declaration shows.
    var taggingPlace: ExprSyntax?
    /// Whether a case with one value that has no label is that value in documents.
    var hasBarePayload = false
    /// Where `payload:` is, for problems that the declaration shows.
    var payloadPlace: ExprSyntax?
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

    /// The property that rows are distributed by, with its place, for problems that the declaration shows.
    var shard: ShardArgument?

    /// Reads the arguments, and reports each that is no literal or no value of its kind.
    ///
    /// - Parameter lexicalContext: the declarations around it, the innermost first, which may have
    ///   `@ModelDefaults`. Their problems are reported there.
    init(
        _ macro: AttributeSyntax,
        lexicalContext: [Syntax] = [],
        _ problems: inout Problems
    ) {
        var unreported = Problems()
        for node in lexicalContext.reversed() {
            let attributes = node.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
            for case .attribute(let attribute) in attributes
            where attribute.plainName == "ModelDefaults" {
                read(attribute, &unreported)
            }
        }
        saysUnknownFields = false
        read(macro, &problems)
    }

    private mutating func read(_ macro: AttributeSyntax, _ problems: inout Problems) {
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
                saysUnknownFields = true
            case "aliases":
                aliases = argument.expression.documentNames(&problems, mayBeEmpty: true) ?? []
            case "naming": naming = rule(argument.expression, &problems) ?? naming
            case "typeNaming": typeNaming = rule(argument.expression, &problems) ?? typeNaming
            case "omits":
                let member = argument.expression.as(MemberAccessExprSyntax.self)
                let values = member.flatMap { OmittedValues(rawValue: $0.declName.baseName.text) }
                if values == nil { problems.add(.unknownOmission, at: argument.expression) }
                omits = values ?? omits
            case "version":
                let literal = argument.expression.as(IntegerLiteralExprSyntax.self)
                version = literal.flatMap { Int($0.literal.text) }
                versionPlace = argument.expression
                if version ?? 0 < 1 { problems.add(.unknownVersion, at: argument.expression) }
            case "tagging":
                let member = argument.expression.as(MemberAccessExprSyntax.self)
                switch member?.declName.baseName.text {
                case "external": isUntagged = false
                case "untagged": (isUntagged, taggingPlace) = (true, argument.expression)
                default: problems.add(.unknownCaseTagging, at: argument.expression)
                }
            case "payload":
                let member = argument.expression.as(MemberAccessExprSyntax.self)
                switch member?.declName.baseName.text {
                case "fields": hasBarePayload = false
                case "bare": (hasBarePayload, payloadPlace) = (true, argument.expression)
                default: problems.add(.unknownPayload, at: argument.expression)
                }
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
            case "writesTypeKey":
                let literal = argument.expression.as(BooleanLiteralExprSyntax.self)
                if literal?.literal.tokenKind == .keyword(.true) {
                    typeKeyPlace = argument.expression
                }
                if literal == nil { problems.add(.typeKeyIsNoLiteral, at: argument.expression) }
            case "keepsTypeName":
                let literal = argument.expression.as(BooleanLiteralExprSyntax.self)
                if literal?.literal.tokenKind == .keyword(.true) {
                    keptNamePlace = argument.expression
                }
                if literal == nil { problems.add(.keptNameIsNoLiteral, at: argument.expression) }
            case "managed":
                let literal = argument.expression.as(BooleanLiteralExprSyntax.self)
                isManaged = literal?.literal.tokenKind != .keyword(.false)
                if literal == nil { problems.add(.managedIsNoLiteral, at: argument.expression) }
            case "shardedBy": shard = ShardArgument(argument.expression, &problems)
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

    private func rule(_ value: ExprSyntax, _ problems: inout Problems) -> NamingRule? {
        let member = value.as(MemberAccessExprSyntax.self)
        let rule = member.flatMap { NamingRule(rawValue: $0.declName.baseName.text) }
        if rule == nil { problems.add(.unknownNaming, at: value) }
        return rule
    }

    /// The name in documents of a type with a Swift name.
    func documentName(of name: String) -> String { typeName ?? typeNaming.documentName(of: name) }

    /// Reads `@ModelDefaults` for its problems alone.
    static func check(defaults macro: AttributeSyntax, _ problems: inout Problems) {
        _ = ModelArguments(macro, &problems)
    }
}

/// `@ModelDefaults` at the declaration around models: all problems of its arguments.
public func checkModelDefaults(_ macro: AttributeSyntax, _ problems: inout Problems) {
    ModelArguments.check(defaults: macro, &problems)
}
