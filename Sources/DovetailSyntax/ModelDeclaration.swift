public import SwiftIfConfig
public import SwiftSyntax

/// A declaration with `@Model`, read once: everything that generated code needs is in here.
///
/// This is the first stage of the macro: `init` reads the syntax and reports all problems. The
/// second stage is the types of DovetailMacros, which write Swift from the result. A value exists
/// only for a declaration without problems, so the second stage has none to report.
///
/// - Complexity: linear in the declaration, but for the look-up of names that exclude each other.
public struct ModelDeclaration {
    /// What kind of model it is.
    public enum Shape {
        /// A struct or class with its stored attributes, in the order of their columns.
        case structure([Attribute])
        /// An enum with the raw type `String` whose raw values are all known: case names with them.
        case stringEnum([(name: String, value: String)])
        /// An enum with another raw type, or with strings that a macro cannot read. It is read
        /// through `init(rawValue:)`. The names of its cases; nil where some are inside of a condition
        /// that cannot be evaluated.
        case rawEnum(cases: [String]?)
        /// An enum without a raw type whose cases are strings in documents, without the one with
        /// `@Fallback` that keeps any other string: `case open, closed; @Fallback case
        /// other(String)`.
        case textEnum([EnumCase])
        /// Any other enum without a raw type: `case circle(radius: Double), empty`.
        case caseEnum([EnumCase])
    }

    /// A stored property together with its name in documents.
    public struct Attribute {
        /// The property.
        public let property: StoredProperty
        /// The place in documents.
        public let path: FieldPath
        /// The name in stores. It is the name in documents, or the whole path of a nested field.
        public var documentName: String { path.columnName }
        /// Whether it is the primary key or a part of it: one of those with `.primaryKey`, or the
        /// property `id` where none has it.
        public let isPrimaryKey: Bool
    }

    /// The Swift name without the enclosing types.
    public let name: String
    /// The name in documents and stores.
    public let typeName: String
    /// Further names that are read and never written.
    public let typeAliases: [String]
    /// The name of the table; nil when it is `typeName`.
    public let table: String?
    /// Whether rows are marked when they are deleted.
    public let marksDeletion: Bool
    /// The property that rows are distributed by; nil where nothing is said.
    public let shard: String?
    /// What `#Index` and `#Unique` in the body declare.
    public let indexes: [IndexDeclaration]
    /// What becomes of fields that are not declared.
    public let unknownFields: UnknownPolicy
    /// The version of the shape; nil when the declaration says nothing.
    public let version: Int?
    /// Whether documents of a newer version are read with the fields that are known.
    public let readsNewer: Bool
    /// The access level of generated members with a space after it, or the empty string.
    public let access: String
    /// Whether the type or one around it is generic, so that a document cannot name it and it
    /// cannot conform to a model protocol without a list of conformers.
    public let isGeneric: Bool
    /// Whether a property `id` is declared, so that none is written for the primary key.
    public let declaresID: Bool
    /// The raw type of an enum as far as it can be told; nil for other declarations.
    public let rawType: String?
    /// The name of the case with `@Fallback`.
    public let fallback: String?
    /// The kind of model.
    public let shape: Shape
    /// The type parameters of the declaration itself.
    public let typeParameters: [String]
    /// Whether other models may have its fields among theirs.
    public let isFlattenable: Bool
    /// Whether a declaration around it is private, so that members which name it have to be as well.
    public let isInsideHidden: Bool
    /// Whether it is an enum whose cases are told apart by their values alone.
    public let isUntagged: Bool
    /// Whether a case with one value that has no label is written as that value.
    public let hasBarePayload: Bool
    /// Whether an alias of the type's name is kept and written back.
    public let keepsTypeName: Bool
    /// The protocols of which one says the type key that a value is written with also where its type is
    /// known; empty unless `writesTypeKey:` asks for it.
    public let tagProtocols: [String]
    /// Whether `naming:` gives cases of a raw enum other names than their raw values.
    public let hasNamedCases: Bool
    /// Whether it is a class.
    public let isClass: Bool
    /// Whether it is a class whose instances a context keeps.
    public let isManaged: Bool
    /// What the class has to do with others of one table; nil where it is alone.
    public let hierarchy: ClassHierarchy?
    /// Whether it is a class that Swift would give `init()`, did the macro not write the initializer that reads.
    public let leavesInitializer: Bool
    /// Whether a managed class leaves its `Codable` to the compiler, which then needs to be told the
    /// names of its properties.
    public let needsCodingKeys: Bool
    /// The names of the properties of a managed class that may hold other objects: their positions
    /// are the slots by which accessors name them.
    public let slots: [String]
    /// The types that the extension of a nested declaration names through `_$Types`, an enum of
    /// typealiases in the declaration: an extension of `Outer.Inner` does not see what is declared
    /// in `Outer`. Empty for a declaration at file scope. Each type is there once, without those
    /// that the macro spells with a module.
    public let localTypes: [String]
    /// The type parameters that have to be model values, because types of properties contain them.
    public let modelParameters: [String]
    /// Whether the compiler surely writes an initializer that takes all attributes.
    public let hasMemberwiseInitializer: Bool

