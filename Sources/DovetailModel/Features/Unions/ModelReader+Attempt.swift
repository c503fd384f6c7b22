extension ModelReader {
    /// Reads a value that may turn out to be another one: after a failure the reader is where it was,
    /// for a second try.
    ///
    /// ```swift
    /// init(modelValue reader: inout ModelReader) throws {
    ///     switch reader.attempt({ try Address(modelValue: &$0) }) {
    ///     case .success(let address): self = .address(address)
    ///     case .failure: self = .text(try String(modelValue: &reader))
    ///     }
    /// }
    /// ```
    ///
    /// The path and the line of a failure count from the value, as they do for elements that are kept
    /// (``UnknownModel``). Elements that were left out inside of a failed try are not reported.
    ///
    /// - Complexity: that of `body`; the error of a failure is found by going over the value once
    ///   more. Where the kind of the value decides, ``peekKind()`` costs nothing of the kind.
    /// - Parameter body: reads one value.
    /// - Returns: what `body` returns or throws.
    public mutating func attempt<Value>(
        _ body: (inout ModelReader) throws -> Value
    ) -> Result<Value, any Error> {
        let tagged = source == .tagged ? state.tagged : nil
        let scope = beginElement()
        do {
            let value = try body(&self)
            endElement(scope)
            return .success(value)
        } catch {
            goBack(to: scope)
            state.tagged = tagged
            return .failure(error)
        }
    }

    /// Goes back to where an element started, and ends it.
    mutating func goBack(to scope: ElementScope) {
        leaveMigrations(above: scope.migrations)
        forgetReports(inside: scope)
        endElement(scope)
        cursor = scope.cursor
        source = scope.source
        remainingDepth = scope.remainingDepth
        state.binary?.pointee.budget = scope.budget
    }
}
