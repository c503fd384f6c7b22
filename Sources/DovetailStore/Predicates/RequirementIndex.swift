package import DovetailModel

/// Finds the names of the requirements that key paths of `any P` lead to, for the translators of all
/// conformers of P.
///
/// To compare two key paths takes longer than the rest of a translation, so it keeps what it found by
/// the identity of the objects: a literal in the source is one object. It belongs to one context.
package final class RequirementIndex {
    private let requirements: ModelRequirements
    /// The key paths are held, so that their identities stay their own.
    private var known: [ObjectIdentifier: (path: AnyKeyPath, match: ModelRequirements.Match)] = [:]
    /// Key paths that are made at run time are not kept without an end.
    private static let mostKnown = 256

    /// Makes an index that knows nothing yet.
    package init(_ requirements: ModelRequirements) {
        self.requirements = requirements
    }

    /// The name of the protocol.
    package var protocolName: String { requirements.protocolName }

    /// The name of the requirement that a key path leads to.
    ///
    /// - Complexity: linear in the number of requirements the first time, then O(1).
    /// - Throws: ``QueryError`` for what is no requirement, or cannot be told from others.
    func name(of path: AnyKeyPath) throws -> String {
        let identifier = ObjectIdentifier(path)
        let match = known[identifier]?.match ?? requirements.match(path)
        if known.count >= Self.mostKnown { known.removeAll() }
        known[identifier] = (path, match)
        let explanation: String
        switch match {
        case .requirement(let name): return name
        case .none:
            explanation =
                "is not required by \(protocolName), so stores have no column for it; declare it in "
                + "the body of the protocol, or cast to a model"
        case .ambiguous(let names):
            explanation =
                "Swift makes equal key paths of \(names.joined(separator: " and ")); declare those "
                + "that \(protocolName) inherits in its body, too"
        case .hidden(let parent):
            explanation =
                "may be required by \(parent), which is no model protocol; put @ModelProtocol on it, "
                + "or declare the property in the body of \(protocolName), too"
        }
        throw QueryError(
            expression: "a property of any \(protocolName) of type \(type(of: path).valueType)",
            explanation: explanation
        )
    }
}
