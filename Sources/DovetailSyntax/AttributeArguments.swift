import SwiftIfConfig
import SwiftParser
public import SwiftSyntax

/// What `@Attribute` and `@Transient` say about a property.
///
/// Several attributes of one property are read in their order into one value, so each may say a
/// part. The compiler has checked labels and types already; what is checked here is that every
/// argument is written out, because a macro cannot evaluate an expression. Cases of enums take
/// names and aliases only: ``CaseNames``.
public struct AttributeArguments {
    /// The transform of `.transformed(by:)` or `.transformed(elementsBy:)`.
    public struct Transform {
        /// The argument as it is written, as in `SecondsSince1970.self`.
        public let metatype: String
        /// The type before `.self`; nil when the argument is another expression. A nested
        /// declaration has to spell it again (``ModelDeclaration/localTypes``).
        public let typeName: String?
        /// Whether it transforms the elements of a collection and not the value itself.
        public let isForElements: Bool
        /// Whether it is a `ValueTransformer`: `.transformable(by:)`.
        public let isTransformer: Bool
        /// Its place in the source, for problems that only the property's type shows.
        let place: ExprSyntax
    }

    /// The place in documents; nil when `naming:` of the model decides.
    public var name: FieldPath?
    /// Further places that are read and never written.
    public var aliases: [FieldPath] = []
    /// Whether the property is part of the primary key.
    public var isPrimaryKey = false
    /// Whether the property is neither written nor stored: `@Transient`, and the options `.transient` and
    /// `.ephemeral`.
    public var isTransient = false
    /// Whether an empty collection is left out of documents.
    public var isOmittedWhenEmpty = false
    /// Where `.flattened` is: the fields of the property's model are fields of this one. Nil without it.
    public private(set) var flattened: ExprSyntax?
    /// What is put before the names of the fields of a flattened model.
    public private(set) var prefix: String?
    /// Where `prefix:` is, for problems that only the declaration shows.
    private(set) var prefixPlace: ExprSyntax?
    /// Whether nil is written as null: `.nullWhenNil`.
    public var isNullWhenNil = false
    /// Where `.nullWhenNil` is, for problems that only the property's type shows.
    var nullPlace: ExprSyntax?
    /// The transform, when there is one.
    public var transform: Transform?
    /// Whether a document that has the field has to hold the value of the constant: `.constant`.
    public var checksConstant = false
    /// What becomes of unknown elements; nil when the protocol decides.
    public var unknown: UnknownPolicy?
    /// The requirements of model protocols that the property stands for, with their places:
    /// `satisfies: \(any Boxed).boxId`.
    public private(set) var satisfied: [(name: String, place: ExprSyntax)] = []
    /// Whether the property has `@Relationship`.
    public private(set) var isRelationship = false
    /// The arguments of `@Relationship`, as they are written: the delete rule and the inverse.
    public private(set) var relationship: [String] = []
    /// Its other arguments with a label, as they are written.
    public private(set) var relationshipTerms: [String] = []
    /// Its arguments without a label, as they are written.
    public private(set) var relationshipOptions: [String] = []
    /// What a table has to know of the column.
    public var table = TableOptions()
    /// Where `.primaryKey` is, for problems that only the declaration shows.
    var keyPlace: ExprSyntax?

    /// Reads all attributes of one property, and reports every argument that is not written out.
    init(
        of attributes: AttributeListSyntax,
        in configuration: (any BuildConfiguration)?,
        _ problems: inout Problems
    ) {
        let names: Set = ["Attribute", "Transient", "Relationship"]
        for attribute in attributes.compiled(in: configuration, names, &problems) {
            if attribute.plainName == "Transient" { isTransient = true }
            if attribute.plainName == "Relationship" { isRelationship = true }
            guard case .argumentList(let arguments) = attribute.arguments else { continue }
            for argument in arguments {
                if attribute.plainName == "Relationship" {
                    readRelationship(argument)
                } else {
                    read(argument, &problems)
                }
            }
        }
    }

