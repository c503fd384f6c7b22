import SwiftIfConfig
public import SwiftSyntax

/// One stored property of a declaration, as far as a macro can know it: what is written, and not
/// what a name means. So a typealias of an optional is no optional here; generated code leaves such
/// a type to overload resolution (`_present`, `_isPresent`).
///
/// ```swift
/// var tags: [String] = []             // hasDefault, portableDefault "[]"
/// var nickname: String?               // isOptional; an absent field is nil
/// var rank: Int? = 1                  // hasDefaultOtherThanNil: nil is written as null
/// let type = "push"                   // isConstant, of the type Swift::String
/// ```
public struct StoredProperty {
    /// The name in the source, with backticks where the source has them.
    public let name: String
    /// The type as written, or as a literal default implies it. `T?` for a property of type `T!`.
    public let type: TypeSyntax
    /// Whether the declaration gives a default value. `= nil` of an optional is none, as every
    /// optional has it.
    public let hasDefault: Bool
    /// Whether it is a `let` with a value, which is written and cannot be set.
    public let isConstant: Bool
    /// Whether an absent field is read as something other than nil. Then nil has to be written as
    /// null, as leaving it out would change the value.
    public let hasDefaultOtherThanNil: Bool
    /// The default value as text, when it means the same in the extension that the macro writes.
    public let portableDefault: String?
    /// What `@Attribute` says about the property.
    public private(set) var attribute: AttributeArguments
    /// Whether it can be set at any time and is held strongly, so that in a class it gets accessors.
    public let isVariable: Bool
    /// Whether no type is written and none can be told, so that only the compiler knows it.
    public let isInferred: Bool
    /// Whether it has `willSet` or `didSet`.
    public let hasObservers: Bool
    /// The name in the source, for problems that are found later.
    let pattern: PatternSyntax

    /// The offset in the source. Attributes are in the order of their fields, and the memberwise
    /// initializer wants the order of the declaration.
    public var place: Int { pattern.position.utf8Offset }

    /// Whether documents are asked for its value: not for a constant, unless it is compared.
    public var isRead: Bool { !isConstant || attribute.checksConstant }

    /// Whether the type is written as an optional.
    public var isOptional: Bool { type.isWrittenAsOptional }

    /// Whether an object may be without the value until somebody reads the property, as far as the
    /// declaration says.
    public var isDeferrable: Bool {
        attribute.table.marks.contains("externalStorage") && isVariable && !hasObservers
            && attribute.transform == nil && attribute.flattened == nil
    }

    /// The `any P` of a property that holds objects of all classes which conform to a protocol; nil for
    /// other properties.
    public var relatedProtocol: SomeOrAnyTypeSyntax? {
        attribute.isRelationship ? type.relatedProtocol : nil
    }

    /// The name without backticks.
    public var plainName: String {
        name.hasPrefix("`") ? String(name.dropFirst().dropLast()) : name
    }
}

extension StoredProperty {
    /// Reads the stored properties of `members` in their order, and reports options that do not fit
    /// them.
    ///
    /// Static, computed, lazy and transient properties are no attributes.
    static func all(
        in members: [DeclSyntax],
        ofClass isClass: Bool,
        _ configuration: (any BuildConfiguration)?,
        _ problems: inout Problems
    ) -> [Self] {
        var properties: [Self] = []
        for member in members {
            guard let variable = member.as(VariableDeclSyntax.self) else { continue }
            let isStored = variable.isOfInstances
            let attribute = AttributeArguments(
                of: variable.attributes,
                in: configuration,
                &problems
            )
            guard isStored, !attribute.isTransient else {
                attribute.refuseColumnOptions(&problems)
                if isStored { requireDefault(of: variable, &problems) }
                continue
            }
            if variable.bindings.allSatisfy(\.isComputed) {
                attribute.refuseColumnOptions(&problems)
            }
            if isClass, ManagedProperty.isSeveral(variable) {
                problems.add(.severalProperties, at: variable.bindings)
            }
            properties += stored(in: variable, ofClass: isClass, attribute, &problems)
        }
        return properties
    }