    /// The most cases or conformers that a union without tags has: `UnionScope` keeps a bit for each.
    static let mostUntagged = 64

    /// Reads a declaration; nil when it has problems, which are all reported at once.
    ///
    /// ```swift
    /// var problems = Problems()
    /// let model = ModelDeclaration(
    ///     declaration, macro: node, lexicalContext: context.lexicalContext,
    ///     configuration: context.buildConfiguration, &problems
    /// )
    /// problems.diagnostics.forEach(context.diagnose)
    /// ```
    ///
    /// - Parameters:
    ///   - declaration: A struct, an enum or a class.
    ///   - macro: The attribute `@Model`, for its arguments and for problems of the whole
    ///     declaration.
    ///   - lexicalContext: The declarations around it, the innermost first.
    ///   - configuration: What `#if` is evaluated with. Without one, members inside of `#if` are a
    ///     problem.
    ///   - isSubclass: Whether it is a class whose superclass is a managed model, which the compiler
    ///     tells the macro.
    ///   - problems: Where problems are added. It has to be empty.
    public init?(
        _ declaration: some DeclGroupSyntax,
        macro: AttributeSyntax,
        lexicalContext: [Syntax],
        configuration: (any BuildConfiguration)?,
        isSubclass: Bool = false,
        _ problems: inout Problems
    ) {
        let arguments = ModelArguments(macro, lexicalContext: lexicalContext, &problems)
        let isInsideGeneric = lexicalContext.contains {
            $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
        }
        if lexicalContext.contains(where: { $0.is(FunctionDeclSyntax.self) }) {
            problems.add(.localModel, at: macro)
        }
        for case .attribute(let attribute) in declaration.attributes
        where attribute.attributeName.trimmedDescription == "MainActor" {
            problems.add(.isolatedModel, at: attribute)
        }
        let around = [Syntax(declaration)] + lexicalContext
        for (index, node) in around.dropLast().enumerated() {
            let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers
            if let hidden = modifiers?.first(where: { $0.name.isOneOf(.private) }) {
                if index == 0 {
                    problems.add(.privateNestedModel, at: hidden)
                } else {
                    problems.add(.privateNestedModel, at: macro)
                }
            }
        }
        let generic = declaration.asProtocol((any WithGenericParametersSyntax).self)
        let parameters = generic?.genericParameterClause?.parameters
        typeParameters = parameters?.map(\.name.text) ?? []
        isManaged = Self.isManaged(declaration, arguments, lexicalContext)
        if isSubclass, !isManaged { problems.add(.unmanagedSubclass, at: macro) }
        needsCodingKeys = isManaged && Self.leavesCodable(declaration)
        slots = isManaged ? ManagedProperty.slots(in: declaration) : []
        isGeneric = isInsideGeneric || generic?.genericParameterClause != nil
        access = AccessLevel.ofMembers(in: declaration.modifiers)
        let members = CompiledMembers(declaration.memberBlock.members, in: configuration)
        hierarchy =
            isManaged
            ? ClassHierarchy(
                of: declaration.modifiers,
                (members.known + members.doubtful).map { DeclSyntax($0) },
                isSubclass: isSubclass
            ) : nil
        declaresID = (members.known + members.doubtful).contains { member in
            member.as(VariableDeclSyntax.self)?.bindings.contains {
                $0.pattern.trimmedDescription == "id"
            } ?? false
        }
        if let structure = declaration.as(StructDeclSyntax.self) {
            name = structure.name.text
            rawType = nil
            fallback = nil
            shape = .structure(
                Self.attributes(
                    of: members,
                    ofManaged: isManaged,
                    arguments,
                    configuration,
                    &problems
                )
            )
        } else if let enumeration = declaration.as(EnumDeclSyntax.self) {
            name = enumeration.name.text
            rawType = Self.rawType(of: enumeration, members)
            fallback = EnumFallback.name(
                in: members,
                configuration,
                hasRawType: rawType != nil,
                &problems
            )
            shape = Self.shape(
                of: enumeration,
                members,
                rawType,
                fallback,
                arguments,
                configuration,
                &problems
            )
        } else if let object = declaration.as(ClassDeclSyntax.self) {
            name = object.name.text
            rawType = nil
            fallback = nil
            if !isManaged, !isSubclass,
                !object.modifiers.contains(where: { $0.name.isOneOf(.final) })
            {
                problems.add(.openClass, at: object.classKeyword)
            }
            shape = .structure(
                Self.attributes(
                    of: members,
                    ofManaged: isManaged,
                    arguments,
                    configuration,
                    &problems
                )
            )
        } else {
            problems.add(.unsupportedDeclaration, at: macro)
            return nil
        }
        typeName = arguments.documentName(of: name)
        typeAliases = arguments.aliases
        table = arguments.table
        if let place = arguments.tablePlace, declaration.is(EnumDeclSyntax.self) {
            problems.add(.tableOfEnum, at: place)
        }
        marksDeletion = arguments.marksDeletion
        if let place = arguments.deletionPlace, marksDeletion {
            if isSubclass { problems.add(.markedSubclass, at: place) }
            if declaration.is(EnumDeclSyntax.self) { problems.add(.markedEnum, at: place) }
        }
        indexes = IndexDeclaration.all(
            in: members,
            of: name,
            shape,
            inherits: isSubclass,
            &problems
        )
        shard = arguments.shard?.property
        arguments.shard?.check(shape, indexes, ofManaged: isManaged, &problems)
        let takesUnknownFields =
            arguments.saysUnknownFields
            || declaration.is(StructDeclSyntax.self) && !arguments.isFlattenable
        unknownFields = takesUnknownFields ? arguments.unknownFields : .skip
        if unknownFields != .skip, declaration.is(EnumDeclSyntax.self) {
            problems.add(.unknownFieldsOfEnum, at: macro)
        }
        isFlattenable = arguments.isFlattenable
        isInsideHidden = lexicalContext.contains { node in
            let modifiers = node.asProtocol((any WithModifiersSyntax).self)?.modifiers
            return modifiers?.contains { $0.name.isOneOf(.private, .fileprivate) } ?? false
        }
        Flattening.check(declaration, arguments, shape, ofManaged: isManaged, &problems)
        VersionSteps.check(declaration, &problems)
        version = arguments.version
        readsNewer = arguments.readsNewer
        keepsTypeName = arguments.keptNamePlace != nil
        if let place = arguments.keptNamePlace, unknownFields != .preserve || typeAliases.isEmpty {
            problems.add(.keptNameWithoutPlace, at: place)
        }
        let inherited =
            declaration.inheritanceClause?.inheritedTypes
            .map(\.type.trimmedDescription) ?? []
        tagProtocols =
            arguments.typeKeyPlace == nil
            ? [] : inherited.filter { !ProtocolRequirement.knownParents.contains($0) }
        if let place = arguments.typeKeyPlace,
            tagProtocols.isEmpty || !declaration.is(StructDeclSyntax.self)
        {
            problems.add(.typeKeyWithoutProtocol, at: place)
        }
        hasNamedCases = arguments.naming != .asDeclared
        isUntagged = arguments.isUntagged
        if let place = arguments.taggingPlace {
            if !shape.hasValuesInCases {
                problems.add(.untaggedWithoutCases, at: place)
            } else if case .caseEnum(let cases) = shape, cases.count > Self.mostUntagged {
                problems.add(.tooManyUntagged, at: place)
            }
            if version != nil { problems.add(.versionOfUntagged, at: place) }
        }
        hasBarePayload = arguments.hasBarePayload
        if let place = arguments.payloadPlace, !shape.hasValuesInCases {
            problems.add(.payloadWithoutCases, at: place)
        }
        isClass = declaration.is(ClassDeclSyntax.self)
        leavesInitializer = isClass && !isSubclass && members.leaveInitializer
        hasMemberwiseInitializer =
            declaration.as(StructDeclSyntax.self).map(MemberwiseInitializer.exists) ?? false
        let types =
            lexicalContext.isEmpty
            ? [] : shape.spelledTypes(isClass: isClass) + tagProtocols.map { "any \($0)" }
        localTypes = types.enumerated().filter { index, type in
            !type.hasPrefix("Swift::") && types.firstIndex(of: type) == index
        }.map(\.element)
        modelParameters = GenericParameters.modelParameters(
            of: declaration,
            lexicalContext: lexicalContext,
            in: shape.types
        )
        hierarchy?.check(arguments, shape, at: macro, &problems)
        if let place = arguments.versionPlace {
            if rawType != nil { problems.add(.versionOfRawEnum, at: place) }
            if shape.hasVersionField { problems.add(.versionField, at: place) }
        }
        if !problems.isEmpty { return nil }
    }

