import Dovetail

/// A declaration in the module itself is always taken, also where Foundation's would win.
@freestanding(expression)
macro Predicate<Input>(_ body: (Input) throws -> Bool) -> Foundation.Predicate<Input> =
    #externalMacro(module: "DovetailMacros", type: "PredicateMacro")

@freestanding(expression)
macro Expression<Input, Output>(
    _ body: (Input) throws -> Output
) -> Foundation.Expression<Input, Output> =
    #externalMacro(module: "DovetailMacros", type: "PredicateMacro")
