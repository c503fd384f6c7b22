/// How documents say which case of an enum without a raw type a value is.
///
/// ```swift
/// @Model(tagging: .untagged) enum Recipient { case id(String), person(Person), many([Recipient]) }
/// try [Recipient](decoding: Data(#"["x",{"name":"Ann"}]"#.utf8), as: .json)
/// ```
public enum CaseTagging: Sendable {
    /// By the name of the one field around the values: `{"id":{"_0":"x"}}`.
    case external
    /// By nothing but the value. The kind of the value says which cases can be meant; then come those
    /// whose required fields an object has, arrays by their first element; the rest in the order of the
    /// declaration. The error of a value that is none of them says of each case why not.
    ///
    /// Put the case that wants more before the one that wants less, as the first that can be read is
    /// taken.
    case untagged
}
