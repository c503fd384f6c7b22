import Dovetail

// A protocol, one that refines it, and models that conform in different ways.

@ModelProtocol protocol Medium {
    var name: String { get }
    var size: Int { get }
    var caption: String? { get set }
}

extension Medium {
    /// No requirement.
    var isLarge: Bool { size > 100 }
}

@ModelProtocol protocol TimedMedium: Medium {
    var seconds: Double { get }
    var codec: String { get }
}

@Model struct Photo: Medium, Identifiable, Equatable, Sendable {
    var id: Int
    var name: String
    var size: Int
    var caption: String?
    var width: Int
    var tags: [String] = []
}

@Model struct Clip: TimedMedium, Identifiable, Equatable, Sendable {
    var id: Int
    var name: String
    var size: Int
    var caption: String?
    var seconds: Double
    var codec: String
}

@Model struct Tune: Identifiable, Equatable, Sendable {
    var id: String
    @Attribute(name: "the_name") var name: String
    var size: Int
    var caption: String?
    var seconds: Double
    var codec: String
}

extension Tune: TimedMedium {}

// Names that other attributes stand for.

struct BoxID: TypedIdentifier { let rawValue: Int64 }

@ModelProtocol protocol Boxed {
    var boxID: BoxID { get }
    var label: String? { get }
}

@Model struct BoxedCrate: Boxed, Identifiable, Equatable, Sendable {
    @Attribute(satisfies: \(any Boxed).boxID) var id: Int64
    @Attribute(satisfies: \(any Boxed).label) var title: String

    var boxID: BoxID { BoxID(rawValue: id) }
    var label: String? { title }
}

@Model struct BoxedParcel: Boxed, Identifiable, Equatable, Sendable {
    var id: Int
    var boxID: BoxID
    var label: String?
}

/// It computes what no attribute stands for.
@Model struct BoxedBag: Boxed, Identifiable, Equatable, Sendable {
    var id: Int

    var boxID: BoxID { BoxID(rawValue: Int64(id) * 2) }
    var label: String? { "bag" }
}

/// The type of its column is not what the requirement says.
@Model struct BoxedSack: Boxed, Identifiable, Equatable, Sendable {
    var id: Int
    var boxID: BoxID
    @Attribute(satisfies: \(any Boxed).label) var weight: Int

    var label: String? { "\(weight)" }
}

// Requirements whose key paths from `any Refining` are equal, but for their getters.

protocol Unmarked { var title: String { get } }

@ModelProtocol protocol RefinedRoot {
    var first: String { get }
    var second: String { get }
}

@ModelProtocol protocol Refining: RefinedRoot {
    var third: String { get }
    var fourth: String { get }
}

@ModelProtocol protocol Redeclaring: RefinedRoot {
    var second: String { get }
    var third: String { get }
}

@ModelProtocol protocol Mixed: Unmarked, Sendable {
    var own: String { get }
}

@Model struct RefinedRow: Refining, Redeclaring, Mixed, Identifiable, Equatable {
    var id: Int
    var first = "1"
    var second = "2"
    var third = "3"
    var fourth = "4"
    var title = "t"
    var own = "o"
}
