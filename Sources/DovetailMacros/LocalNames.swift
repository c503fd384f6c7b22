import DovetailSyntax

/// Names of variables in generated code, made of the names of the properties that they are for, so
/// that *Expand Macro* shows code that people can read.
///
/// Slots begin with an underscore, and other variables begin with a word or with the name of a
/// property. So no slot hides another variable, unless the name of a property begins with an
/// underscore itself.
enum LocalNames {
    /// The variable that holds what was read of a property or of a value of a case.
    static func slot(_ name: String) -> String { identifier("_" + name) }

    /// The constant with the value of a property, its default included.
    static func value(_ name: String) -> String { identifier(name + "Value") }

    /// The name of a nested object, of the names on its path: `ProfileAvatar1` of `profile.avatar`.
    ///
    /// - Parameters:
    ///   - path: The names from the outside to the inside.
    ///   - index: The number of the object in its model. It tells apart objects whose names are the
    ///     same without the characters that no identifier has; a plain name of one component needs
    ///     none.
    static func object(_ path: [String], _ index: Int) -> String {
        let plain = path.map { $0.filter { $0.isASCII && ($0.isLetter || $0.isNumber) } }
        let isExact = zip(path, plain).allSatisfy { $0 == $1 && !$0.isEmpty }
        let words = plain.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return words.joined() + (isExact && path.count == 1 ? "" : "\(index)")
    }

    /// A name, in backticks where it needs them. Keywords need none here: the callers add to them.
    private static func identifier(_ name: String) -> String {
        isWord(name) ? name : "`\(name)`"
    }

    /// Whether a name consists of characters of an identifier. Bytes above ASCII count as such; a
    /// digit may not come first.
    static func isWord(_ name: String) -> Bool {
        let isWord = name.utf8.allSatisfy {
            $0 == 0x5F || $0 >= 0x80 || 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 & 0xDF
        }
        return isWord && !(name.utf8.first.map { 0x30...0x39 ~= $0 } ?? true)
    }
}

extension StoredProperty {
    /// The variable that generated code reads the property into.
    var slot: String { LocalNames.slot(plainName) }
}

extension EnumCase.Value {
    /// The variable that generated code reads the value into, and binds it to when it is written.
    func slot(at index: Int) -> String {
        LocalNames.slot(label.map { $0.filter { $0 != "`" } } ?? "\(index)")
    }
}
