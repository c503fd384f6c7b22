public import SwiftSyntax

/// A protocol with `@ModelProtocol`, read once: everything that generated code needs is in here.
///
/// What is nil was not said, and is inherited from the parents when the program runs: a macro does
/// not see whether a parent is a model protocol, nor what it says.
public struct ProtocolDeclaration {
    /// Where documents have the name of the type: the twin of `ModelTagging` in DovetailModel.
    public enum Tagging: Hashable, Sendable {
        /// In the object: `{"$type":"Circle","radius":1}`.
        case `internal`
        /// Beside the content: `{"t":"Circle","c":{"radius":1}}`.
        case adjacent(tag: String, content: String)
        /// Around the content: `{"Circle":{"radius":1}}`.
        case external
        /// Nowhere: `{"radius":1}`.
        case untagged
    }

    /// What names of types are in documents: the twin of `ModelTagKind` in DovetailModel.
    public enum TagKind: String, Sendable {
        /// A string.
        case string
        /// A whole number.
        case integer
        /// True or false.
        case boolean
        /// A string or a list of strings.
        case stringOrList
        /// A string, a number or a truth value.
        case scalar
    }

    /// The protocol's name.
    public let name: String
    /// The access level of generated declarations with a space after it, or the empty string.
    public let access: String
    /// The type key, when it is given: a field, or a path of them.
    public let typeKey: FieldPath?
    /// The name as a conformer of the protocol that it refines, when it is given.
    public let typeName: String?
    /// The conformer of objects without a type key, as it is written: `Person.self`.
    public let absent: String?
    /// Further type keys that are read, when they are given.
    public let aliases: [String]?
    /// The tagging, when it is given.
    public let tagging: Tagging?
    /// What names of types are, when it is given.
    public let tagKind: TagKind?
    /// The closed list of conformers as it is written, as `["ColorAsset.self"]`; nil when every
    /// model that conforms is a conformer.
    public let conformers: [String]?
    /// What becomes of unknown elements. It is not inherited.
    public let unknown: UnknownPolicy
    /// Whether it is inside of a type, so that its extensions do not see what is beside it.
    public let isNested: Bool
    /// Whether a type that wraps `any P` is written beside the protocol.
    public let hasWrapper: Bool
    /// Whether it says itself that values can be sent between threads.
    public var isSendable: Bool {
        parents.contains("Sendable") || parents.contains("Swift.Sendable")
    }
    /// The properties that can be answered for a preserved element, with names and types as
    /// written: those of an instance with a getter only.
    public let answers: [(name: String, type: TypeSyntax)]
    /// The types of ``answers`` that the extension of a nested protocol names by typealiases, each
    /// once. Empty for a protocol at file scope.
    public var localTypes: [String] {
        guard isNested, unknown == .preserve else { return [] }
        let types = answers.flatMap { [$0.type.trimmedDescription] + $0.type.spelledExistentials }
        return types.enumerated().filter { types.firstIndex(of: $1) == $0 }.map(\.element)
    }
    /// The properties that predicates can name.
    public let requirements: [ProtocolRequirement]
    /// The protocols that it refines, as written; any of them may be a model protocol.
    public let parents: [String]
    /// Those of them that may have properties which predicates can name: the others are of the
    /// standard library.
    public var parentsWithRequirements: [String] {
        parents.filter { !ProtocolRequirement.knownParents.contains($0) }
    }

