/// How to read and write `Element` at the root of a document.
///
/// The default argument of `[any Asset](decoding:as:)` is a macro that is expanded where the call
/// stands, into a call that finds the coding of this type by overload resolution.
public struct ModelTable<Element>: Sendable {
    @usableFromInline package let decodeArray: @Sendable (inout ModelReader) throws -> [Element]
    @usableFromInline let decodeReporting: @Sendable (inout ModelReader) throws -> [Element]
    /// Reads a member of a dictionary; nil for one that is left out.
    @usableFromInline package let decodeMember: @Sendable (inout ModelReader) throws -> Element?
    @usableFromInline let encodeArray: @Sendable ([Element], inout ModelWriter) throws -> Void
    @usableFromInline package let encodeElement:
        @Sendable (Element, inout ModelWriter) throws -> Void
    @usableFromInline package let decodeElements: ElementLoop<Element>

    /// The table of a protocol. Called by generated code, in whose module the closures are
    /// specialized for it.
    @inlinable
    public init<Coding: ModelCoding>(_ coding: Coding.Type) where Coding.Value == Element {
        decodeArray = { try ArrayCoding<Coding>.decode(from: &$0) }
        decodeReporting = { try ArrayCoding<SkippingCoding<Coding>>.decode(from: &$0) }
        decodeMember = { try DictionaryCoding<String, Coding>.decodeMember(from: &$0) }
        encodeArray = { try ArrayCoding<Coding>.encode($0, to: &$1) }
        encodeElement = { try Coding.encode($0, to: &$1) }
        decodeElements = { reader, elements, next in
            while next(&reader) { elements.append(try Coding.decode(from: &reader)) }
        }
    }
}

/// Appends the values that a reader comes to, as long as the last argument moves it to another one:
/// a loop that is specialized for the element, around what is the same for all.
@usableFromInline
package typealias ElementLoop<Element> =
    @Sendable (
        inout ModelReader, inout [Element], (inout ModelReader) -> Bool
    ) throws -> Void

/// Finds the ``ModelTable`` of the element type where a call stands. Used as a default argument.
@freestanding(expression)
public macro _modelTable<Element>() -> ModelTable<Element> =
    #externalMacro(module: "DovetailMacros", type: "ModelTableMacro")
