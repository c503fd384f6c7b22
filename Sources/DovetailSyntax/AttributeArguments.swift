import SwiftParser
public import SwiftSyntax

/// What `@Attribute` and `@Transient` say about a property.
public struct AttributeArguments {
    /// The name in documents and stores, when it is given.
    public var name: String?
    /// Whether the property is part of the primary key.
    public var isPrimaryKey = false
    /// Whether the property is neither written nor stored.
    public var isTransient = false

    init(of variable: VariableDeclSyntax, _ problems: inout Problems) {
        for case .attribute(let attribute) in variable.attributes {
            switch attribute.attributeName.trimmedDescription.split(separator: ":").last {
            case "Transient": isTransient = true
            case "Attribute":
                guard case .argumentList(let arguments) = attribute.arguments else { continue }
                for argument in arguments { read(argument, &problems) }
            default: continue
            }
        }
    }

    private mutating func read(_ argument: LabeledExprSyntax, _ problems: inout Problems) {
        if argument.label?.text == "name" {
            guard let value = argument.expression.literalText else {
                problems.add(.nameIsNoLiteral, at: argument.expression)
                return
            }
            name = value
            return
        }
        switch argument.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text {
        case "primaryKey": isPrimaryKey = true
        case "transient": isTransient = true
        default: break
        }
    }
}

extension ExprSyntax {
    /// The text of a string literal without interpolations.
    public var literalText: String? {
        self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }
}
