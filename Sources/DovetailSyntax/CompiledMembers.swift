import SwiftDiagnostics
import SwiftIfConfig
import SwiftSyntax

/// The members of a declaration that `#if` leaves, as far as a macro can tell.
///
/// The compiler hands a macro the declaration with all clauses, and the build configuration with
/// which SwiftIfConfig evaluates the conditions. `canImport` cannot be evaluated this way.
///
/// ```swift
/// #if os(Linux)
///     var path: String            // known when the program is built for Linux, else left out
/// #endif
/// #if canImport(Darwin)
///     var bookmark: Data          // doubtful
/// #endif
/// ```
struct CompiledMembers {
    /// The members that are compiled, in their order.
    private(set) var known: [DeclSyntax] = []
    /// The members of all clauses of a condition that cannot be evaluated, and of every `#if` when
    /// there is no build configuration. Whoever needs them reports a problem; leaving them out
    /// would lose data.
    private(set) var doubtful: [DeclSyntax] = []

    init(_ members: MemberBlockItemListSyntax, in configuration: (any BuildConfiguration)?) {
        add(members, in: configuration, isCertain: true)
    }

    private mutating func add(
        _ members: MemberBlockItemListSyntax,
        in configuration: (any BuildConfiguration)?,
        isCertain: Bool
    ) {
        for member in members {
            guard let condition = member.decl.as(IfConfigDeclSyntax.self) else {
                if isCertain { known.append(member.decl) } else { doubtful.append(member.decl) }
                continue
            }
            let clauses = condition.compiledClauses(in: configuration)
            for case .decls(let members) in (clauses ?? condition.allClauses).map(\.elements) {
                add(members, in: configuration, isCertain: isCertain && clauses != nil)
            }
        }
    }
}

extension AttributeListSyntax {
    /// The attributes with one of `names` that `#if` leaves. One inside a condition that cannot be
    /// evaluated is a problem and left out.
    func compiled(
        in configuration: (any BuildConfiguration)?,
        _ names: Set<String>,
        _ problems: inout Problems
    ) -> [AttributeSyntax] {
        flatMap { element -> [AttributeSyntax] in
            switch element {
            case .attribute(let attribute):
                return names.contains(attribute.plainName) ? [attribute] : []
            case .ifConfigDecl(let condition):
                let clauses = condition.compiledClauses(in: configuration)
                return (clauses ?? condition.allClauses).flatMap { clause -> [AttributeSyntax] in
                    guard case .attributes(let attributes) = clause.elements else { return [] }
                    let found = attributes.compiled(in: configuration, names, &problems)
                    if clauses != nil { return found }
                    for attribute in found { problems.add(.conditionalAttribute, at: attribute) }
                    return []
                }
            @unknown default: return []
            }
        }
    }
}

extension AttributeSyntax {
    /// The name without a module: `Attribute` of `@Dovetail.Attribute` and `@Dovetail::Attribute`.
    var plainName: String {
        attributeName.trimmedDescription.split { $0 == "." || $0 == ":" }.last.map(String.init)
            ?? ""
    }
}

extension IfConfigDeclSyntax {
    fileprivate var allClauses: [IfConfigClauseSyntax] { Array(clauses) }

    /// The clause that is compiled, or none of them; nil when the condition cannot be evaluated, as
    /// with `canImport`: the compiler does not tell macros what can be imported.
    fileprivate func compiledClauses(
        in configuration: (any BuildConfiguration)?
    ) -> [IfConfigClauseSyntax]? {
        guard let configuration else { return nil }
        let (clause, diagnostics) = activeClause(in: configuration)
        guard diagnostics.allSatisfy({ $0.diagMessage.severity != .error }) else { return nil }
        return clause.map { [$0] } ?? []
    }
}
