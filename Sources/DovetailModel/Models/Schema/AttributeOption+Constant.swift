extension AttributeOption {
    /// A `let` with a value, whose value a document has to hold if it holds one: another one is an
    /// error. Without the option the document's value is passed over.
    ///
    /// ```swift
    /// @Attribute(.constant) let type: String = "push"
    /// ```
    public static let constant = AttributeOption()
}
