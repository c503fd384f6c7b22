import Dovetail
import StoreTestSupport
import Testing

@ModelProtocol protocol Twig { var id: Int { get } }

@Model class WoodTwig: Twig {
    @Attribute(.primaryKey) var id: Int
    init(id: Int) { self.id = id }
}

/// It cannot say that it conforms: that would be said twice.
@Model class LeafTwig: WoodTwig {
    var leaves = 1
    override init(id: Int) { super.init(id: id) }
}

@Model final class BudTwig: LeafTwig {
    var isOpen = true
    override init(id: Int) { super.init(id: id) }
}

@Model struct TwigRow: Identifiable {
    var id: Int
    var twig: any Twig
    var others: [any Twig] = []
}

@Model final class TwigHolder {
    var twig: (any Twig)?
    init() {}
}

/// Classes that inherit from one that conforms to a model protocol, as values of that.
@Suite struct InheritedConformerTests {
    private var twigs: [any Twig] {
        let leaf = LeafTwig(id: 2)
        leaf.leaves = 5
        return [WoodTwig(id: 1), leaf, BudTwig(id: 3)]
    }

    private func words(_ twigs: [any Twig]) -> [String] {
        twigs.map { "\(type(of: $0)) \($0.id) \(($0 as? LeafTwig)?.leaves ?? 0)" }
    }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `documents have them under their own names`(format: ModelFormat) throws {
        let data = try twigs.encoded(as: format)
        #expect(words(try [any Twig](decoding: data, as: format)) == words(twigs))
        let row = try TwigRow(id: 1, twig: twigs[2], others: twigs).encoded(as: format)
        let back = try TwigRow(decoding: row, as: format)
        #expect(words([back.twig] + back.others) == words([twigs[2]] + twigs))
    }

    @Test(arguments: StoreKind.allCases)
    func `rows and attributes hold them`(kind: StoreKind) throws {
        let container = try kind.container(TwigRow.self, TwigHolder.self)
        let context = ModelContext(container)
        context.insert(TwigRow(id: 1, twig: twigs[1], others: twigs))
        let holder = TwigHolder()
        holder.twig = twigs[2]
        context.insert(holder)
        try context.save()
        let other = ModelContext(container)
        let row = try #require(try other.fetch(TwigRow.self, id: 1))
        #expect(words([row.twig] + row.others) == words([twigs[1]] + twigs))
        let held = try #require(try other.fetch(FetchDescriptor<TwigHolder>()).first?.twig)
        #expect(words([held]) == words([twigs[2]]))
    }
}

@Model final class SharedEnd {
    var side: SharedSide?
    init() {}
}

@Model final class SharedSide {
    @Relationship(inverse: \SharedEnd.side) var first: [SharedEnd] = []
    @Relationship(inverse: \SharedEnd.side) var second: [SharedEnd] = []
    init() {}
}

@Suite struct SharedInverseTests {
    @Test func `two relationships with one inverse are refused`() {
        let error = #expect(throws: StoreError.self) {
            _ = try StoreKind.memory.container(SharedSide.self, SharedEnd.self)
        }
        #expect(error?.kind == .invalidSchema)
        #expect(
            error?.explanation
                == "first and second of SharedSide have the same inverse, side of SharedEnd; each needs one "
                + "of its own"
        )
    }
}
