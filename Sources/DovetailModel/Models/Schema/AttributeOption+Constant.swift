extension AttributeOption {
    /// A `let` with a value, which a document may leave out but not contradict: another value is a
    /// ``ModelDecodingError`` with the kind `rejected`. Without the option the document's value
    /// is skipped.
    ///
    /// ```swift
    /// @Attribute(.constant) let type: String = "push"
    /// ```
    public static let constant = AttributeOption()
}
