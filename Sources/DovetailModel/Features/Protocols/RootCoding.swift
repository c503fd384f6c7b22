/// How to read and write `Element` at the root of a document.
///
/// `any Asset` conforms to nothing that the library could ask, so a table says how such elements
/// are read. It is a default argument, which programs leave out:
///
/// ```swift
/// let assets = try [any Asset](decoding: data, as: .json)
/// ```
///
/// The default is the macro `#_rootCoding`. It is expanded at the call, into an expression that
/// finds the coding of the element type by overload resolution. A composition of two model
/// protocols has two codings, so there the program passes a table of ``CompositionCoding``.
public struct RootCoding<Element>: Sendable {
    @usableFromInline package let decodeArray: @Sendable (inout ModelReader) throws -> [Element]
    /// Reads an array without the elements that cannot be read, whatever the protocol's policy.
    @usableFromInline let decodeReporting: @Sendable (inout ModelReader) throws -> [Element]
    /// Reads a member of a dictionary; nil for one that is left out.
    @usableFromInline package let decodeMember: @Sendable (inout ModelReader) throws -> Element?
    @usableFromInline let encodeArray: @Sendable ([Element], inout ModelWriter) throws -> Void
    @usableFromInline package let encodeElement:
        @Sendable (Element, inout ModelWriter) throws -> Void
    /// Reads as many elements of a stream as its window holds.
    @usableFromInline package let decodeElements: ElementLoop<Element>
    /// The conformers and requirements, of which queries are made; nil unless `Element` is `any P` of
    /// one model protocol.
    @usableFromInline package let conformers: ProtocolParts<Element>?

    /// Makes the table of a coding. It is inlined into the module of the caller, where the closures
    /// are specialized for the protocol.
    ///
    /// ```swift
    /// let table = RootCoding(CompositionCoding<VehicleModel, any Vehicle & Insured>.self)
    /// ```
    @inlinable
    public init<Coding: ModelCoding>(_ coding: Coding.Type) where Coding.Value == Element {
        self.init(coding, conformers: nil)
    }

    /// Makes the table of the coding of a model protocol.
    ///
    /// ```swift
    /// let table = RootCoding(PetModel.self)
    /// ```
    @inlinable
    public init<Coding: ProtocolCoding>(_ coding: Coding.Type) where Coding.Value == Element {
        self.init(coding, conformers: { (Coding.conformers, Coding.requirements) })
    }

    @inlinable
    init<Coding: ModelCoding>(_ coding: Coding.Type, conformers: ProtocolParts<Element>?)
    where Coding.Value == Element {
        self.conformers = conformers
        decodeArray = { try ArrayCoding<Coding>.decode(from: &$0) }
        decodeReporting = { try ArrayCoding<SkippingCoding<Coding>>.decode(from: &$0) }
        decodeMember = { try DictionaryCoding<String, Coding>.decodeMember(from: &$0) }
        encodeArray = { try ArrayCoding<Coding>.encode($0, to: &$1) }
        encodeElement = { try Coding.encode($0, to: &$1) }
        decodeElements = { reader, elements, next in
            while next(&reader, elements.count) {
                if Coding.skipsUnknown {
                    let element = try reader.element { try Coding.decode(from: &$0) }
                    if let element { elements.append(element) }
                } else {
                    elements.append(try Coding.decode(from: &reader))
                }
            }
        }
    }
}

/// Appends the values that a reader comes to, as long as the last argument moves it to another one, which
/// is told how many there are: a loop that is specialized for the element, around what is the same for all.
@usableFromInline
package typealias ElementLoop<Element> =
    @Sendable (
        inout ModelReader, inout [Element], (inout ModelReader, Int) -> Bool
    ) throws -> Void

/// What a model protocol consists of: its conformers and its requirements.
@usableFromInline
package typealias ProtocolParts<Element> =
    @Sendable () -> (table: ConformerTable<Element>, requirements: ModelRequirements)

/// Finds the ``RootCoding`` of the element type at a call. Only default arguments use it.
@freestanding(expression)
public macro _rootCoding<Element>() -> RootCoding<Element> =
    #externalMacro(module: "DovetailMacros", type: "RootCodingMacro")
