import SwiftIfConfig
import SwiftParser
public import SwiftSyntax

/// What `@Attribute` and `@Transient` say about a property, or about a case of an enum.
public struct AttributeArguments {
    /// A transform by which the value is read and written.
    public struct Transform {
        /// The transform's metatype, as in `SecondsSince1970.self`.
        public let metatype: String
        /// The transform's type, unless the metatype is another expression.
        public let typeName: String?
        /// Whether it is for what a collection holds.
        public let isForElements: Bool
        /// Where it stands, for problems that are found later.
        let place: ExprSyntax
    }

    /// The place in documents, when it is given.
    public var name: FieldPath?
    /// Further places where documents may have the value.
    public var aliases: [FieldPath] = []
    /// Whether the property is part of the primary key.
    public var isPrimaryKey = false
    /// Whether the property is neither written nor stored.
    public var isTransient = false
    /// Whether an empty collection is left out of documents.
    public var isOmittedWhenEmpty = false
    /// The transform, when there is one.
    public var transform: Transform?
    /// Whether a document has to hold the value of the constant, if it holds one.
    public var checksConstant = false
    /// What becomes of unknown elements, when it is said here.
    public var unknown: UnknownPolicy?

    init(
        of attributes: AttributeListSyntax,
        in configuration: (any BuildConfiguration)?,
        _ problems: inout Problems
    ) {
        let names: Set = ["Attribute", "Transient"]
        for attribute in attributes.compiled(in: configuration, names, &problems) {
            if attribute.plainName == "Transient" { isTransient = true }
            guard case .argumentList(let arguments) = attribute.arguments else { continue }
            for argument in arguments { read(argument, &problems) }
        }
    }

    private mutating func read(_ argument: LabeledExprSyntax, _ problems: inout Problems) {
        let value = argument.expression
        switch argument.label?.text {
        case "name": name = path(value, &problems)
        case "aliases":
            guard let list = value.as(ArrayExprSyntax.self) else {
                problems.add(.aliasesAreNoLiteral, at: value)
                return
            }
            aliases = list.elements.compactMap { path($0.expression, &problems) }
        case "unknown":
            if !value.is(NilLiteralExprSyntax.self) { unknown = value.unknownPolicy(&problems) }
        case nil: readOption(value, &problems)
        default: break
        }
    }

    private mutating func readOption(_ option: ExprSyntax, _ problems: inout Problems) {
        let call = option.as(FunctionCallExprSyntax.self)
        let member = (call?.calledExpression ?? option).as(MemberAccessExprSyntax.self)
        switch member?.declName.baseName.text {
        case "primaryKey": isPrimaryKey = true
        case "transient": isTransient = true
        case "omittedWhenEmpty": isOmittedWhenEmpty = true
        case "constant": checksConstant = true
        case "transformed":
            guard let argument = call?.arguments.first else { return }
            if transform != nil { problems.add(.twoTransforms, at: option) }
            let metatype = argument.expression.as(MemberAccessExprSyntax.self)
            let isType = metatype?.declName.baseName.tokenKind == .keyword(.self)
            transform = Transform(
                metatype: argument.expression.trimmedDescription,
                typeName: isType ? metatype?.base?.trimmedDescription : nil,
                isForElements: argument.label?.text == "elementsBy",
                place: option
            )
        case nil: problems.add(.optionIsNoLiteral, at: option)
        default: break
        }
    }

    private func path(_ value: ExprSyntax, _ problems: inout Problems) -> FieldPath? {
        guard let text = value.literalText else {
            problems.add(.nameIsNoLiteral, at: value)
            return nil
        }
        let path = FieldPath(written: text)
        if path.isNested, path.components.contains("") {
            problems.add(.emptyNameInPath(text), at: value)
        }
        return path
    }
}

extension ExprSyntax {
    /// The text of a string literal without interpolations.
    public var literalText: String? {
        self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }
}
