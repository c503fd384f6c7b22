import SwiftDiagnostics
import SwiftSyntax

/// What `#Predicate` and `#Expression` can complain about, at the user's expression, with the
/// remedy.
///
/// What the type checker finds in the closure, it reports before the macro is asked.
/// `Tests/Packages/Refused.swift` has a line for each case that comes past the type checker easily.
enum PredicateProblem: DiagnosticMessage {
    /// `#Predicate(isOpen)`.
    case noClosure
    /// A closure, or a branch of an `if`, without an expression.
    case emptyBody
    /// Something after the one expression.
    case secondStatement
    /// `let`, `var` or `func` in the body.
    case declaration
    /// `switch`.
    case switchExpression
    /// `guard`, `for`, `while` and others.
    case statement(String)
    /// An `if` without `else`.
    case missingElse
    /// `if case`, `if #available`, `if let (a, b)`.
    case condition
    /// `"\($0.name)"`.
    case interpolation
    /// `abs($0.x)`, `Double($0.x)`.
    case globalFunction(String)
    /// `$0.name.trimmed()`.
    case method(String, remedy: String)
    /// An operator that no expression of Foundation's has.
    case operation(String, remedy: String)
    /// `[$0.a, $0.b]`, `($0.a, $0.b)`.
    case collection
    /// `try?` and `try!`.
    case attempt
    /// `f(value!)`, which would stop the program where the predicate is made.
    case trappingCall(String)
    /// `filter ($0)`, where a predicate or a closure is called.
    case closureCall
    /// A closure that takes several values or none.
    case closureParameters
    /// A key path that cannot be written as a closure.
    case keyPath
    /// A closure where a value is expected.
    case closure
    /// `[weak self]`.
    case weakCapture
    /// `#Predicate` in the body of another one.
    case nested(String)
    /// Any other syntax.
    case unsupported

    var message: String {
        switch self {
        case .noClosure: "write the condition as a closure: #Predicate<Model> { $0.name == \"x\" }"
        case .emptyBody: "a predicate needs an expression here; write one, such as true"
        case .secondStatement:
            "a predicate is one expression; join conditions with &&, and compute other values "
                + "before the predicate"
        case .declaration:
            "a predicate cannot declare anything; move the declaration before the predicate, or use "
                + "'if let' for an optional"
        case .switchExpression: "a predicate has no 'switch'; write '?:' or if/else"
        case .statement(let keyword):
            "a predicate has no '\(keyword)'; write one expression, with '?:', if/else or 'if let'"
        case .missingElse: "this 'if' needs an 'else', because a predicate always has a value"
        case .condition:
            "a condition of a predicate is an expression or 'if let name = …'; compare cases with =="
        case .interpolation:
            "a predicate cannot build text from what it tests; compare the parts, or join them with "
                + "== and &&"
        case .globalFunction(let name):
            "a predicate cannot call '\(name)' with what it tests; "
                + (name == "abs"
                    ? "write x < 0 ? -x : x"
                    : name == "max" || name == "min"
                        ? "write a < b ? a : b"
                        : "call it before the predicate, or use operators and members")
        case .method(let name, let remedy):
            "a predicate cannot call '\(name)' on what it tests; \(remedy)"
        case .operation(let name, let remedy):
            "a predicate has no operator '\(name)'; \(remedy)"
        case .collection:
            "a predicate cannot make a collection or a tuple of what it tests; compare the parts, "
                + "joined with || or &&"
        case .attempt: "write 'try' alone; an error of a predicate is thrown where it is evaluated"
        case .trappingCall(let cause):
            "'\(cause)' in this call may stop the program where the predicate is made; compute the "
                + "call before the predicate"
        case .closureCall:
            "a predicate cannot call a closure with what it tests; capture a Predicate and write "
                + "'try name.evaluate($0)'"
        case .closureParameters: "a closure of a predicate takes one value"
        case .keyPath: "this key path cannot be part of a predicate; write a closure"
        case .closure: "a predicate has no value for a closure here; call it before the predicate"
        case .weakCapture: "capture the value that the predicate needs, as in [name = self.name]"
        case .nested(let name):
            "the compiler expands no #\(name) inside of another one; make it before the predicate, and "
                + "write 'try name.evaluate($0)'"
        case .unsupported:
            "a predicate cannot have this expression; compute it before the predicate"
        }
    }

    var diagnosticID: MessageID {
        MessageID(domain: "Dovetail", id: String("\(self)".prefix { $0 != "(" }))
    }

    var severity: DiagnosticSeverity { .error }

    /// The problem at a node of the source.
    func at(_ node: some SyntaxProtocol) -> Diagnostic {
        Diagnostic(node: node, message: self)
    }
}