    /// The stored properties of one `var` or `let`, which may declare several.
    private static func stored(
        in variable: VariableDeclSyntax,
        ofClass isClass: Bool,
        _ attribute: AttributeArguments,
        _ problems: inout Problems
    ) -> [Self] {
        let isLet = variable.bindingSpecifier.tokenKind == .keyword(.let)
        var properties: [Self] = []
        // In `var x, y: Int` the type of the last one holds for those before it.
        var type: TypeSyntax?
        for binding in variable.bindings.reversed() {
            type = binding.typeAnnotation?.type ?? (binding.initializer == nil ? type : nil)
            guard !binding.isComputed else { continue }
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            else {
                problems.add(.tupleProperty, at: binding.pattern)
                continue
            }
            let isVariable =
                !isLet && !variable.modifiers.contains { $0.name.isOneOf(.weak, .unowned) }
            let told = type ?? binding.initializer.flatMap { literalType(of: $0.value) }
            let isInferred = told == nil && isClass && isVariable && binding.initializer != nil
            guard let known = told ?? (isInferred ? named("_") : nil) else {
                problems.add(.untypedProperty(name), at: binding.pattern)
                continue
            }
            let property = StoredProperty(
                name: name,
                type: known.trimmed.withoutImplicitUnwrapping,
                hasDefault: binding.initializer.map { !$0.isNil(of: known) } ?? false,
                isConstant: isLet && binding.initializer != nil,
                hasDefaultOtherThanNil: binding.initializer.map { !$0.isNil } ?? false,
                portableDefault: binding.initializer?.value.portableText,
                attribute: attribute,
                isVariable: isVariable,
                isInferred: isInferred,
                hasObservers: binding.accessorBlock != nil,
                pattern: binding.pattern
            )
            property.checkOptions(&problems)
            if property.isConstant, let value = binding.initializer?.value,
                value.isNewEachTime(as: property.type)
            {
                problems.add(.constantThatDiffers(value.trimmedDescription), at: value)
            }
            properties.append(property)
        }
        return properties.reversed()
    }

    /// The same property as a part of the key.
    func inKey() -> Self {
        var property = self
        property.attribute.isPrimaryKey = true
        return property
    }

    /// The property with what `omits:` of its model says.
    func omitting(_ values: OmittedValues) -> Self {
        var property = self
        switch values {
        case .nils: break
        case .empty:
            if type.isCollection, !isOptional, !isConstant {
                property.attribute.isOmittedWhenEmpty = true
            }
        case .nothing:
            if isOptional, !type.tellsNullFromAbsent, !isConstant {
                property.attribute.isNullWhenNil = true
            }
        }
        return property
    }

    /// Reports options that the type, as it is written, cannot have.
    private func checkOptions(_ problems: inout Problems) {
        if attribute.isOmittedWhenEmpty, isOptional {
            problems.add(.optionalOmittedWhenEmpty, at: pattern)
        }
        if let place = attribute.nullPlace {
            if type.isSurelyNoOptional {
                problems.add(.nullWithoutOptional, at: place)
            } else if type.tellsNullFromAbsent {
                problems.add(.nullIsAValue, at: place)
            }
        }
        if hasDefaultOtherThanNil, type.tellsNullFromAbsent, !isConstant {
            problems.add(.defaultBesideNull, at: pattern)
        }
        if let transform = attribute.transform, transform.isForElements, !type.isCollection {
            problems.add(.transformWithoutElements, at: transform.place)
        }
        if attribute.checksConstant, !isConstant {
            problems.add(.constantWithoutValue, at: pattern)
        }
        if attribute.isPrimaryKey, isConstant { problems.add(.constantKey, at: pattern) }
        if attribute.unknown == .skip, !type.isCollection {
            problems.add(.skipWithoutElements, at: pattern)
        }
        attribute.table.check(self, &problems)
        Flattening.check(self, &problems)
    }

    /// A transient property needs a value without a document: a default, or nil of an optional
    /// `var`.
    private static func requireDefault(
        of variable: VariableDeclSyntax,
        _ problems: inout Problems
    ) {
        for binding in variable.bindings where !binding.isComputed && binding.initializer == nil {
            let isOptional = binding.typeAnnotation?.type.is(OptionalTypeSyntax.self) ?? false
            let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
            if !(isOptional && isVariable) {
                problems.add(.transientWithoutDefault, at: binding.pattern)
            }
        }
    }

    /// The type that a default value shows without a type checker: that of a literal, or the name
    /// that is called in `Size(width: 1)` or `[Size]()`. The standard library's types are written with their
    /// module, as a program may have a type `String` of its own.
    static func literalType(of value: ExprSyntax) -> TypeSyntax? {
        if value.is(StringLiteralExprSyntax.self) { return named("Swift::String") }
        if value.is(BooleanLiteralExprSyntax.self) { return named("Swift::Bool") }
        if value.is(IntegerLiteralExprSyntax.self) { return named("Swift::Int") }
        if value.is(FloatLiteralExprSyntax.self) { return named("Swift::Double") }
        if let prefixed = value.as(PrefixOperatorExprSyntax.self), prefixed.operator.text == "-" {
            return literalType(of: prefixed.expression)
        }
        if let call = value.as(FunctionCallExprSyntax.self),
            let callee = call.calledExpression.as(DeclReferenceExprSyntax.self),
            callee.baseName.text.first?.isUppercase == true
        {
            return named(callee.baseName.text)
        }
        if let call = value.as(FunctionCallExprSyntax.self),
            let array = call.calledExpression.as(ArrayExprSyntax.self),
            array.elements.count == 1,
            let element = array.elements.first?.expression.as(DeclReferenceExprSyntax.self),
            element.baseName.text.first?.isUppercase == true
        {
            return TypeSyntax(ArrayTypeSyntax(element: named(element.baseName.text)))
        }
        return nil
    }

    private static func named(_ name: String) -> TypeSyntax {
        TypeSyntax(IdentifierTypeSyntax(name: .identifier(name)))
    }
}