    /// Reads a declaration; nil when it has problems, which are all reported at once.
    ///
    /// - Parameters:
    ///   - declaration: What the attribute is at; anything but a protocol is a problem.
    ///   - macro: The attribute `@ModelProtocol`.
    ///   - lexicalContext: The declarations around it, the innermost first. Inside of functions and of
    ///     generic types there is nothing to read, and no problem: the compiler refuses both itself.
    ///   - problems: Where problems are added. It has to be empty.
    public init?(
        _ declaration: some SyntaxProtocol,
        macro: AttributeSyntax,
        lexicalContext: [Syntax],
        _ problems: inout Problems
    ) {
        guard let node = declaration.as(ProtocolDeclSyntax.self) else {
            problems.add(.notAProtocol, at: macro)
            return nil
        }
        isNested = !lexicalContext.isEmpty
        if lexicalContext.contains(where: \.refusesProtocols) { return nil }
        for (index, node) in ([Syntax(node)] + lexicalContext).dropLast().enumerated() {
            let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers
            if let hidden = modifiers?.first(where: { $0.name.isOneOf(.private) }) {
                problems.add(.privateNestedModel, at: index == 0 ? Syntax(hidden) : Syntax(macro))
            }
        }
        name = node.name.text
        access = AccessLevel.ofPeers(of: node, in: lexicalContext)
        parents =
            node.inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
        let arguments = ProtocolArguments(macro, &problems)
        typeKey = arguments.typeKey
        typeName = arguments.typeName
        absent = arguments.absent
        aliases = arguments.aliases
        tagging = arguments.tagging
        tagKind = arguments.tagKind
        conformers = arguments.conformers
        unknown = arguments.unknown
        hasWrapper = arguments.hasWrapper
        if name == "Value" || hasWrapper && name == "Coding" {
            problems.add(.nameOfCoding(name), at: node.name)
        }
        requirements = ProtocolRequirement.all(in: node)
        answers = node.memberBlock.members.flatMap { $0.decl.answers }
        if let place = arguments.levelPlace, parentsWithRequirements.isEmpty {
            problems.add(.levelWithoutParent, at: place)
        }
        if !problems.isEmpty { return nil }
    }
}

/// What the arguments of `@ModelProtocol` say; nil for what they do not say.
struct ProtocolArguments {
    var typeKey: FieldPath?
    var typeName: String?
    /// Where `typeName:` is, for problems that the declaration shows.
    var levelPlace: ExprSyntax?
    var absent: String?
    var aliases: [String]?
    var tagging: ProtocolDeclaration.Tagging?
    var tagKind: ProtocolDeclaration.TagKind?
    var conformers: [String]?
    var unknown = UnknownPolicy.throw
    var hasWrapper = false

    init(_ macro: AttributeSyntax, _ problems: inout Problems) {
        guard case .argumentList(let arguments) = macro.arguments else { return }
        var label = ""
        var keys: [LabeledExprSyntax] = []
        var absentPlace: ExprSyntax?
        for argument in arguments {
            // Only the first conformer of the list has the label.
            label = argument.label?.text ?? label
            let value = argument.expression
            switch label {
            case "typeKey":
                if value.is(NilLiteralExprSyntax.self) { continue }
                keys.append(argument)
                typeKey = value.documentName(&problems).map(FieldPath.init(written:))
                if let typeKey, typeKey.isNested, typeKey.components.contains("") {
                    problems.add(.emptyNameInPath(typeKey.columnName), at: value)
                }
            case "typeName":
                if value.is(NilLiteralExprSyntax.self) { continue }
                typeName = value.documentName(&problems, mayBeEmpty: true)
                levelPlace = value
            case "default":
                if value.is(NilLiteralExprSyntax.self) { continue }
                absent = value.trimmedDescription
                absentPlace = value
            case "aliases":
                aliases = value.documentNames(&problems)
                if aliases?.isEmpty == false { keys.append(argument) }
            case "tagging": tagging = Self.tagging(value, &problems)
            case "tagKind":
                tagKind = value.as(MemberAccessExprSyntax.self).flatMap {
                    ProtocolDeclaration.TagKind(rawValue: $0.declName.baseName.text)
                }
                if tagKind == nil { problems.add(.unknownTagKind, at: value) }
            case "unknown": unknown = value.unknownPolicy(&problems) ?? unknown
            case "wrapper":
                let literal = value.as(BooleanLiteralExprSyntax.self)
                hasWrapper = literal?.literal.tokenKind == .keyword(.true)
                if literal == nil { problems.add(.wrapperIsNoLiteral, at: value) }
            case "conformers": conformers = (conformers ?? []) + [value.trimmedDescription]
            default: continue
            }
        }
        if let levelPlace, typeKey == nil { problems.add(.levelWithoutKey, at: levelPlace) }
        if let place = levelPlace ?? absentPlace, let tagging, tagging != .internal {
            problems.add(.optionOfInternalTagging, at: place)
        }
        for argument in keys {
            switch tagging {
            case .external, .untagged: problems.add(.typeKeyBesideTagging, at: argument.expression)
            case .adjacent where argument.label?.text == "typeKey":
                problems.add(.typeKeyBesideTagging, at: argument.expression)
            default: continue
            }
        }
        checkAliases(keys.last, &problems)
        if tagging == .untagged {
            if conformers == nil {
                problems.add(.untaggedWithoutList, at: macro)
            } else if conformers?.count ?? 0 > ModelDeclaration.mostUntagged {
                problems.add(.tooManyUntagged, at: macro)
            }
        }
    }

