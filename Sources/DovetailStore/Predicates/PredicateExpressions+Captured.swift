public import Foundation

// What our `#Predicate` writes where only the type checker can choose the node. Each function has a
// form for values that Foundation's nodes can hold, `Codable` and `Sendable` ones, which gives the
// type that the toolchain's macro gives, and disfavoured forms for all others, which give one constant:
// a `Value` where its type allows that, and else a `Constant`.

extension PredicateExpressions {
    // MARK: - Members of captured values

    /// A member of a captured value, `user.id`, as a path from it. Written by `#Predicate`.
    public static func build_captured<Root: Codable & Sendable, Value>(
        _ root: Root,
        _ path: any Swift.KeyPath<Root, Value> & Sendable
    ) -> KeyPath<PredicateExpressions.Value<Root>, Value> {
        build_KeyPath(root: PredicateExpressions.Value(root), keyPath: path)
    }

    /// A member of a captured value that no predicate can hold, such as `self`, as one constant.
    /// Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_captured<Root, Value: Codable & Sendable>(
        _ root: Root,
        _ path: Swift.KeyPath<Root, Value>
    ) -> PredicateExpressions.Value<Value> {
        PredicateExpressions.Value(root[keyPath: path])
    }

    /// The same of a value that is not `Codable`. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_captured<Root, Value: Sendable>(
        _ root: Root,
        _ path: Swift.KeyPath<Root, Value>
    ) -> Constant<Value> {
        Constant(root[keyPath: path])
    }

    /// A member of a member of a captured value, `user.team.id`. Written by `#Predicate`.
    public static func build_captured<Root: Codable & Sendable, First, Value>(
        _ root: Root,
        _ first: any Swift.KeyPath<Root, First> & Sendable,
        _ second: any Swift.KeyPath<First, Value> & Sendable
    ) -> KeyPath<KeyPath<PredicateExpressions.Value<Root>, First>, Value> {
        build_KeyPath(root: build_captured(root, first), keyPath: second)
    }

    /// A member of a member of a captured value that no predicate can hold, as one constant. Written
    /// by `#Predicate`.
    @_disfavoredOverload
    public static func build_captured<Root, First, Value: Codable & Sendable>(
        _ root: Root,
        _ first: Swift.KeyPath<Root, First>,
        _ second: Swift.KeyPath<First, Value>
    ) -> PredicateExpressions.Value<Value> {
        PredicateExpressions.Value(root[keyPath: first][keyPath: second])
    }

    /// The same of a value that is not `Codable`. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_captured<Root, First, Value: Sendable>(
        _ root: Root,
        _ first: Swift.KeyPath<Root, First>,
        _ second: Swift.KeyPath<First, Value>
    ) -> Constant<Value> {
        Constant(root[keyPath: first][keyPath: second])
    }

    /// Three members from a captured value, `user.team.city.name`. Written by `#Predicate`.
    public static func build_captured<Root: Codable & Sendable, First, Second, Value>(
        _ root: Root,
        _ first: any Swift.KeyPath<Root, First> & Sendable,
        _ second: any Swift.KeyPath<First, Second> & Sendable,
        _ third: any Swift.KeyPath<Second, Value> & Sendable
    ) -> KeyPath<KeyPath<KeyPath<PredicateExpressions.Value<Root>, First>, Second>, Value> {
        build_KeyPath(root: build_captured(root, first, second), keyPath: third)
    }

    /// Three members from a captured value that no predicate can hold, as one constant. Written by
    /// `#Predicate`.
    @_disfavoredOverload
    public static func build_captured<Root, First, Second, Value: Codable & Sendable>(
        _ root: Root,
        _ first: Swift.KeyPath<Root, First>,
        _ second: Swift.KeyPath<First, Second>,
        _ third: Swift.KeyPath<Second, Value>
    ) -> PredicateExpressions.Value<Value> {
        PredicateExpressions.Value(root[keyPath: first][keyPath: second][keyPath: third])
    }

    /// The same of a value that is not `Codable`. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_captured<Root, First, Second, Value: Sendable>(
        _ root: Root,
        _ first: Swift.KeyPath<Root, First>,
        _ second: Swift.KeyPath<First, Second>,
        _ third: Swift.KeyPath<Second, Value>
    ) -> Constant<Value> {
        Constant(root[keyPath: first][keyPath: second][keyPath: third])
    }

    /// A member of a captured optional that is taken as present, `filter!.id`. Written by
    /// `#Predicate`.
    public static func build_capturedUnwrapped<Root: Codable & Sendable, Value>(
        _ root: Root?,
        _ path: any Swift.KeyPath<Root, Value> & Sendable
    ) -> KeyPath<ForcedUnwrap<PredicateExpressions.Value<Root?>, Root>, Value> {
        build_KeyPath(root: build_ForcedUnwrap(PredicateExpressions.Value(root)), keyPath: path)
    }

    /// A member of a captured optional that no predicate can hold, taken as present where the
    /// predicate is evaluated. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_capturedUnwrapped<Root, Value: Codable & Sendable>(
        _ root: Root?,
        _ path: Swift.KeyPath<Root, Value>
    ) -> ForcedUnwrap<PredicateExpressions.Value<Value?>, Value> {
        build_ForcedUnwrap(PredicateExpressions.Value(root.map { $0[keyPath: path] }))
    }

    /// The same of a value that is not `Codable`. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_capturedUnwrapped<Root, Value: Sendable>(
        _ root: Root?,
        _ path: Swift.KeyPath<Root, Value>
    ) -> ForcedUnwrap<Constant<Value?>, Value> {
        build_ForcedUnwrap(Constant(root.map { $0[keyPath: path] }))
    }

    // MARK: - Chains and arithmetic of captured values

    /// A member of a captured optional, `filter?.id`, as a path from it. Written by `#Predicate`.
    public static func build_capturedChain<Root: Codable & Sendable, Value>(
        _ root: Root?,
        _ path: any Swift.KeyPath<Root, Value> & Sendable
    ) -> OptionalFlatMap<
        PredicateExpressions.Value<Root?>, Root, KeyPath<Variable<Root>, Value>, Value
    > {
        OptionalFlatMap(PredicateExpressions.Value(root)) { build_KeyPath(root: $0, keyPath: path) }
    }

    /// An optional member of a captured optional, `filter?.name`, as a path from it. Written by
    /// `#Predicate`.
    public static func build_capturedChain<Root: Codable & Sendable, Value>(
        _ root: Root?,
        _ path: any Swift.KeyPath<Root, Value?> & Sendable
    ) -> OptionalFlatMap<
        PredicateExpressions.Value<Root?>, Root, KeyPath<Variable<Root>, Value?>, Value
    > {
        OptionalFlatMap(PredicateExpressions.Value(root)) { build_KeyPath(root: $0, keyPath: path) }
    }

    /// A member of a captured optional that no predicate can hold, as one constant. Written by
    /// `#Predicate`.
    @_disfavoredOverload
    public static func build_capturedChain<Root, Value: Codable & Sendable>(
        _ root: Root?,
        _ path: Swift.KeyPath<Root, Value>
    ) -> PredicateExpressions.Value<Value?> {
        PredicateExpressions.Value(root.map { $0[keyPath: path] })
    }

    /// The same of a value that is not `Codable`. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_capturedChain<Root, Value: Sendable>(
        _ root: Root?,
        _ path: Swift.KeyPath<Root, Value>
    ) -> Constant<Value?> {
        Constant(root.map { $0[keyPath: path] })
    }

    /// An optional member of a captured optional that no predicate can hold, as one constant.
    /// Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_capturedChain<Root, Value: Codable & Sendable>(
        _ root: Root?,
        _ path: Swift.KeyPath<Root, Value?>
    ) -> PredicateExpressions.Value<Value?> {
        PredicateExpressions.Value(root.flatMap { $0[keyPath: path] })
    }

    /// The same of a value that is not `Codable`. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_capturedChain<Root, Value: Sendable>(
        _ root: Root?,
        _ path: Swift.KeyPath<Root, Value?>
    ) -> Constant<Value?> {
        Constant(root.flatMap { $0[keyPath: path] })
    }

    /// `limit + 1` of two captured numbers, computed where the predicate is evaluated. Written by
    /// `#Predicate`.
    public static func build_capturedArithmetic<T: Numeric & Codable & Sendable>(
        _ lhs: T,
        _ rhs: T,
        _ result: @autoclosure () -> T,
        _ op: ArithmeticOperator
    ) -> Arithmetic<Value<T>, Value<T>> {
        build_Arithmetic(lhs: Value(lhs), rhs: Value(rhs), op: op)
    }

    /// `day + 60` of captured values that are no two numbers of one type, as one constant. Written
    /// by `#Predicate`.
    @_disfavoredOverload
    public static func build_capturedArithmetic<LHS, RHS, T>(
        _ lhs: LHS,
        _ rhs: RHS,
        _ result: @autoclosure () -> T,
        _ op: ArithmeticOperator
    ) -> Value<T> {
        Value(result())
    }

    // MARK: - Equality of captured values

    /// Whether two captured values are equal, as `mode == 2`. Written by `#Predicate`.
    public static func build_capturedEqual<T: Equatable & Codable & Sendable>(
        _ lhs: T,
        _ rhs: T
    ) -> Equal<Value<T>, Value<T>> {
        build_Equal(lhs: Value(lhs), rhs: Value(rhs))
    }

    /// Whether two captured values are equal that no predicate can hold. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_capturedEqual<T: Equatable>(_ lhs: T, _ rhs: T) -> Value<Bool> {
        Value(lhs == rhs)
    }

    /// Whether a captured value is nil, as `filter == nil`. Written by `#Predicate`.
    public static func build_capturedEqual<T: Equatable & Codable & Sendable>(
        _ lhs: T?,
        _ rhs: _OptionalNilComparisonType
    ) -> Equal<Value<T?>, NilLiteral<T>> {
        build_Equal(lhs: Value(lhs), rhs: NilLiteral())
    }

    /// Whether a captured value that no predicate can hold is nil. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_capturedEqual<T>(
        _ lhs: T?,
        _ rhs: _OptionalNilComparisonType
    ) -> Value<Bool> {
        Value(lhs == nil)
    }

    /// Whether two captured values differ, as `mode != 2`. Written by `#Predicate`.
    public static func build_capturedNotEqual<T: Equatable & Codable & Sendable>(
        _ lhs: T,
        _ rhs: T
    ) -> NotEqual<Value<T>, Value<T>> {
        build_NotEqual(lhs: Value(lhs), rhs: Value(rhs))
    }

    /// Whether two captured values differ that no predicate can hold. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_capturedNotEqual<T: Equatable>(_ lhs: T, _ rhs: T) -> Value<Bool> {
        Value(lhs != rhs)
    }

    /// Whether a captured value is there, as `filter != nil`. Written by `#Predicate`.
    public static func build_capturedNotEqual<T: Equatable & Codable & Sendable>(
        _ lhs: T?,
        _ rhs: _OptionalNilComparisonType
    ) -> NotEqual<Value<T?>, NilLiteral<T>> {
        build_NotEqual(lhs: Value(lhs), rhs: NilLiteral())
    }

    /// Whether a captured value that no predicate can hold is there. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_capturedNotEqual<T>(
        _ lhs: T?,
        _ rhs: _OptionalNilComparisonType
    ) -> Value<Bool> {
        Value(lhs != nil)
    }

    // MARK: - Lists

    /// `["a", "b"].contains($0.name)`: whether a list that is written out has a value. Written by
    /// `#Predicate`.
    public static func build_listContains<Element>(
        _ list: [Element.Output],
        _ element: Element
    ) -> SequenceContains<Value<[Element.Output]>, Element>
    where Element: PredicateExpression, Element.Output: Equatable & Codable & Sendable {
        build_contains(Value(list), element)
    }

    /// The same of values that are not `Codable`. Written by `#Predicate`.
    ///
    /// Without it the compiler does not refuse such a list: it crashes (6.3).
    @_disfavoredOverload
    public static func build_listContains<Element>(
        _ list: [Element.Output],
        _ element: Element
    ) -> SequenceContains<Constant<[Element.Output]>, Element>
    where Element: PredicateExpression, Element.Output: Equatable & Sendable {
        build_contains(Constant(list), element)
    }
}
