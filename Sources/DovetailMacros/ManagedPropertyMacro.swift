import DovetailSyntax
import SwiftSyntax
import SwiftSyntaxMacros

/// The accessors of a property of a class whose instances a context keeps, and the storage behind
/// them. ``ModelMacro`` puts it at each of these properties.
///
/// ```swift
/// private var _title: String
/// var title: String {
///     @storageRestrictions(initializes: _title)
///     init(initialValue) { _title = initialValue }
///     get {
///         _$willRead(\.title)
///         return _title
///     }
///     …
/// }
/// ```
struct ManagedPropertyMacro: PeerMacro, AccessorMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let property = ManagedProperty(declaration) else { return [] }
        var line = "private var _\(property.plainName)"
        if let type = property.type {
            line += ": " + (property.isBoxed ? "Swift::Optional<\(type)>" : type)
        }
        if let value = property.initialValue {
            let isInferred = property.isBoxed && property.type == nil
            line += " = " + (isInferred ? "Swift::Optional(\(value))" : value)
        }
        if let observers = property.observers { line += " " + observers }
        return [RawSource.declaration(line)]
    }

    static func expansion(
        of node: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let property = ManagedProperty(declaration) else { return [] }
        let slot = node.arguments?.trimmedDescription ?? ""
        let text = SourceText.at(depth: 1) { source in
            if slot.isEmpty {
                property.writeAttribute(to: &source)
            } else {
                property.writeRelationship(slot, to: &source)
            }
        }
        // One token holds all accessors: parsing them here would be done again by the compiler.
        return [AccessorDeclSyntax(accessorSpecifier: .identifier(text + "\n"))]
    }
}

extension ManagedProperty {
    /// The name of the storage.
    var storage: String { "_" + plainName }

    /// Whether the storage is an optional of the type: a relationship stores nothing in it.
    var isBoxed: Bool { mayBeRelationship && !isOptional }

    private func writeInitializer(to source: inout SourceText) {
        source.line("@storageRestrictions(initializes: \(storage))")
        source.block("init(initialValue)") { $0.line("\(storage) = initialValue") }
    }

    fileprivate func writeAttribute(to source: inout SourceText) {
        let path = "\\.\(name)"
        writeInitializer(to: &source)
        source.block("get") {
            $0.line("_$willRead(\(path))")
            $0.line("return \(storage)")
        }
        source.block("set") {
            $0.line("let path = _$willChange(\(path))")
            $0.line("\(storage) = newValue")
            $0.line("_$didChange(path)")
        }
        guard isChangedInPlace else { return }
        source.block("_modify") {
            $0.line("let path = _$willChange(\(path))")
            $0.line("defer { _$didChange(path) }")
            $0.line("yield &\(storage)")
        }
    }

    fileprivate func writeRelationship(_ slot: String, to source: inout SourceText) {
        let path = "\\.\(name)"
        // Overload resolution tells objects from attributes, but not `any P` from either.
        func call(_ function: String) -> String {
            isOfProtocol
                ? "_$any" + function.prefix(1).uppercased() + function.dropFirst()
                : "_$" + function
        }
        writeInitializer(to: &source)
        source.block("get") { $0.line("\(call("value"))(\(path), \(storage), \(slot))") }
        source.block("set") {
            $0.line("\(storage) = \(call("set"))(newValue, \(path), \(slot))")
            $0.line("_$didChange(\(path))")
        }
        guard isChangedInPlace else { return }
        source.block("_modify") {
            $0.line("var value = \(call("taken"))(\(path), \(storage), \(slot))")
            $0.block("defer") {
                $0.line("\(storage) = \(call("kept"))(value, \(slot))")
                $0.line("_$didChange(\(path))")
            }
            $0.line("yield &value")
        }
    }
}

/// Ends an initializer of a class by handing what it has set to the relationships, so that both
/// sides of one know each other when it returns.
struct ManagedInitializerMacro: BodyMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingBodyFor declaration: some DeclSyntaxProtocol & WithOptionalCodeBlockSyntax,
        in context: some MacroExpansionContext
    ) throws -> [CodeBlockItemSyntax] {
        guard let body = declaration.body else { return [] }
        return Array(body.statements)
            + [CodeBlockItemSyntax(item: .expr(RawSource.expression("\n_$link()")))]
    }
}

extension ModelMacro: MemberAttributeMacro {
    /// Puts ``ManagedPropertyMacro`` at the properties of a class, and
    /// ``ManagedInitializerMacro`` at the initializers that set what may be a relationship.
    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        // The answer for structs and enums, which most models are.
        guard declaration.is(ClassDeclSyntax.self) else { return [] }
        guard
            ModelDeclaration.isManaged(
                declaration,
                macro: node,
                lexicalContext: context.lexicalContext
            )
        else { return [] }
        if let initializer = member.as(InitializerDeclSyntax.self) {
            return needsLink(initializer, declaration)
                ? [attribute("Dovetail::_ManagedInitializer")] : []
        }
        guard let property = ManagedProperty(member) else { return [] }
        let slot =
            property.mayBeRelationship
            ? ManagedProperty.slots(in: declaration).firstIndex(of: property.plainName) : nil
        return [attribute("Dovetail::_ManagedProperty" + (slot.map { "(\($0))" } ?? ""))]
    }

    private static func attribute(_ text: String) -> AttributeSyntax {
        AttributeSyntax(attributeName: IdentifierTypeSyntax(name: .identifier(text)))
    }

    /// Whether an initializer that is no convenience one names a property that may be a relationship.
    private static func needsLink(
        _ initializer: InitializerDeclSyntax,
        _ declaration: some DeclGroupSyntax
    ) -> Bool {
        guard let body = initializer.body,
            !initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) })
        else { return false }
        let slots = Set(ManagedProperty.slots(in: declaration))
        return body.tokens(viewMode: .sourceAccurate).contains { token in
            if case .identifier(let name) = token.tokenKind { slots.contains(name) } else { false }
        }
    }
}
