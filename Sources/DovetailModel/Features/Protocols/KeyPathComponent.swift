/// One component of a key path, as far as it tells properties from each other.
///
/// The standard library compares whole key paths of one root. What leads through an optional,
/// `\Day.trip?.days`, cannot be put together from parts either, so its components are compared.
///
/// This file reads the memory of key paths, whose layout is that of Swift's stable ABI
/// (`stdlib/public/core/KeyPath.swift` of the toolchain). Its invariants:
///
/// - An object begins with two words of its own and one for the name in Objective-C. A word with the
///   size of the components and flags follows, then the components. Nothing beyond that size is read.
/// - A component begins in a word of its kind and flags. One that is stored has its place in it, or in the four
///   bytes after it. One that is computed has after it what tells it
///   from others, the getter, a setter where a flag says so, and where another one does the size of
///   arguments, a word and the arguments, such as the types that a generic function knows. One for an
///   optional has nothing. Before the next component is the type between both. What is of another kind is
///   not read, and with it none of the key path.
/// - ``isKnownLayout`` compares key paths of which the answers are known; where they differ, no key path
///   has components here.
package struct KeyPathComponent {
    /// What a component does.
    package enum Kind {
        /// It reads a property.
        case property
        /// It reads a stored property of a struct or a class whose layout is known; which one is not told.
        case stored
        /// It goes on where an optional has a value: `?`.
        case chain
        /// It makes the result of the components before it an optional.
        case wrap
        /// It takes the value of an optional: `!`.
        case force
    }

    package let kind: Kind
    /// The kind and the flags.
    let header: UInt32
    /// What tells a property from others of its type: such as its position in the table of a class or
    /// the witness table of a protocol, or the address of its descriptor where the module has a stable
    /// ABI.
    private let identifier: UInt
    /// The address of the function that reads a property. One property of one root has one in an
    /// image.
    let getter: UInt

    /// Whether it reads a property, and is no step of an optional.
    package var isProperty: Bool { kind == .property || kind == .stored }

    /// Whether both are the same property, if they are properties of one type.
    package func isSame(as other: Self) -> Bool {
        kind == .property && other.kind == .property && identifier == other.identifier
            && header & Self.identifierFlags == other.header & Self.identifierFlags
    }

    /// Whether it reads the property at a key path of one component.
    package func reads(_ path: AnyKeyPath) -> Bool {
        guard let own = Self.all(of: path), own.count == 1 else { return false }
        return own[0].isSame(as: self)
    }

    /// The components of a key path; nil for one with a component of another kind, such as an element of a tuple.
    package static func all(of path: AnyKeyPath) -> [Self]? {
        isKnownLayout ? read(path) : nil
    }

    /// The same without asking whether the layout is known.
    static func read(_ path: AnyKeyPath) -> [Self]? {
        #if _pointerBitWidth(_64)
            let start = UnsafeRawPointer(Unmanaged.passUnretained(path).toOpaque())
            return withExtendedLifetime(path) {
                let size = start.load(fromByteOffset: sizePlace, as: UInt32.self) & 0xFF_FFFF
                return read(UnsafeRawBufferPointer(start: start + startPlace, count: Int(size)))
            }
        #else
            return nil
        #endif
    }

    private static func read(_ memory: UnsafeRawBufferPointer) -> [Self]? {
        var components: [Self] = []
        var place = 0
        while place + 4 <= memory.count {
            let header = memory.load(fromByteOffset: place, as: UInt32.self)
            let component: Self
            switch header >> 24 & 0x7F {
            case computedKind:
                var words = header & settableFlag == 0 ? 2 : 3
                guard place + 8 + words * 8 <= memory.count else { return nil }
                if header & argumentsFlag != 0 {
                    let end = place + 8 + words * 8
                    guard end + 16 <= memory.count else { return nil }
                    let size = memory.load(fromByteOffset: end, as: UInt.self) & argumentsMask
                    guard size <= UInt(memory.count - end - 16) else { return nil }
                    words += 2 + (Int(size) + 7) / 8
                }
                component = Self(
                    kind: .property,
                    header: header,
                    identifier: memory.load(fromByteOffset: place + 8, as: UInt.self),
                    getter: memory.load(fromByteOffset: place + 16, as: UInt.self)
                )
                place += 8 + words * 8
            case optionalKind:
                let kinds: [Kind] = [.chain, .wrap, .force]
                guard let kind = kinds.dropFirst(Int(header & 0xFF_FFFF)).first else { return nil }
                component = Self(kind: kind, header: header, identifier: 0, getter: 0)
                place += 4
            case structKind, classKind:
                component = Self(kind: .stored, header: header, identifier: 0, getter: 0)
                place += header & storedPlaceMask == storedPlaceMask ? 8 : 4
            default: return nil
            }
            components.append(component)
            // The type, at the next whole word.
            if place < memory.count { place = (place + 7) / 8 * 8 + 8 }
        }
        return components
    }

    private static let sizePlace = 24
    private static let startPlace = 32
    private static let structKind: UInt32 = 1
    private static let computedKind: UInt32 = 2
    private static let classKind: UInt32 = 3
    private static let storedPlaceMask: UInt32 = 0x007F_FFFF
    private static let optionalKind: UInt32 = 4
    static let argumentsFlag: UInt32 = 0x0008_0000
    private static let argumentsMask: UInt = 0x3FFF_FFFF_FFFF_FFFF
    private static let settableFlag: UInt32 = 0x0040_0000
    /// The kind of component, and of what tells it from others.
    private static let identifierFlags: UInt32 = 0x7F30_0000

    /// Whether key paths to known properties are told apart as they should.
    private static let isKnownLayout: Bool = {
        func paths<Object: Sample>(of type: Object.Type) -> [AnyKeyPath] {
            [\Object.next, \Object.last, \Object.name]
        }
        let known = (paths(of: Sample.self) + paths(of: SmallSample.self)).map(read)
        let chain = read(\Sample.next?.last.name)
        let forced = read(\SmallSample.next!.next?.next)
        let counted = read(\StoredSample.list?.count)
        let count = read(\[Int].count)
        guard let chain, let forced, let counted, let count, count.count == 1,
            counted.map(\.kind) == [.stored, .chain, .property, .wrap],
            counted[2].isSame(as: count[0]),
            chain.map(\.kind) == [.property, .chain, .property, .property, .wrap],
            forced.map(\.kind) == [.property, .force, .property, .chain, .property],
            known.allSatisfy({ $0?.map(\.kind) == [.property] })
        else { return false }
        let own = known.compactMap { $0?.first }
        return chain[0].isSame(as: own[0]) && chain[2].isSame(as: own[1])
            && chain[3].isSame(as: own[2])
            && !chain[0].isSame(as: own[1]) && !chain[2].isSame(as: own[2])
            && forced[0].isSame(as: own[3]) && forced[2].isSame(as: own[0])
            && !forced[0].isSame(as: own[4])
    }()
}

/// Its properties are those that ``KeyPathComponent/isKnownLayout`` knows.
private class Sample {
    var next: Sample? {
        get { nil }
        set {}
    }
    var last: Sample {
        get { self }
        set {}
    }
    var name: String { "" }
}

private final class SmallSample: Sample {}

private struct StoredSample {
    var size = 0
    var list: [Int]?
}
