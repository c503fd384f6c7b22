/// A property that a model protocol requires, as predicates name it. Made by generated code.
public struct ModelRequirement: Sendable {
    /// The name of the property.
    public let name: String
    /// The property of `any P`.
    public let keyPath: any AnyKeyPath & Sendable

    /// Describes the requirement at `keyPath`.
    ///
    /// ```swift
    /// ModelRequirement("name", \(any Pet).name)
    /// ```
    public init<Root, Value>(_ name: StaticString, _ keyPath: any KeyPath<Root, Value> & Sendable) {
        self.name = name.description
        self.keyPath = keyPath
    }
}

/// The properties that a model protocol requires, with those of the model protocols that it refines:
/// how a key path of `any P` becomes the name of a property, by which each conformer has a column.
///
/// The macro of a protocol sees the requirements in its own body. Of those that it inherits it knows
/// the key paths from `any Parent` only, and a key path from `any P` is a different one. So they are
/// told by what both have in common (`RequirementComponent`).
public struct ModelRequirements: Sendable {
    /// A protocol that is refined, and its requirements; nil for one without `@ModelProtocol`.
    public typealias Parent = (name: String, requirements: ModelRequirements?)

    /// The name of the protocol.
    package let protocolName: String
    private let own: [ModelRequirement]
    private let parents: [Parent]

    /// Describes a protocol. Called by generated code.
    ///
    /// - Parameters:
    ///   - name: The name of the protocol.
    ///   - own: The properties in its body.
    ///   - parents: The protocols that it refines, without those of the standard library.
    public init(of name: String, _ own: [ModelRequirement], inheriting parents: [Parent]) {
        protocolName = name
        self.own = own
        self.parents = parents
    }

    /// The names of all properties that the protocol requires, as far as they are known.
    ///
    /// - Complexity: linear in their number.
    var names: Set<String> { Set((own + ancestors.requirements).map(\.name)) }

    /// What a key path leads to.
    package enum Match: Equatable {
        /// The requirement with a name.
        case requirement(String)
        /// No requirement: a property of an extension, for one.
        case none
        /// One of several requirements, whose key paths are equal.
        case ambiguous([String])
        /// Maybe a requirement of a parent that is no model protocol, with its name.
        case hidden(parent: String)
    }

    /// Finds the requirement that a key path from `any P` leads to.
    ///
    /// Key paths to two requirements may be equal where one of them is inherited: the compiler tells
    /// them by their positions in the tables of their own protocols. Those that have the same getter
    /// are the same, and otherwise nothing is guessed.
    ///
    /// - Complexity: linear in the number of requirements.
    package func match(_ path: AnyKeyPath) -> Match {
        let equal = own.filter { $0.keyPath == path }
        if parents.isEmpty, let only = equal.first { return .requirement(only.name) }
        let component = RequirementComponent(path)
        let same = equal.first { RequirementComponent($0.keyPath).hasGetter(of: component) }
        if let same { return .requirement(same.name) }
        let ancestors = self.ancestors
        if let parent = ancestors.hidden { return .hidden(parent: parent) }
        let type = type(of: path).valueType
        let inherited = ancestors.requirements.filter {
            Swift.type(of: $0.keyPath as AnyKeyPath).valueType == type
                && component.isSame(as: RequirementComponent($0.keyPath))
        }
        let names = Set((equal + inherited).map(\.name)).sorted()
        return names.count > 1 ? .ambiguous(names) : names.first.map { .requirement($0) } ?? .none
    }

    /// The requirements of all protocols that this one refines, and the first of these that is no
    /// model protocol.
    private var ancestors: (requirements: [ModelRequirement], hidden: String?) {
        var found: (requirements: [ModelRequirement], hidden: String?) = ([], nil)
        for parent in parents {
            guard let requirements = parent.requirements else {
                found.hidden = found.hidden ?? parent.name
                continue
            }
            let above = requirements.ancestors
            found.requirements += requirements.own + above.requirements
            found.hidden = found.hidden ?? above.hidden
        }
        return found
    }
}

extension RequirementComponent? {
    fileprivate func isSame(as other: RequirementComponent?) -> Bool {
        guard let self, let other else { return false }
        return self.isSame(as: other)
    }

    fileprivate func hasGetter(of other: RequirementComponent?) -> Bool {
        guard let self, let other else { return false }
        return self.getter == other.getter
    }
}
