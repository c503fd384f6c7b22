public import Foundation

// What our `#Predicate` writes where one side is optional and the other is not, so that the type checker
// casts the other one.

extension PredicateExpressions {
    // MARK: - Equality of a value and an optional

    /// `$0.a == $0.b` of two values of one type. Written by `#Predicate`.
    public static func build_EqualOrOptional<LHS, RHS>(lhs: LHS, rhs: RHS) -> Equal<LHS, RHS>
    where
        LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == RHS.Output,
        LHS.Output: Equatable
    {
        build_Equal(lhs: lhs, rhs: rhs)
    }

    /// `$0.a == $0.b` where only `a` is optional: `b` is cast to the optional. Written by
    /// `#Predicate`.
    @_disfavoredOverload
    public static func build_EqualOrOptional<LHS, RHS, T>(
        lhs: LHS,
        rhs: RHS
    ) -> Equal<LHS, ConditionalCast<RHS, T>>
    where
        LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == T?, RHS.Output == T,
        T: Equatable
    {
        build_Equal(lhs: lhs, rhs: ConditionalCast(rhs))
    }

    /// `$0.a == $0.b` where only `b` is optional: `a` is cast to the optional. Written by
    /// `#Predicate`.
    @_disfavoredOverload
    public static func build_EqualOrOptional<LHS, RHS, T>(
        lhs: LHS,
        rhs: RHS
    ) -> Equal<ConditionalCast<LHS, T>, RHS>
    where
        LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == T, RHS.Output == T?,
        T: Equatable
    {
        build_Equal(lhs: ConditionalCast(lhs), rhs: rhs)
    }

    /// `$0.a != $0.b` of two values of one type. Written by `#Predicate`.
    public static func build_NotEqualOrOptional<LHS, RHS>(lhs: LHS, rhs: RHS) -> NotEqual<LHS, RHS>
    where
        LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == RHS.Output,
        LHS.Output: Equatable
    {
        build_NotEqual(lhs: lhs, rhs: rhs)
    }

    /// `$0.a != $0.b` where only `a` is optional: `b` is cast to the optional. Written by
    /// `#Predicate`.
    @_disfavoredOverload
    public static func build_NotEqualOrOptional<LHS, RHS, T>(
        lhs: LHS,
        rhs: RHS
    ) -> NotEqual<LHS, ConditionalCast<RHS, T>>
    where
        LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == T?, RHS.Output == T,
        T: Equatable
    {
        build_NotEqual(lhs: lhs, rhs: ConditionalCast(rhs))
    }

    /// `$0.a != $0.b` where only `b` is optional: `a` is cast to the optional. Written by
    /// `#Predicate`.
    @_disfavoredOverload
    public static func build_NotEqualOrOptional<LHS, RHS, T>(
        lhs: LHS,
        rhs: RHS
    ) -> NotEqual<ConditionalCast<LHS, T>, RHS>
    where
        LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == T, RHS.Output == T?,
        T: Equatable
    {
        build_NotEqual(lhs: ConditionalCast(lhs), rhs: rhs)
    }

    // MARK: - A choice between a value and an optional

    /// `$0.isOpen ? $0.a : $0.b` of two values of one type. Written by `#Predicate`.
    public static func build_ConditionalOrOptional<Test, If, Else>(
        _ test: Test,
        _ first: If,
        _ second: Else
    ) -> Conditional<Test, If, Else>
    where
        Test: PredicateExpression, If: PredicateExpression, Else: PredicateExpression,
        Test.Output == Bool, If.Output == Else.Output
    {
        build_Conditional(test, first, second)
    }

    /// `$0.isOpen ? $0.a : nil`: `a` is cast to the optional. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_ConditionalOrOptional<Test, If, Else, T>(
        _ test: Test,
        _ first: If,
        _ second: Else
    ) -> Conditional<Test, ConditionalCast<If, T>, Else>
    where
        Test: PredicateExpression, If: PredicateExpression, Else: PredicateExpression,
        Test.Output == Bool, If.Output == T, Else.Output == T?
    {
        build_Conditional(test, ConditionalCast(first), second)
    }

    /// `$0.isOpen ? nil : $0.b`: `b` is cast to the optional. Written by `#Predicate`.
    @_disfavoredOverload
    public static func build_ConditionalOrOptional<Test, If, Else, T>(
        _ test: Test,
        _ first: If,
        _ second: Else
    ) -> Conditional<Test, If, ConditionalCast<Else, T>>
    where
        Test: PredicateExpression, If: PredicateExpression, Else: PredicateExpression,
        Test.Output == Bool, If.Output == T?, Else.Output == T
    {
        build_Conditional(test, first, ConditionalCast(second))
    }
}
