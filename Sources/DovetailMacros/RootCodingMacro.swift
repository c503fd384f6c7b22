import SwiftSyntax
import SwiftSyntaxMacros

/// `#_rootCoding`: the default of a parameter `by table:`, as in `[any Pet](decoding:as:)`.
///
/// The expansion names no protocol. It is expanded where the call is, with the element type that
/// the call has, so the compiler finds the `_dovetailCoding` of the protocol there.
///
/// ```swift
/// Dovetail::_root({ $0._dovetailCoding })
/// ```
struct RootCodingMacro: ExpressionMacro {
    /// The text is formatted already, and is no syntax that could be.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        RawSource.expression("Dovetail::_root({ $0._dovetailCoding })")
    }
}
