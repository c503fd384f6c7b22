import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model struct NumberedBox: Identifiable, Equatable {
    var id: Int
    var size: Int
}

@Model struct NamedBox: Identifiable, Equatable {
    var id: String
    var size: Int
}

@Model struct UniqueBox: Identifiable, Equatable {
    var id: UUID
    var size: Int
}

@Model struct LongBox: Identifiable, Equatable {
    var id: Int64
    var size: Int
}

@Model struct LooseBox { var id: String? }

@Model struct LooseCount { var id: Int? }

/// A model whose `id` is a property like any other: the key is another one.
@Model struct CodedBox: Equatable {
    @Attribute(.primaryKey) var code: String
    var id: Int
    var size: Int
}

/// `#Predicate { $0.id == id }`, which keeps what it says and makes no predicate before somebody asks for one.
@Suite struct IdentityPredicateTests {
    private struct Wanted { let id: Int }

    private let numbered: Int = 2
    private let wanted = Wanted(id: 2)

    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(
            try kind.container(
                NumberedBox.self,
                NamedBox.self,
                UniqueBox.self,
                LongBox.self,
                CodedBox.self
            )
        )
        for number in 1...3 {
            context.insert(NumberedBox(id: number, size: number))
            context.insert(NamedBox(id: "box \(number)", size: number))
            context.insert(LongBox(id: Int64(number), size: number))
        }
        context.insert(contentsOf: [
            CodedBox(code: "a", id: 2, size: 1), CodedBox(code: "b", id: 2, size: 2),
        ])
        try context.save()
        return context
    }

    private func sizes(
        _ descriptor: FetchDescriptor<NumberedBox>,
        _ context: ModelContext
    ) throws -> [Int] {
        let found = try context.fetch(descriptor).map(\.size)
        // The same by the predicate that is made of it.
        var copy = FetchDescriptor(predicate: descriptor.predicate, sortBy: [SortDescriptor(\.id)])
        copy.fetchLimit = descriptor.fetchLimit
        #expect(try context.fetch(copy).map(\.size) == found)
        #expect(try context.fetchCount(descriptor) == found.count)
        return found
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `each way to write it finds the value`(kind: StoreKind, waits: Bool) throws {
        let context = try context(kind)
        if waits { context.update(NumberedBox(id: 1, size: 9)) }
        let (id, missing, one, none): (Int, Int, Int?, Int?) = (2, 7, 2, nil)
        #expect(try sizes(FetchDescriptor(predicate: #Predicate { $0.id == id }), context) == [2])
        #expect(try sizes(FetchDescriptor(predicate: #Predicate { id == $0.id }), context) == [2])
        #expect(try sizes(FetchDescriptor(predicate: #Predicate { $0.id == 2 }), context) == [2])
        let named = FetchDescriptor<NumberedBox>(predicate: #Predicate { box in box.id == id })
        #expect(try sizes(named, context) == [2])
        let typed = FetchDescriptor(predicate: #Predicate<NumberedBox> { $0.id == id })
        #expect(try sizes(typed, context) == [2])
        let parameter = FetchDescriptor(
            predicate: #Predicate { (box: NumberedBox) in box.id == id }
        )
        #expect(try sizes(parameter, context) == [2])
        let own = FetchDescriptor<NumberedBox>(predicate: #Predicate { $0.id == numbered })
        #expect(try sizes(own, context) == [2])
        let member = FetchDescriptor<NumberedBox>(predicate: #Predicate { $0.id == wanted.id })
        #expect(try sizes(member, context) == [2])
        let captured = FetchDescriptor<NumberedBox>(
            predicate: #Predicate { [id = numbered] in $0.id == id }
        )
        #expect(try sizes(captured, context) == [2])
        let absent = FetchDescriptor<NumberedBox>(predicate: #Predicate { $0.id == missing })
        #expect(try sizes(absent, context) == [])
        let optional = FetchDescriptor<NumberedBox>(predicate: #Predicate { $0.id == one })
        #expect(try sizes(optional, context) == [2])
        let nothing = FetchDescriptor<NumberedBox>(predicate: #Predicate { $0.id == none })
        #expect(try sizes(nothing, context) == [])
        var limited = FetchDescriptor<NumberedBox>(predicate: #Predicate { $0.id == id })
        limited.fetchLimit = 0
        #expect(try sizes(limited, context) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `keys of other types are found`(kind: StoreKind) throws {
        let context = try context(kind)
        let box = UniqueBox(id: UUID(), size: 5)
        context.insert(box)
        #expect(
            try context.fetch(FetchDescriptor<UniqueBox>(predicate: #Predicate { $0.id == box.id }))
                == [box]
        )
        try context.save()
        #expect(
            try context.fetch(FetchDescriptor<UniqueBox>(predicate: #Predicate { $0.id == box.id }))
                == [box]
        )
        let (name, number) = ("box 3", Int64(3))
        let named = FetchDescriptor<NamedBox>(predicate: #Predicate { $0.id == name })
        #expect(try context.fetch(named).map(\.size) == [3])
        let long = FetchDescriptor<LongBox>(predicate: #Predicate { $0.id == number })
        #expect(try context.fetch(long).map(\.size) == [3])
        let id = 2
        let coded = FetchDescriptor<CodedBox>(
            predicate: #Predicate { $0.id == id },
            sortBy: [SortDescriptor(\.size)]
        )
        #expect(try context.fetch(coded).map(\.size) == [1, 2])
    }

    /// Both sides are optionals, so the key is none.
    @Test func `an optional id is compared as one`() throws {
        let (text, number, none): (String?, Int?, Int?) = ("b", 0, nil)
        let named = FetchDescriptor<LooseBox>(predicate: #Predicate { $0.id == text })
        let predicate = try #require(named.predicate)
        #expect(try predicate.evaluate(LooseBox(id: "b")))
        #expect(try !predicate.evaluate(LooseBox(id: nil)))
        let counted = FetchDescriptor<LooseCount>(predicate: #Predicate { $0.id == number })
        #expect(try counted.predicate?.evaluate(LooseCount(id: nil)) == false)
        #expect(try counted.predicate?.evaluate(LooseCount(id: 0)) == true)
        let missing = FetchDescriptor<LooseCount>(predicate: #Predicate { $0.id == none })
        #expect(try missing.predicate?.evaluate(LooseCount(id: nil)) == true)
    }

    @Test func `what is made of it is Foundation's predicate`() throws {
        let id = 3
        let descriptor = FetchDescriptor<NumberedBox>(predicate: #Predicate { $0.id == id })
        let predicate = try #require(descriptor.predicate)
        #expect(try predicate.evaluate(NumberedBox(id: 3, size: 0)))
        #expect(try !predicate.evaluate(NumberedBox(id: 4, size: 0)))
        #expect("\(descriptor)".contains("Equal"))
        var other = descriptor
        other.predicate = #Predicate { $0.size == 3 }
        #expect(try other.predicate?.evaluate(NumberedBox(id: 9, size: 3)) == true)
        other.predicate = nil
        #expect(other.predicate == nil)
    }
}
