/// Makes a predicate of a closure: a condition that is evaluated in memory and that stores translate.
///
/// ```swift
/// let adults = #Predicate<User> { $0.age >= 18 && $0.team?.name != "guests" }
/// let found = try context.fetch(FetchDescriptor(predicate: adults))
/// ```
///
/// It is the language of Foundation's macro of the same name and gives the same
/// `Foundation.Predicate`, of the same expressions. In addition, the body may have cases of enums,
/// `Date.now`, calls and any other expression that does not use the parameter, an optional beside a
/// value, `hasPrefix`, `hasSuffix`, `lowercased()`, `uppercased()`, `evaluate` of another predicate,
/// and `$0[keyPath: path]`. Documentation/Queries.md lists what a body may have.
///
/// Where a body uses something else, the error is at the expression and says what to write.
///
/// Foundation's macro of this name is visible too. It is not looked at where a function of Dovetail takes
/// a predicate that is written in the call. Elsewhere the compiler takes it where a body compares
/// optionals and, in places, enums, unless the module declares this one itself:
///
/// ```swift
/// @freestanding(expression)
/// macro Predicate<Input>(_ body: (Input) throws -> Bool) -> Foundation.Predicate<Input> =
///     #externalMacro(module: "DovetailMacros", type: "PredicateMacro")
/// ```
///
/// - Complexity: a line is compiled for each operator, so a predicate compiles in time that is linear
///   in its length. The body is not run: values that it captures are read where the predicate is
///   made.
/// - Parameter body: The condition, one expression.
@freestanding(expression)
public macro Predicate<Input>(_ body: (Input) -> Bool) -> Foundation.Predicate<Input> =
    #externalMacro(module: "DovetailMacros", type: "PredicateMacro")

/// Makes a predicate of a closure with `try` in it, as in
/// `#Predicate<User> { try adults.evaluate($0) }`. It is otherwise the same.
///
/// - Complexity: a line is compiled for each operator.
/// - Parameter body: The condition, one expression. Its errors are thrown where the predicate is
///   evaluated.
@freestanding(expression)
public macro Predicate<Input>(_ body: (Input) throws -> Bool) -> Foundation.Predicate<Input> =
    #externalMacro(module: "DovetailMacros", type: "PredicateMacro")

/// Makes a predicate where a function of Dovetail takes one, as in
/// `FetchDescriptor<User>(predicate: #Predicate { $0.nickname == name })`. It is otherwise the same.
///
/// - Complexity: a line is compiled for each operator, and Foundation's macro is not tried.
/// - Parameters:
///   - body: The condition, one expression.
///   - isInline: Nothing that a program writes: macros without it are taken elsewhere.
@freestanding(expression)
public macro Predicate<Input>(
    _ body: (Input) throws -> Bool,
    _ isInline: Bool = true
) -> InlinePredicate<Input> =
    #externalMacro(module: "DovetailMacros", type: "InlinePredicateMacro")

/// Makes an expression of a closure: a value that is computed in memory and that stores translate.
///
/// ```swift
/// let length = #Expression<User, Int> { $0.name.count }
/// ```
///
/// The body has the language of `#Predicate` and gives any type.
///
/// - Complexity: a line is compiled for each operator.
/// - Parameter body: The value, one expression.
@freestanding(expression)
public macro Expression<Input, Output>(
    _ body: (Input) -> Output
) -> Foundation.Expression<Input, Output> =
    #externalMacro(module: "DovetailMacros", type: "PredicateMacro")

/// Makes an expression of a closure with `try` in it. It is otherwise the same.
///
/// - Complexity: a line is compiled for each operator.
/// - Parameter body: The value, one expression. Its errors are thrown where it is evaluated.
@freestanding(expression)
public macro Expression<Input, Output>(
    _ body: (Input) throws -> Output
) -> Foundation.Expression<Input, Output> =
    #externalMacro(module: "DovetailMacros", type: "PredicateMacro")
