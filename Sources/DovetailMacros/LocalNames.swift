import DovetailSyntax

/// Names of variables in generated code, after the fields that they are for.
///
/// Slots begin with an underscore and no other variable does, so that none of them hides another
/// one, however fields are named.
enum LocalNames {
    /// The variable that holds what was read of a property or of a value of a case.
    static func slot(_ name: String) -> String { identifier("_" + name) }

    /// The constant with the value of a property, its default included.
    static func value(_ name: String) -> String { identifier(name + "Value") }

    /// A name of several objects that lie in each other, by the path of their fields.
    ///
    /// - Parameter index: tells objects apart whose names are no identifiers.
    static func object(_ path: [String], _ index: Int) -> String {
        let plain = path.map { $0.filter { $0.isASCII && ($0.isLetter || $0.isNumber) } }
        let isExact = zip(path, plain).allSatisfy { $0 == $1 && !$0.isEmpty }
        let words = plain.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return words.joined() + (isExact && path.count == 1 ? "" : "\(index)")
    }

    private static func identifier(_ name: String) -> String {
        isWord(name) ? name : "`\(name)`"
    }

    /// Whether a name needs no backticks for its characters.
    static func isWord(_ name: String) -> Bool {
        let isWord = name.utf8.allSatisfy {
            $0 == 0x5F || $0 >= 0x80 || 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 & 0xDF
        }
        return isWord && !(name.utf8.first.map { 0x30...0x39 ~= $0 } ?? true)
    }
}

extension StoredProperty {
    /// The variable that generated code reads it into.
    var slot: String { LocalNames.slot(plainName) }
}

extension EnumCase.Value {
    /// The variable that generated code reads it into, and binds it to when it is written.
    func slot(at index: Int) -> String {
        LocalNames.slot(label.map { $0.filter { $0 != "`" } } ?? "\(index)")
    }
}
