/// What a key path of one component `\(any P).name` keeps of the requirement that it leads to.
///
/// The standard library compares key paths of one root only. A requirement that a protocol inherits
/// has another root in each protocol that refines its own, and the same component.
///
/// This file reads the memory of key paths, whose layout is that of Swift's stable ABI
/// (`stdlib/public/core/KeyPath.swift` of the toolchain). Its invariants:
///
/// - An object begins with two words of its own and one for the name in Objective-C. A word with the
///   size of the components and flags follows, then the components. Nothing beyond that size is read.
/// - A component that is computed begins with a word of its kind and flags, then what tells it from
///   others, then the getter. ``isKnownLayout`` compares key paths of which the answers are known;
///   where they differ, no key path has a component here.
struct RequirementComponent {
    /// The kind and the flags.
    private let header: UInt32
    /// What tells the requirement from others of its protocol: its position in the witness table, or
    /// the address of its descriptor where the protocol's module has a stable ABI.
    private let identifier: UInt
    /// The address of the function that reads the property. One property of one root has one in an
    /// image.
    let getter: UInt

    /// The component of a key path; nil for one that leads to no requirement or has several.
    init?(_ path: AnyKeyPath) {
        guard Self.isKnownLayout else { return nil }
        self.init(reading: path)
    }

    private init?(reading path: AnyKeyPath) {
        #if _pointerBitWidth(_64)
            let start = UnsafeRawPointer(Unmanaged.passUnretained(path).toOpaque())
            let component: Self? = withExtendedLifetime(path) {
                let size = start.load(fromByteOffset: Self.sizePlace, as: UInt32.self) & 0xFF_FFFF
                let header = start.load(fromByteOffset: Self.headerPlace, as: UInt32.self)
                // 24 bytes with a getter, 32 with a setter; without arguments of a subscript.
                guard size == 24 || size == 32, header >> 24 & 0x7F == Self.computedKind,
                    header & Self.argumentsFlag == 0
                else { return nil }
                return Self(
                    header: header,
                    identifier: start.load(fromByteOffset: Self.headerPlace + 8, as: UInt.self),
                    getter: start.load(fromByteOffset: Self.headerPlace + 16, as: UInt.self)
                )
            }
            guard let component else { return nil }
            self = component
        #else
            return nil
        #endif
    }

    private init(header: UInt32, identifier: UInt, getter: UInt) {
        self.header = header
        self.identifier = identifier
        self.getter = getter
    }

    private static let sizePlace = 24
    private static let headerPlace = 32
    private static let computedKind: UInt32 = 2
    private static let argumentsFlag: UInt32 = 0x0008_0000

    /// Whether both lead to one requirement, if they lead to one of the same protocol.
    func isSame(as other: Self) -> Bool {
        header == other.header && identifier == other.identifier
    }

    /// Whether key paths to known requirements are told apart as they should.
    private static let isKnownLayout: Bool = {
        let (first, second) = (\(any Sample).first, \(any Sample).second)
        let inherited = [\(any RefinedSample).first, \(any RefinedSample).second]
        guard let one = Self(reading: first), let two = Self(reading: second),
            let three = Self(reading: inherited[0]), let four = Self(reading: inherited[1]),
            let third = Self(reading: \(any RefinedSample).third)
        else { return false }
        return one.isSame(as: three) && two.isSame(as: four) && !one.isSame(as: two)
            && !one.isSame(as: third) && one.getter != two.getter && three.getter != four.getter
            && Self(reading: \(any Sample).first)?.getter == one.getter
            && Self(reading: \(any Sample).first.count) == nil
    }()
}

/// Its requirements are those that ``RequirementComponent/isKnownLayout`` knows.
private protocol Sample {
    var first: String { get }
    var second: String { get }
}

private protocol RefinedSample: Sample {
    var third: String { get set }
}