    private mutating func readRelationship(_ argument: LabeledExprSyntax) {
        let text = argument.trimmedDescription.droppingComma
        switch argument.label?.text {
        case "deleteRule", "inverse": relationship.append(text)
        case nil: relationshipOptions.append(text)
        default: relationshipTerms.append(text)
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
        case "originalName", "hashModifier":
            if value.is(NilLiteralExprSyntax.self) { return }
            guard let text = value.literalText else {
                problems.add(.nameIsNoLiteral, at: value)
                return
            }
            if argument.label?.text == "originalName" {
                table.originalName = text
            } else {
                table.hashModifier = text
            }
        case "prefix":
            if value.is(NilLiteralExprSyntax.self) { return }
            (prefix, prefixPlace) = (value.literalText, value)
            if prefix == nil { problems.add(.nameIsNoLiteral, at: value) }
        case "satisfies":
            if value.is(NilLiteralExprSyntax.self) { return }
            guard let name = value.requirementName else {
                problems.add(.satisfiesIsNoRequirement, at: value)
                return
            }
            satisfied.append((name, value))
        case nil: readOption(value, &problems)
        default: break
        }
    }

    /// Reads an option by the name after its dot, so `.primaryKey` and `AttributeOption.primaryKey`
    /// are the same. A name that is unknown here is left to the compiler, which refuses it.
    private mutating func readOption(_ option: ExprSyntax, _ problems: inout Problems) {
        let call = option.as(FunctionCallExprSyntax.self)
        let member = (call?.calledExpression ?? option).as(MemberAccessExprSyntax.self)
        switch member?.declName.baseName.text {
        case "primaryKey": (isPrimaryKey, keyPlace) = (true, option)
        case "transient", "ephemeral": isTransient = true
        case "omittedWhenEmpty": isOmittedWhenEmpty = true
        case "flattened": flattened = option
        case "nullWhenNil": (isNullWhenNil, nullPlace) = (true, option)
        case "constant": checksConstant = true
        case "transformed", "transformable":
            guard let argument = call?.arguments.first else { return }
            if transform != nil { problems.add(.twoTransforms, at: option) }
            let metatype = argument.expression.as(MemberAccessExprSyntax.self)
            let isType = metatype?.declName.baseName.tokenKind == .keyword(.self)
            let isTransformer = member?.declName.baseName.text == "transformable"
            if isTransformer, !isType {
                problems.add(.transformerIsNoType, at: argument.expression)
            }
            if isTransformer { table.marks.append("transformable") }
            transform = Transform(
                metatype: argument.expression.trimmedDescription,
                typeName: isType ? metatype?.base?.trimmedDescription : nil,
                isForElements: argument.label?.text == "elementsBy",
                isTransformer: isTransformer,
                place: option
            )
        case nil: problems.add(.optionIsNoLiteral, at: option)
        case let name?: table.read(name, option, call?.arguments, &problems)
        }
    }

    /// Reports the options of a property that has no column: a transient or computed one.
    func refuseColumnOptions(_ problems: inout Problems) {
        if let keyPlace { problems.add(.optionWithoutColumn, at: keyPlace) }
        for requirement in satisfied { problems.add(.optionWithoutColumn, at: requirement.place) }
        if let place = flattened ?? prefixPlace { problems.add(.optionWithoutColumn, at: place) }
        table.refuse(&problems)
    }

    /// A name or path of `name:` and `aliases:`; nil for one that is not a literal.
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

extension String {
    /// The text without a comma at its end.
    fileprivate var droppingComma: String { hasSuffix(",") ? String(dropLast()) : self }
}

extension ExprSyntax {
    /// The name of the one property in a key path that says its root; nil for other expressions.
    fileprivate var requirementName: String? {
        guard let path = self.as(KeyPathExprSyntax.self), path.root != nil,
            path.components.count == 1,
            case .property(let property) = path.components.first?.component
        else { return nil }
        return property.declName.baseName.text.replacingBackticks
    }

    /// The text of a string literal; nil for one with an interpolation, and for other expressions.
    public var literalText: String? {
        self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }
}
