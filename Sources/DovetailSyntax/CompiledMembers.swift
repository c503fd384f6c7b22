import SwiftDiagnostics
import SwiftIfConfig
import SwiftSyntax

/// The members of a declaration as `#if` leaves them.
struct CompiledMembers {
    /// Those that are compiled, in their order.
    private(set) var known: [DeclSyntax] = []
    /// Those behind a condition that a macro cannot evaluate, whichever clause they stand in.
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
    /// The attributes as `#if` leaves them; one behind a condition that a macro cannot evaluate is
    /// a problem when it is one of `names`.
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
    /// The name without a module.
    var plainName: String {
        attributeName.trimmedDescription.split { $0 == "." || $0 == ":" }.last.map(String.init)
            ?? ""
    }
}

extension IfConfigDeclSyntax {
    fileprivate var allClauses: [IfConfigClauseSyntax] { Array(clauses) }

    /// The clause that is compiled, or none of them; nil when that cannot be told, which is so of
    /// `canImport`: the compiler does not tell macros what can be imported.
    fileprivate func compiledClauses(
        in configuration: (any BuildConfiguration)?
    ) -> [IfConfigClauseSyntax]? {
        guard let configuration else { return nil }
        let (clause, diagnostics) = activeClause(in: configuration)
        guard diagnostics.allSatisfy({ $0.diagMessage.severity != .error }) else { return nil }
        return clause.map { [$0] } ?? []
    }
}
