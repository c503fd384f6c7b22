import Dovetail

// As Documentation/Queries.md asks for: this one is taken before Foundation's.
@freestanding(expression)
macro Predicate<Input>(_ body: (Input) throws -> Bool) -> Foundation.Predicate<Input> =
    #externalMacro(module: "DovetailMacros", type: "PredicateMacro")
