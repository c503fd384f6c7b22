import DovetailModel
public import Foundation

/// What the body of an answer turned out to be, when the caller leaves that open.
///
/// The root of the JSON document decides: an object is a `T`, else a dictionary of `T`; an array is
/// an array of `T`. Everything else, and every body that does not decode so, is ``raw(_:)``. Why it
/// does not decode is not told; ``Fetchable/fetchOne(_:using:)`` tells it.
public enum MappingResult<T> {
    /// The body is one value.
    case asSelf(T)
    /// The body is an object whose members are values; `{}` is the empty dictionary unless a `T`
    /// can be made of it.
    case asDictionary([String: T])
    /// The body is an array of values, in the body's order.
    case asArray([T])
    /// The body as it came: empty, not JSON, or JSON that does not map into `T`.
    case raw(Data)
}

extension MappingResult: Sendable where T: Sendable {}
extension MappingResult: Equatable where T: Equatable {}

extension MappingResult where T: Model {
    /// Reads the body once, and an object that is not a `T` a second time.
    init(mapping body: Data) {
        switch JSONRoot(of: body) {
        case .object:
            if let value = try? T(decoding: body, as: .json) {
                self = .asSelf(value)
            } else if let values = try? [String: T](decoding: body, as: .json) {
                self = .asDictionary(values)
            } else {
                self = .raw(body)
            }
        case .array:
            if let values = try? [T](decoding: body, as: .json) {
                self = .asArray(values)
            } else {
                self = .raw(body)
            }
        case .other:
            self = .raw(body)
        }
    }
}

/// What the first character of a document says about the rest (RFC 8259, 2), after a byte order
/// mark and white space.
private enum JSONRoot {
    case object, array, other

    init(of document: Data) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = document.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        let whitespace: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        switch document.dropFirst(start).first(where: { !whitespace.contains($0) }) {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        default: self = .other
        }
    }
}
