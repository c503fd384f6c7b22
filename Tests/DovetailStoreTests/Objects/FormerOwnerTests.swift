import Dovetail
import StoreTestSupport
import Testing

private struct FormerMoney: Codable, Equatable { var cents: Int }

@Model private final class FormerCart {
    var name: String
    // Nobody can make an object of this class without a value for it.
    var total = FormerMoney(cents: 0)
    @Relationship(deleteRule: .cascade, inverse: \FormerLine.cart) var lines: [FormerLine] = []
    @Relationship(inverse: \FormerNote.cart) var notes: [FormerNote] = []
    @Relationship(deleteRule: .cascade, inverse: \FormerSeal.cart) var seal: FormerSeal?

    init(_ name: String) { self.name = name }
}

@Model private final class FormerLine {
    var text: String
    var cart: FormerCart
    var label: String { "\(text) in \(cart.name)" }

    init(_ text: String, _ cart: FormerCart) { (self.text, self.cart) = (text, cart) }
}

@Model private final class FormerNote {
    var cart: FormerCart
    init(_ cart: FormerCart) { self.cart = cart }
}

@Model private final class FormerSeal {
    var cart: FormerCart
    init(_ cart: FormerCart) { self.cart = cart }
}

/// What was taken out of the relationship of an object that it cannot be without.
@Suite struct FormerOwnerTests {
    private func context(_ kind: StoreKind) throws -> (ModelContext, FormerCart) {
        let context = ModelContext(
            try kind.container(
                FormerCart.self,
                FormerLine.self,
                FormerNote.self,
                FormerSeal.self
            )
        )
        let cart = FormerCart("weekly")
        context.insert(cart)
        _ = (FormerLine("milk", cart), FormerLine("tea", cart), FormerSeal(cart))
        try context.save()
        return (context, cart)
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `it still leads to the last one`(_ kind: StoreKind, isReadBefore: Bool) throws {
        var (context, cart) = try context(kind)
        if !isReadBefore {
            context = ModelContext(context.container)
            cart = try #require(try context.fetch(FetchDescriptor<FormerCart>()).first)
        }
        let milk = try #require(cart.lines.first)
        let seal = try #require(cart.seal)
        cart.lines.removeFirst()
        cart.seal = nil
        #expect(milk.label == "milk in weekly")
        #expect(seal.cart === cart)
        try context.save()
        #expect(milk.isDeleted && seal.isDeleted)
        #expect(milk.label == "milk in weekly")
        #expect(seal.cart.name == "weekly")
        #expect(cart.lines.map(\.label) == ["tea in weekly"])
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `it does so after a transaction that throws`(_ kind: StoreKind, saves: Bool) throws {
        let (context, cart) = try context(kind)
        let milk = cart.lines.removeFirst()
        #expect(throws: CancellationError.self) {
            try context.transaction {
                milk.text = "cheese"
                if saves { try context.save() }
                throw CancellationError()
            }
        }
        #expect(milk.label == "milk in weekly" && milk.cart === cart)
        try context.save()
        #expect(milk.isDeleted && milk.label == "milk in weekly")
    }

    @Test(arguments: StoreKind.allCases)
    func `a new one leads to it, and one that is given back, moved or refused`(
        _ kind: StoreKind
    ) throws {
        let (context, cart) = try context(kind)
        let new = FormerLine("new", cart)
        cart.lines.removeAll()
        #expect(new.label == "new in weekly")
        context.rollback()
        #expect(new.label == "new in weekly" && new.modelContext == nil)
        #expect(cart.lines.map(\.label) == ["milk in weekly", "tea in weekly"])

        let other = FormerCart("monthly")
        let tea = cart.lines.removeLast()
        #expect(tea.label == "tea in weekly")
        other.lines.append(tea)
        #expect(tea.label == "tea in monthly")
        context.insert(other)
        try context.save()
        #expect(tea.label == "tea in monthly")

        let note = FormerNote(cart)
        try context.save()
        cart.notes = []
        #expect(note.cart === cart)
        #expect(throws: StoreError.self) { try context.save() }
        #expect(note.cart === cart)
        context.rollback()
        #expect(cart.notes.map(ObjectIdentifier.init) == [ObjectIdentifier(note)])
    }
}
