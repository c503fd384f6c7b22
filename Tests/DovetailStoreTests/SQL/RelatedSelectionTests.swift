import Dovetail
import StoreTestSupport
import Testing

@Model final class SelectedOwner {
    var city: String?
    var budget: Decimal

    init(_ city: String?, _ budget: Decimal) { (self.city, self.budget) = (city, budget) }
}

@Model final class SelectedPet {
    var age: Int
    var owner: SelectedOwner?

    init(_ age: Int, _ owner: SelectedOwner?) { (self.age, self.owner) = (age, owner) }
}

/// Selections of what rows of another table hold.
@Suite struct RelatedSelectionTests {
    @Test(arguments: StoreKind.allCases, [false, true])
    func `an attribute behind a relationship is selected in every way`(
        kind: StoreKind,
        waits: Bool
    ) throws {
        let context = ModelContext(try kind.container(SelectedPet.self))
        let (bonn, rome) = (SelectedOwner("Bonn", 1.5), SelectedOwner("Rome", 2))
        for (age, owner) in [(1, bonn), (2, rome), (3, bonn), (4, nil)] as [(Int, SelectedOwner?)] {
            context.insert(SelectedPet(age, owner))
        }
        if !waits { try context.save() }
        let groups = try context.select(.value(\SelectedPet.owner?.city), .count())
        #expect(groups.map { "\($0.0 ?? "-") \($0.1)" } == ["- 1", "Bonn 2", "Rome 1"])
        let pairs = try context.select(.value(\SelectedPet.owner?.city), .value(\SelectedPet.age))
        #expect(
            Set(pairs.map { "\($0.0 ?? "-") \($0.1)" }) == ["Bonn 1", "Rome 2", "Bonn 3", "- 4"]
        )
        #expect(try context.max(\SelectedPet.owner?.city) == "Rome")
        #expect(try context.sum(\SelectedPet.owner?.budget) == 5)
        let cities = try context.select(.value(\SelectedPet.owner?.city), distinct: true)
        #expect(Set(cities) == ["Bonn", "Rome", nil])
    }
}