    /// The attributes of a struct or class, arranged by the objects in which they are.
    ///
    /// Properties inside of a condition that cannot be evaluated are read with a list of problems
    /// that is dropped: the one problem that counts is the condition.
    private static func attributes(
        of members: CompiledMembers,
        ofManaged isManaged: Bool,
        _ arguments: ModelArguments,
        _ configuration: (any BuildConfiguration)?,
        _ problems: inout Problems
    ) -> [Attribute] {
        let declared = StoredProperty.all(
            in: members.known,
            ofClass: isManaged,
            configuration,
            &problems
        ).map { $0.omitting(arguments.omits) }
        let properties = arguments.shard?.inKey(of: declared) ?? declared
        var others = Problems()
        let doubtful = StoredProperty.all(
            in: members.doubtful,
            ofClass: isManaged,
            configuration,
            &others
        )
        for property in doubtful {
            problems.add(.conditionalProperty(property.plainName), at: property.pattern)
        }
        let declaredKeys = properties.filter(\.attribute.isPrimaryKey)
        if declaredKeys.count > 1 {
            for place in declaredKeys.compactMap(\.attribute.table.generated) {
                problems.add(.generatedInCompositeKey, at: place)
            }
        }
        StoredProperty.checkSatisfied(by: properties, &problems)
        let attributes = properties.map { property in
            let name = arguments.naming.documentName(of: property.plainName)
            return Attribute(
                property: property,
                path: property.attribute.name ?? FieldPath(field: name),
                // A constant has the same value for every row, so it cannot identify one. An object has
                // a key of its own where none is declared, and its `id` is a property like others.
                isPrimaryKey: !declaredKeys.isEmpty || isManaged
                    ? property.attribute.isPrimaryKey
                    : property.plainName == "id" && !property.isConstant
            )
        }
        return Attribute.arranged(attributes, &problems)
    }
}

extension String {
    /// The name without backticks.
    var replacingBackticks: String { filter { $0 != "`" } }
}
