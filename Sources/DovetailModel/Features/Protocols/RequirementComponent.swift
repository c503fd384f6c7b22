/// What a key path of one component `\(any P).name` keeps of the requirement that it leads to.
///
/// The standard library compares key paths of one root only. A requirement that a protocol inherits
/// has another root in each protocol that refines its own, and the same component.
struct RequirementComponent {
    private let component: KeyPathComponent

    /// The address of the function that reads the property. One property of one root has one in an
    /// image.
    var getter: UInt { component.getter }

    /// The component of a key path; nil for one that leads to no requirement or has several.
    init?(_ path: AnyKeyPath) {
        guard Self.isKnownLayout else { return nil }
        self.init(reading: path)
    }

    private init?(reading path: AnyKeyPath) {
        guard let components = KeyPathComponent.read(path), components.count == 1,
            components[0].kind == .property,
            components[0].header & KeyPathComponent.argumentsFlag == 0
        else { return nil }
        component = components[0]
    }

    /// Whether both lead to one requirement, if they lead to one of the same protocol.
    func isSame(as other: Self) -> Bool {
        component.header == other.component.header && component.isSame(as: other.component)
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
