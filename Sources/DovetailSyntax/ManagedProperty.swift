public import SwiftSyntax

/// A stored property of a class whose instances a context keeps, as its accessors need it.
///
/// Only what is written counts. Whether a type is that of other objects is left to overload
/// resolution; here is told for which types it need not be asked.
public struct ManagedProperty {
    /// The name in the source, with backticks where the source has them.
    public let name: String
    /// The name without backticks.
    public var plainName: String { name.filter { $0 != "`" } }
    /// The type as it is written; nil where only the compiler knows it.
    public let type: String?
    /// Whether the type may be that of other objects.
    public let mayBeRelationship: Bool
    /// Whether it holds objects of all classes that conform to a protocol: `@Relationship` at `any P`.
    public let isOfProtocol: Bool
    /// Whether the type is written as an optional.
    public let isOptional: Bool
    /// Whether it is worth an accessor of its own that a value can be changed where it is stored, and not
    /// only read and set: arrays, strings and all types that may be large. Objects, numbers and the like
    /// are not, which spares the compiler the accessor.
    public let isChangedInPlace: Bool
    /// Whether an object may be without the value until the property is read: `.externalStorage`.
    public let isDeferrable: Bool
    /// The value that it begins with, as it is written.
    public let initialValue: String?
    /// `willSet` and `didSet`, in their order.
    public let observers: [Observer]

    /// An observer of a property, which does nothing where the property is given what is stored, or what it was:
    /// only a program sets it.
    public struct Observer {
        /// `willSet` or `didSet`.
        public let name: String
        /// The name of its parameter.
        public let parameter: String
        /// Its statements.
        public let body: String
        /// Whether it looks at its parameter.
        public let usesParameter: Bool

        init(_ accessor: AccessorDeclSyntax) {
            name = accessor.accessorSpecifier.text
            let given = accessor.parameters?.name.text
            let parameter = given ?? (name == "didSet" ? "oldValue" : "newValue")
            self.parameter = parameter
            body = accessor.body?.statements.trimmedDescription ?? ""
            usesParameter =
                given != nil
                || accessor.body?.tokens(viewMode: .sourceAccurate).contains {
                    $0.text == parameter
                }
                    == true
        }
    }

    /// Reads a member of a class; nil for one without accessors of the macro's: a constant, a
    /// computed, static, lazy, weak or transient property, one that overrides another one, and anything
    /// else.
    public init?(_ member: some DeclSyntaxProtocol) {
        guard let variable = member.as(VariableDeclSyntax.self),
            variable.bindingSpecifier.tokenKind == .keyword(.var),
            variable.bindings.count == 1, let binding = variable.bindings.first,
            let pattern = binding.pattern.as(IdentifierPatternSyntax.self), !binding.isComputed,
            !variable.modifiers.contains(where: {
                $0.name.isOneOf(.static, .class, .lazy, .weak, .unowned, .override)
            })
        else { return nil }
        var isRelationship = false
        var isAttribute = false
        var isLarge = false
        for case .attribute(let attribute) in variable.attributes {
            switch attribute.plainName {
            case "Transient": return nil
            case "Relationship": isRelationship = true
            case "Attribute":
                let options = attribute.arguments?.trimmedDescription ?? ""
                if options.contains(".transient") { return nil }
                isAttribute = isAttribute || options.contains(".")
                isLarge = isLarge || options.contains(".externalStorage")
            default: break
            }
        }
        name = pattern.identifier.text
        type =
            binding.typeAnnotation?.type.trimmed.withoutImplicitUnwrapping.description
            ?? binding.initializer.flatMap { StoredProperty.literalType(of: $0.value)?.description }
        let written = binding.typeAnnotation?.type
        isOptional = written?.isWrittenAsOptional ?? false
        isOfProtocol = isRelationship && written?.relatedProtocol != nil
        let told =
            written ?? binding.initializer.flatMap { StoredProperty.literalType(of: $0.value) }
        mayBeRelationship = isRelationship || !isAttribute && told?.mayBeRelationship ?? false
        if case .accessors(let accessors)? = binding.accessorBlock?.accessors {
            observers = accessors.map(Observer.init)
        } else {
            observers = []
        }
        let needsOld = observers.contains { $0.name == "didSet" && $0.usesParameter }
        isChangedInPlace =
            mayBeRelationship
            ? told?.isArray ?? false && !needsOld : !(told?.isScalar ?? false)
        initialValue = binding.initializer?.value.trimmedDescription
        isDeferrable = isLarge && !isRelationship && observers.isEmpty
    }

