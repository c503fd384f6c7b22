/// The declarations of the macros that a module has to have itself, because only so they are taken
/// before Foundation's.
struct MacroDeclarations {
    let text: String

    /// - Parameter known: Names of macros that the module declares by hand.
    init(without known: Set<String>) {
        var parts = ["// Written by DovetailGenerate; see Documentation/Queries.md of Dovetail."]
        let wanted = Self.declarations.filter { !known.contains($0.name) }
        // A module without predicates need not import anything.
        if !wanted.isEmpty { parts.append("import Dovetail\nimport Foundation") }
        parts += wanted.map(\.text)
        text = parts.joined(separator: "\n\n") + "\n"
    }

    private static let declarations = [
        (
            name: "Predicate",
            text: """
            @freestanding(expression)
            macro Predicate<Input>(_ body: (Input) throws -> Bool) -> Foundation.Predicate<Input> =
                #externalMacro(module: "DovetailMacros", type: "PredicateMacro")
            """
        ),
        (
            name: "Expression",
            text: """
            @freestanding(expression)
            macro Expression<Input, Output>(
                _ body: (Input) throws -> Output
            ) -> Foundation.Expression<Input, Output> =
                #externalMacro(module: "DovetailMacros", type: "PredicateMacro")
            """
        ),
    ]
}
