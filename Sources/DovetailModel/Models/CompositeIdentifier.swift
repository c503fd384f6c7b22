/// The identifier of a model whose key is several properties. Generated code makes the `ID` conform that it writes;
/// one of your own needs only members with the names of the properties.
public protocol CompositeIdentifier {
    /// The values of the key's properties, in their order.
    ///
    /// - Complexity: O(number of properties).
    var _parts: [Any] { get }
}