extension VariableDeclSyntax {
    /// Whether what it declares has storage in each instance from the beginning, unless it is computed. What overrides
    /// a property has observers or accessors, and no storage.
    fileprivate var isOfInstances: Bool {
        !modifiers.contains { $0.name.isOneOf(.static, .class, .lazy, .override) }
    }
}

extension CompiledMembers {
    /// Whether the class that has them gets `init()` from the compiler: no designated initializer is declared, and
    /// each stored property has a value without one.
    var leaveInitializer: Bool {
        (known + doubtful).allSatisfy { member in
            if let initializer = member.as(InitializerDeclSyntax.self) {
                return initializer.modifiers.contains { $0.name.isOneOf(.convenience) }
            }
            guard let variable = member.as(VariableDeclSyntax.self), variable.isOfInstances else {
                return true
            }
            let isVariable = variable.bindingSpecifier.isOneOf(.var)
            return variable.bindings.allSatisfy { binding in
                let type = binding.typeAnnotation?.type
                let isNilAtFirst =
                    type?.is(OptionalTypeSyntax.self) == true
                    || type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true
                return binding.isComputed || binding.initializer != nil
                    || isVariable && isNilAtFirst
            }
        }
    }
}

extension PatternBindingSyntax {
    /// Whether the binding is a computed property. One with `willSet` or `didSet` alone is stored.
    var isComputed: Bool {
        switch accessorBlock?.accessors {
        case .getter: true
        case .accessors(let accessors):
            !accessors.allSatisfy { $0.accessorSpecifier.isOneOf(.willSet, .didSet) }
        case nil: false
        @unknown default: true
        }
    }
}

extension TypeSyntax {
    /// `T?` for `T!`, which the language allows at declarations only.
    var withoutImplicitUnwrapping: TypeSyntax {
        guard let implicit = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)
        else { return self }
        return TypeSyntax(OptionalTypeSyntax(wrappedType: implicit.wrappedType))
    }

    /// The types of the keys of all dictionaries in a type, as they are written: generated code
    /// names them in the coding of a dictionary of `any P`.
    var dictionaryKeys: [String] {
        switch self.as(TypeSyntaxEnum.self) {
        case .optionalType(let optional): optional.wrappedType.dictionaryKeys
        case .arrayType(let array): array.element.dictionaryKeys
        case .dictionaryType(let dictionary):
            [dictionary.key.trimmedDescription] + dictionary.value.dictionaryKeys
        default: []
        }
    }

    /// An expression for the empty value of a type with `.omittedWhenEmpty`. For a type that is not
    /// written as a collection or a string, overload resolution chooses it by `_empty()`.
    public var emptyValue: String {
        let name = self.as(IdentifierTypeSyntax.self)?.name.text
        if self.is(ArrayTypeSyntax.self) || name == "Array" || name == "Set" { return "[]" }
        if self.is(DictionaryTypeSyntax.self) || name == "Dictionary" { return "[:]" }
        return name == "String" ? "\"\"" : "Dovetail::_empty()"
    }

    /// Whether the type is written as one of the collections whose elements can be transformed.
    var isCollection: Bool {
        if let optional = self.as(OptionalTypeSyntax.self) {
            return optional.wrappedType.isCollection
        }
        let name = self.as(IdentifierTypeSyntax.self)?.name.text ?? ""
        return self.is(ArrayTypeSyntax.self) || self.is(DictionaryTypeSyntax.self)
            || ["Array", "Set", "Dictionary"].contains(name)
    }
}

extension InitializerClauseSyntax {
    /// Whether this is `= nil` after a type that is written as an optional.
    fileprivate func isNil(of type: TypeSyntax) -> Bool {
        isNil && type.isWrittenAsOptional
    }

    fileprivate var isNil: Bool { value.is(NilLiteralExprSyntax.self) }
}

extension TokenSyntax {
    func isOneOf(_ keywords: Keyword...) -> Bool {
        keywords.contains { tokenKind == .keyword($0) }
    }
}

extension ExprSyntax {
    /// Whether it is surely another value each time: `UUID()`, `Date()`, `.now`.
    fileprivate func isNewEachTime(as type: TypeSyntax) -> Bool {
        func isNew(_ name: String) -> Bool { name == "UUID" || name == "Date" }
        let isNewType = isNew(type.trimmedDescription.lastName)
        if let member = self.as(MemberAccessExprSyntax.self) {
            let base = member.base?.trimmedDescription.lastName
            return member.declName.baseName.text == "now" && (base.map(isNew) ?? isNewType)
        }
        guard let call = self.as(FunctionCallExprSyntax.self), call.arguments.isEmpty,
            call.trailingClosure == nil
        else { return false }
        let callee = call.calledExpression.trimmedDescription
        let name = callee.hasSuffix(".init") ? String(callee.dropLast(5)) : callee
        return name.isEmpty ? isNewType : isNew(name.lastName)
    }
}

extension String {
    /// The name without the module before it.
    fileprivate var lastName: String { split(separator: ".").last.map { String($0) } ?? self }
}
