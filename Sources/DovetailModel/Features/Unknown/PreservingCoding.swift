/// The coding of `any P` for a protocol with `@ModelProtocol(unknown: .preserve)`.
///
/// The macro writes the conformance. It is a ``ProtocolCoding`` that keeps what it cannot read:
///
/// ```swift
/// let asset = try AssetModel.decode(Data(#"{"$type":"Video"}"#.utf8), as: .json)
/// asset is UnknownAsset                       // true
/// try AssetModel.encode(asset, as: .json)     // {"$type":"Video"}
/// ```
public protocol PreservingCoding: ProtocolCoding {
    /// Makes the value of an element that was kept. Called when reading fails.
    static func unknown(_ element: PreservedElement) -> Value
}

extension PreservingCoding {
    /// Reads a value, or keeps it as it is.
    ///
    /// - Complexity: linear; what cannot be read is gone over once more.
    /// - Throws: ``ModelDecodingError`` only for what is no value of the format.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> Value {
        let scope = reader.beginElement()
        do {
            let value = try conformers.decode(from: &reader)
            reader.endElement(scope)
            return value
        } catch {
            return unknown(try reader.preserve(scope, because: error, tagging: tagging))
        }
    }

    /// Reads a value whose type is known from elsewhere, or keeps it with that name.
    ///
    /// - Parameter name: the name of a type; the value is kept when no conformer has it.
    /// - Complexity: linear; what cannot be read is gone over once more.
    /// - Throws: ``ModelDecodingError`` only for what is no value of the format.
    @inlinable
    public static func decode(
        typeName name: String,
        from reader: inout ModelReader
    ) throws -> Value {
        let scope = reader.beginElement()
        do {
            let value = try conformers.decode(typeName: name, from: &reader)
            reader.endElement(scope)
            return value
        } catch {
            let element = try reader.preserve(
                scope,
                because: error,
                tagging: tagging,
                outerName: name
            )
            return unknown(element)
        }
    }
}
