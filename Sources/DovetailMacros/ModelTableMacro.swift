import SwiftSyntax
import SwiftSyntaxMacros

/// `#_modelTable`: a call that overload resolution directs to the table of the element type.
struct ModelTableMacro: ExpressionMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: some FreestandingMacroExpansionSyntax,
        in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        RawSource.expression("Dovetail::_table({ _dovetailCoding($0) })")
    }
}
