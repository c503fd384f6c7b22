import SwiftSyntax

extension StoredProperty {
    /// Reports requirements that two properties of a model would stand for: `satisfies:` twice, or
    /// beside a stored property of that name, which fulfils the requirement itself.
    static func checkSatisfied(by properties: [StoredProperty], _ problems: inout Problems) {
        var taken = Set(properties.map(\.plainName))
        for property in properties {
            for requirement in property.attribute.satisfied {
                guard taken.insert(requirement.name).inserted else {
                    problems.add(.requirementTwice(requirement.name), at: requirement.place)
                    continue
                }
            }
        }
    }
}
