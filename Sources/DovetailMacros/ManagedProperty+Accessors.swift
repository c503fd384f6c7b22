import DovetailSyntax

// The accessors of a property of a class whose instances a context keeps, and the storage behind
// them.
//
// ```swift
// private var _title: String
// var title: String {
//     @storageRestrictions(initializes: _title)
//     init(initialValue) { _title = initialValue }
//     get {
//         _$willRead(\.title)
//         return _title
//     }
//     …
// }
// ```

extension ManagedProperty {
    /// The name of the storage.
    private var storage: String { "_" + plainName }

    /// Whether the storage is an optional of the type: a relationship stores nothing in it.
    private var isBoxed: Bool { mayBeRelationship && !isOptional }

    /// The declaration of the storage.
    var storageDeclaration: String {
        var line = "private var \(storage)"
        if let type { line += ": " + (isBoxed ? "Swift::Optional<\(type)>" : type) }
        if let initialValue {
            let isInferred = isBoxed && type == nil
            line += " = " + (isInferred ? "Swift::Optional(\(initialValue))" : initialValue)
        }
        if observers.isEmpty || mayBeRelationship { return line }
        return SourceText.at(depth: 0) { source in
            source.block(line) { source in
                for observer in observers {
                    // With a parameter, what was is copied before the value is changed in place.
                    let parameter = observer.usesParameter ? "(\(observer.parameter))" : ""
                    source.block(observer.name + parameter) {
                        $0.line("guard _$beginObserving(\(literal)) else { return }")
                        $0.line("defer { _$endObserving(\(literal)) }")
                        $0.statements(observer.body)
                    }
                }
            }
        }
    }

    /// The accessors, in braces where the declaration has none of its own.
    ///
    /// - Parameter attribute: `@_ManagedProperty`, with the slot of what may be a relationship.
    func accessors(attribute: String) -> String {
        let text = SourceText.at(depth: 1) { source in
            if let open = attribute.firstIndex(of: "("), let close = attribute.lastIndex(of: ")") {
                writeRelationship(attribute[open..<close].dropFirst(), to: &source)
            } else {
                writeAttribute(to: &source)
            }
        }
        return observers.isEmpty ? "{\n\(text)\n}" : text
    }

    /// The name of the property as a literal.
    private var literal: String { RawSource.literal(plainName) }

    private func writeInitializer(to source: inout SourceText) {
        source.line("@storageRestrictions(initializes: \(storage))")
        source.block("init(initialValue)") { $0.line("\(storage) = initialValue") }
    }

    private func writeAttribute(to source: inout SourceText) {
        let path = "\\.\(name)"
        // A value that was left out comes before it is seen.
        let coming = "if let value = _$deferred(\(path)) { \(storage) = value }"
        writeInitializer(to: &source)
        source.block("get") {
            $0.line("_$willRead(\(path))")
            if isDeferrable { $0.line(coming) }
            $0.line("return \(storage)")
        }
        source.block("set") {
            $0.line("let path = \(isDeferrable ? "_$willReplace" : "_$willChange")(\(path))")
            $0.line("\(storage) = newValue")
            $0.line("_$didChange(path)")
        }
        guard isChangedInPlace else { return }
        source.block("_modify") {
            if isDeferrable { $0.line(coming) }
            $0.line("let path = _$willChange(\(path))")
            $0.line("defer { _$didChange(path) }")
            $0.line("yield &\(storage)")
        }
    }

    private func writeRelationship(_ slot: Substring, to source: inout SourceText) {
        let path = "\\.\(name)"
        // Overload resolution tells objects from attributes, but not `any P` from either.
        func call(_ function: String) -> String {
            isOfProtocol
                ? "_$any" + function.prefix(1).uppercased() + function.dropFirst()
                : "_$" + function
        }
        writeInitializer(to: &source)
        source.block("get") { $0.line("\(call("value"))(\(path), \(storage), \(slot))") }
        let old = "\(call("value"))(\(path), \(storage), \(slot))"
        source.block("set") {
            writeObservers(old: old, to: &$0)
            $0.line("\(storage) = \(call("set"))(newValue, \(path), \(slot))")
            writeEnd(to: &$0)
            $0.line("_$didChange(\(path))")
        }
        guard isChangedInPlace else { return }
        source.block("_modify") {
            $0.line("var value = \(call("taken"))(\(path), \(storage), \(slot))")
            // What the storage still holds, too, would be copied by the change.
            if observers.isEmpty {
                $0.line("\(storage) = \(isOfProtocol ? "nil" : "_$lent(\(storage))")")
            }
            $0.block("defer") {
                writeObservers(old: old, new: "value", to: &$0)
                $0.line("\(storage) = \(call("kept"))(value, \(slot))")
                writeEnd(to: &$0)
                $0.line("_$didChange(\(path))")
            }
            $0.line("yield &value")
        }
    }

    // The storage of a relationship says nothing of what it was and will be, so its observers are called here.

    /// Writes the observers as functions, and calls the one of what will be.
    ///
    /// - Parameters:
    ///   - old: What reads the property.
    ///   - new: What it will be.
    private func writeObservers(old: String, new: String = "newValue", to source: inout SourceText)
    {
        if observers.isEmpty { return }
        source.line("let isObserved = _$beginObserving(\(literal))")
        for observer in observers {
            let isOld = observer.name == "didSet"
            let parameter =
                isOld && !observer.usesParameter ? "" : "_ \(observer.parameter): \(type ?? "")"
            source.block("func \(observer.name)(\(parameter))") { $0.statements(observer.body) }
            if isOld, observer.usesParameter {
                source.line("let oldValue: \(type ?? "")? = isObserved ? \(old) : nil")
            }
        }
        if observers.contains(where: { $0.name == "willSet" }) {
            source.line("if isObserved { willSet(\(new)) }")
        }
    }

    /// Calls the observer of what was, and lets them be called again.
    private func writeEnd(to source: inout SourceText) {
        if observers.isEmpty { return }
        source.block("if isObserved") {
            for observer in observers where observer.name == "didSet" {
                $0.line(
                    observer.usesParameter
                        ? "if let oldValue { didSet(oldValue) }" : "didSet()"
                )
            }
            $0.line("_$endObserving(\(literal))")
        }
    }
}