    /// Refuses an alias that is the key itself or the content: the field would have two meanings.
    private func checkAliases(_ argument: LabeledExprSyntax?, _ problems: inout Problems) {
        guard let aliases, let argument else { return }
        var taken: [String] = []
        if case .adjacent(let tag, let content) = tagging { taken = [tag, content] }
        if let typeKey { taken.append(typeKey.columnName) }
        for alias in aliases where taken.contains(alias) {
            problems.add(.sameName(alias), at: argument.expression)
        }
    }

    /// The form of tagging, by the name after its dot.
    private static func tagging(
        _ value: ExprSyntax,
        _ problems: inout Problems
    ) -> ProtocolDeclaration.Tagging? {
        let call = value.as(FunctionCallExprSyntax.self)
        let member = (call?.calledExpression ?? value).as(MemberAccessExprSyntax.self)
        switch (member?.declName.baseName.text, call?.arguments.count) {
        case ("internal", nil): return .internal
        case ("external", nil): return .external
        case ("untagged", nil): return .untagged
        case ("adjacent", 2):
            let names = call?.arguments.map { $0.expression.documentName(&problems) } ?? []
            guard names.count == 2, let tag = names[0], let content = names[1] else { return nil }
            if tag == content { problems.add(.tagIsContent(tag), at: value) }
            return .adjacent(tag: tag, content: content)
        default:
            problems.add(.unknownTagging, at: value)
            return nil
        }
    }
}

extension Syntax {
    /// Whether the compiler refuses a protocol inside of it, or its extensions.
    fileprivate var refusesProtocols: Bool {
        let generic = self.asProtocol((any WithGenericParametersSyntax).self)
        return generic?.genericParameterClause != nil || self.is(FunctionDeclSyntax.self)
    }
}

extension DeclSyntax {
    /// The properties that this requirement asks for, if it is one of an instance with a plain
    /// getter: `var name: String { get }`. `get throws`, `set` and `static` are none.
    fileprivate var answers: [(name: String, type: TypeSyntax)] {
        guard let variable = self.as(VariableDeclSyntax.self),
            !variable.modifiers.contains(where: { $0.name.isOneOf(.static) })
        else { return [] }
        return variable.bindings.compactMap { binding in
            guard case .accessors(let accessors) = binding.accessorBlock?.accessors,
                accessors.allSatisfy({ $0.accessorSpecifier.isOneOf(.get) }),
                let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
                let type = binding.typeAnnotation?.type.trimmed
            else { return nil }
            return (name, type)
        }
    }
}

extension ExprSyntax {
    /// The policy that `unknown:` or `unknownFields:` says; nil, with a problem, for another
    /// expression.
    func unknownPolicy(_ problems: inout Problems) -> UnknownPolicy? {
        let name = self.as(MemberAccessExprSyntax.self)?.declName.baseName.text.replacingBackticks
        let policy = name.flatMap(UnknownPolicy.init)
        if policy == nil { problems.add(.unknownPolicy, at: self) }
        return policy
    }

    /// A name in documents: a literal that is not empty, unless `mayBeEmpty`. The name of a type
    /// may be empty; the name of a field may not.
    func documentName(_ problems: inout Problems, mayBeEmpty: Bool = false) -> String? {
        guard let text = literalText else {
            problems.add(.nameIsNoLiteral, at: self)
            return nil
        }
        if text.isEmpty, !mayBeEmpty { problems.add(.emptyName, at: self) }
        return text
    }

    /// A list of different names in documents; nil, with a problem, when it is not written out.
    func documentNames(_ problems: inout Problems, mayBeEmpty: Bool = false) -> [String]? {
        guard let list = self.as(ArrayExprSyntax.self) else {
            problems.add(.namesAreNoList, at: self)
            return nil
        }
        var names: [String] = []
        for element in list.elements {
            guard let name = element.expression.documentName(&problems, mayBeEmpty: mayBeEmpty)
            else { continue }
            if names.contains(name) { problems.add(.sameName(name), at: element.expression) }
            names.append(name)
        }
        return names
    }
}