    /// Whether one declaration is of several such properties, of which a macro can give none its accessors:
    /// `var width = 1, height = 2`.
    public static func isSeveral(_ variable: VariableDeclSyntax) -> Bool {
        guard variable.bindings.count > 1 else { return false }
        return variable.bindings.contains {
            let alone = PatternBindingListSyntax([$0.with(\.trailingComma, nil)])
            return ManagedProperty(variable.with(\.bindings, alone)) != nil
        }
    }

    /// The names of the properties of a class that may hold other objects, in their order: the
    /// position of a name is the slot by which accessors name the property.
    public static func slots(in declaration: some DeclGroupSyntax) -> [String] {
        var names: [String] = []
        func search(_ members: MemberBlockItemListSyntax) {
            for member in members {
                if let condition = member.decl.as(IfConfigDeclSyntax.self) {
                    for case .decls(let members)? in condition.clauses.map(\.elements) {
                        search(members)
                    }
                } else if let property = ManagedProperty(member.decl),
                    property.mayBeRelationship, !names.contains(property.plainName)
                {
                    names.append(property.plainName)
                }
            }
        }
        search(declaration.memberBlock.members)
        return names
    }
}

extension TypeSyntax {
    /// The `any P` of a type that is `any P`, its optional, its array or an optional array; nil for
    /// other types.
    public var relatedProtocol: SomeOrAnyTypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) {
            return optional.wrappedType.relatedProtocol
        }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return optional.wrappedType.relatedProtocol
        }
        if let array = self.as(ArrayTypeSyntax.self) { return array.element.relatedProtocol }
        if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
            return tuple.elements.first?.type.relatedProtocol
        }
        if let name = self.as(IdentifierTypeSyntax.self) {
            guard ["Array", "Optional"].contains(name.name.text),
                let argument = name.genericArgumentClause?.arguments.first
            else { return nil }
            return argument.argument.as(TypeSyntax.self)?.relatedProtocol
        }
        return existential
    }

    /// Values that are small.
    private static let scalars: Set = [
        "Bool", "Character", "CGFloat", "Date", "Decimal", "Double", "Duration", "Float", "Int",
        "Int8", "Int16", "Int32", "Int64", "TimeInterval", "UInt", "UInt8", "UInt16", "UInt32",
        "UInt64", "URL", "UUID",
    ]

    /// Types that no relationship has. The compiler is asked for those that classes of programs are called like:
    /// games have a `Character`, parades a `Float`.
    private static let values = scalars.union(["Data", "String"])
        .subtracting(["Character", "Duration", "Float"])

    /// Whether the type is the name of a small value, or its optional.
    fileprivate var isScalar: Bool {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isScalar }
        guard let name = self.as(IdentifierTypeSyntax.self)?.name.text else { return false }
        let plain = name.hasPrefix("Swift::") ? String(name.dropFirst("Swift::".count)) : name
        return Self.scalars.contains(plain)
    }

    /// Whether the type is written as an array, or as an optional one.
    fileprivate var isArray: Bool {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.isArray }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return optional.wrappedType.isArray
        }
        guard let name = self.as(IdentifierTypeSyntax.self) else {
            return self.is(ArrayTypeSyntax.self)
        }
        switch name.name.text {
        case "Array": return true
        case "Optional":
            return name.genericArgumentClause?.arguments.first?.argument.as(TypeSyntax.self)?
                .isArray ?? false
        default: return false
        }
    }

    /// Whether the type is a name, its optional, its array or an optional array, and not one of the
    /// names that everybody knows.
    fileprivate var mayBeRelationship: Bool {
        if let optional = self.as(OptionalTypeSyntax.self) {
            return optional.wrappedType.mayBeRelationship
        }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return optional.wrappedType.mayBeRelationship
        }
        if let array = self.as(ArrayTypeSyntax.self) { return array.element.mayBeRelationship }
        if let member = self.as(MemberTypeSyntax.self) {
            return !["Swift", "Foundation"].contains(member.baseType.trimmedDescription)
        }
        guard let name = self.as(IdentifierTypeSyntax.self) else { return false }
        guard let arguments = name.genericArgumentClause?.arguments else {
            return !Self.values.contains(name.name.text) && !name.name.text.hasPrefix("Swift::")
        }
        guard ["Array", "Optional"].contains(name.name.text), arguments.count == 1,
            let argument = arguments.first?.argument.as(TypeSyntax.self)
        else { return false }
        return argument.mayBeRelationship
    }
}
