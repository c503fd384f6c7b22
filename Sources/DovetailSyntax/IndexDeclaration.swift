public import SwiftSyntax

/// One list of `#Index` or `#Unique` in the body of a model: `[\.city, \.age]`.
///
/// The compiler has checked that the key paths are of the model. What is checked here is that they
/// are written out and that each is an attribute, which has a column.
public struct IndexDeclaration {
    /// The names of the properties in Swift, without backticks, the most significant first.
    public let properties: [String]
    /// Whether it is a list of `#Unique`.
    public let isUnique: Bool
}

extension IndexDeclaration {
    /// Whether a member of a declaration is `#Index` or `#Unique`, which add no members.
    static func isIndex(_ member: DeclSyntax) -> Bool {
        member.as(MacroExpansionDeclSyntax.self).map { names.contains($0.macroName.text) } ?? false
    }

    private static let names: Set = ["Index", "Unique"]

    /// Reports `#Index` and `#Unique` that no `@Model` reads, because they are not directly in the
    /// body of a struct or class that has it.
    ///
    /// - Parameter lexicalContext: The declarations around it, the innermost first.
    public static func checkPlace(
        of macro: some FreestandingMacroExpansionSyntax,
        lexicalContext: [Syntax],
        _ problems: inout Problems
    ) {
        let around = lexicalContext.first
        let attributes =
            around?.as(StructDeclSyntax.self)?.attributes
            ?? around?.as(ClassDeclSyntax.self)?.attributes
        if attributes?.hasModel != true {
            problems.add(.indexOutsideModel, at: macro)
        }
    }

    /// Reads the lists of a struct or class in their order, and reports those that are no index.
    /// The freestanding macro itself reports one in an enum.
    ///
    /// A list of `#Index` that is also one of `#Unique` is left out: the unique group is an index.
    static func all(
        in members: CompiledMembers,
        of model: String,
        _ shape: ModelDeclaration.Shape,
        inherits: Bool,
        _ problems: inout Problems
    ) -> [IndexDeclaration] {
        guard case .structure(let attributes) = shape else { return [] }
        for member in members.doubtful where isIndex(member) {
            problems.add(.conditionalIndex, at: member)
        }
        // What a class inherits the macro does not see; a schema refuses what is no property.
        let columns = inherits ? nil : Set(attributes.map(\.property.plainName))
        let flattened = Set(
            attributes.map(\.property).filter { $0.attribute.flattened != nil }.map(\.plainName)
        )
        var indexes: [IndexDeclaration] = []
        for member in members.known where isIndex(member) {
            guard let macro = member.as(MacroExpansionDeclSyntax.self) else { continue }
            let type = macro.genericArgumentClause?.arguments.first?.argument.as(TypeSyntax.self)
            if let type, type.lastName != model {
                problems.add(.indexOfOtherType(model), at: type)
            }
            if macro.arguments.isEmpty { problems.add(.emptyIndex, at: macro) }
            for argument in macro.arguments {
                let list = argument.expression
                guard
                    let names = properties(list, of: model, columns, flattened, &problems)
                else { continue }
                let index = IndexDeclaration(
                    properties: names,
                    isUnique: macro.macroName.text == "Unique"
                )
                let isKnown = indexes.contains {
                    $0.properties == names && $0.isUnique == index.isUnique
                }
                if isKnown { problems.add(.repeatedIndex, at: list) }
                indexes.append(index)
            }
        }
        let groups = indexes.filter(\.isUnique).map(\.properties)
        return indexes.filter { $0.isUnique || !groups.contains($0.properties) }
    }

    /// The properties of one list; nil when it is no list of attributes.
    private static func properties(
        _ list: ExprSyntax,
        of model: String,
        _ columns: Set<String>?,
        _ flattened: Set<String>,
        _ problems: inout Problems
    ) -> [String]? {
        guard let elements = list.as(ArrayExprSyntax.self)?.elements else {
            problems.add(.indexIsNoList, at: list)
            return nil
        }
        if elements.isEmpty { problems.add(.emptyIndex, at: list) }
        var names: [String] = []
        for element in elements.map(\.expression) {
            if let name = element.as(KeyPathExprSyntax.self)?.member(of: flattened, in: model) {
                if names.contains(name) { problems.add(.repeatedIndexProperty(name), at: element) }
                names.append(name)
                continue
            }
            guard let name = element.as(KeyPathExprSyntax.self)?.onlyProperty(of: model)
            else {
                problems.add(.indexPathIsNoProperty, at: element)
                continue
            }
            if let columns, !columns.contains(name) || flattened.contains(name) {
                problems.add(.indexWithoutColumn(name), at: element)
            } else if names.contains(name) {
                problems.add(.repeatedIndexProperty(name), at: element)
            }
            names.append(name)
        }
        return names.count == elements.count && !names.isEmpty ? names : nil
    }
}

extension AttributeListSyntax {
    /// Whether `@Model` is among the attributes, also inside of a condition.
    fileprivate var hasModel: Bool {
        contains { element in
            switch element {
            case .attribute(let attribute): attribute.plainName == "Model"
            case .ifConfigDecl(let condition):
                condition.clauses.contains {
                    if case .attributes(let attributes) = $0.elements {
                        attributes.hasModel
                    } else {
                        false
                    }
                }
            @unknown default: false
            }
        }
    }
}

extension KeyPathExprSyntax {
    /// The name of the one property of `\.name` or `\Outer.Inner.name`, without backticks; nil for
    /// other key paths.
    ///
    /// The parser takes `Outer` alone for the root, so types are told from properties by the name
    /// of the model.
    fileprivate func onlyProperty(of model: String) -> String? {
        var names: [String] = []
        for component in components {
            guard case .property(let property) = component.component,
                property.declName.baseName.tokenKind != .keyword(.self)
            else { return nil }
            names.append(property.declName.baseName.text.replacingBackticks)
        }
        let isOne = names.count == 1 || root != nil && names.dropLast().last == model
        return isOne ? names.last : nil
    }
}

extension KeyPathExprSyntax {
    /// The names of a property of a flattened model, `head.name` of `\.head.name` and of
    /// `\.head?.name`; nil for other key paths. What it is a schema finds out.
    fileprivate func member(of flattened: Set<String>, in model: String) -> String? {
        var names: [String] = []
        for component in components {
            switch component.component {
            case .property(let property):
                names.append(property.declName.baseName.text.replacingBackticks)
            case .optional: continue
            default: return nil
            }
        }
        guard let start = names.firstIndex(where: flattened.contains), start < names.count - 1,
            start == 0 || root != nil && names[start - 1] == model
        else { return nil }
        return names[start...].joined(separator: ".")
    }
}

extension TypeSyntax {
    /// The last name of a type: `Inner` of `Outer.Inner<Int>`.
    fileprivate var lastName: String? {
        let name = self.as(IdentifierTypeSyntax.self)?.name ?? self.as(MemberTypeSyntax.self)?.name
        return name?.text.replacingBackticks
    }
}
