import Dovetail
import StoreTestSupport
import Testing

/// How the requirement that a predicate names becomes a column of each conformer.
@Suite struct RequirementTests {
    @Test func `an attribute stands for a requirement by another name and form`() throws {
        let context = ModelContext(try .inMemory(BoxedCrate.self, BoxedParcel.self))
        context.insert(BoxedCrate(id: 1, title: "a"))
        context.insert(BoxedCrate(id: 2, title: "b"))
        context.insert(BoxedParcel(id: 1, boxID: BoxID(rawValue: 2), label: nil))
        try context.save()
        func ids(_ predicate: Predicate<any Boxed>) throws -> [Int64] {
            let order = [SortDescriptor<any Boxed>(\.label, comparator: .lexical)]
            let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order))
            return found.map(\.boxID.rawValue)
        }
        let wanted = BoxID(rawValue: 2)
        #expect(try ids(#Predicate { $0.boxID == wanted }) == [2, 2])
        #expect(try ids(#Predicate { $0.boxID.rawValue < 2 }) == [1])
        #expect(try ids(#Predicate { $0.label == "a" }) == [1])
        #expect(try ids(#Predicate { $0.label == nil }) == [2])
        #expect(try ids(#Predicate { ($0.label ?? "z") > "a" }) == [2, 2])
    }

    private func error<Value>(
        _ descriptor: FetchDescriptor<Value>,
        by table: RootCoding<Value> = #_rootCoding,
        _ models: any Model.Type...
    ) throws -> String {
        let context = ModelContext(try StoreKind.memory.container(models))
        let error = #expect(throws: QueryError.self) { try context.fetch(descriptor, by: table) }
        return error?.description ?? ""
    }

    @Test func `a requirement that is computed is an error with the remedy`() throws {
        let predicate = #Predicate<any Boxed> { $0.label == "bag" }
        #expect(
            try error(FetchDescriptor(predicate: predicate), BoxedParcel.self, BoxedBag.self)
                == "BoxedBag.label: is computed, so its table has no column for it; name the stored "
                + "property that stands for it: @Attribute(satisfies: \\(any Boxed).label)"
        )
        // What the type decides is not looked at.
        let context = ModelContext(try .inMemory(BoxedParcel.self, BoxedBag.self))
        let parcels = #Predicate<any Boxed> { $0 is BoxedParcel && $0.label == nil }
        #expect(try context.fetch(FetchDescriptor(predicate: parcels)).isEmpty)
    }

    @Test func `a column of another type is an error`() throws {
        let predicate = #Predicate<any Boxed> { $0.label == "1" }
        let text = try error(FetchDescriptor(predicate: predicate), BoxedSack.self)
        #expect(
            text.hasPrefix("BoxedSack.label: is stored as Int, and Boxed requires Optional<String>")
        )
    }

    @Test func `what is no requirement is an error`() throws {
        let predicate = #Predicate<any Medium> { $0.isLarge }
        let text = try error(FetchDescriptor(predicate: predicate), Photo.self)
        #expect(text.contains("is not required by Medium"))
        let order = [SortDescriptor<any Medium>(\.name.count)]
        #expect(
            try error(FetchDescriptor(sortBy: order), Photo.self).contains("required by Medium")
        )
    }

    @Test func `key paths that Swift takes for equal are told apart, or refused`() throws {
        let context = ModelContext(try .inMemory(RefinedRow.self))
        context.insert(RefinedRow(id: 1))
        try context.save()
        func count(_ predicate: Predicate<any Refining>) throws -> Int {
            try context.fetchCount(FetchDescriptor(predicate: predicate))
        }
        #expect(\(any Refining).second == \(any Refining).third)
        #expect(try count(#Predicate { $0.first == "1" }) == 1)
        #expect(try count(#Predicate { $0.third == "3" }) == 1)
        #expect(try count(#Predicate { $0.third == "2" }) == 0)
        #expect(try count(#Predicate { $0.fourth == "4" }) == 1)
        let inherited = #Predicate<any Refining> { $0.second == "2" }
        let text = try error(FetchDescriptor(predicate: inherited), RefinedRow.self)
        #expect(text.contains("Swift makes equal key paths of second and third"))
        let redeclared = #Predicate<any Redeclaring> { $0.second == "2" && $0.third == "3" }
        #expect(try context.fetchCount(FetchDescriptor(predicate: redeclared)) == 1)
    }

    @Test func `requirements of a protocol without the macro are refused`() throws {
        let context = ModelContext(try .inMemory(RefinedRow.self))
        context.insert(RefinedRow(id: 1))
        try context.save()
        let own = #Predicate<any Mixed> { $0.own == "o" }
        #expect(try context.fetchCount(FetchDescriptor(predicate: own)) == 1)
        let hidden = FetchDescriptor<any Mixed>(predicate: #Predicate { $0.title == "t" })
        #expect(try error(hidden, RefinedRow.self).contains("may be required by Unmarked"))
    }

    @Test func `orders by columns of different forms are refused`() throws {
        let order = [SortDescriptor<any Dated>(\.day)]
        let text = try error(FetchDescriptor(sortBy: order), DatedText.self, DatedNumber.self)
        #expect(text.contains("is stored in another form than"))
        let context = ModelContext(try .inMemory(DatedText.self, DatedNumber.self))
        context.insert(DatedText(id: 1, day: Date(timeIntervalSince1970: 5)))
        context.insert(DatedNumber(id: 1, day: Date(timeIntervalSince1970: 6)))
        try context.save()
        let late = Date(timeIntervalSince1970: 5.5)
        let predicate = #Predicate<any Dated> { $0.day > late }
        #expect(try context.fetch(FetchDescriptor(predicate: predicate)).count == 1)
    }
}

@ModelProtocol protocol Dated { var day: Date { get } }
@Model struct DatedText: Dated, Identifiable { var id: Int; var day: Date }
@Model struct DatedNumber: Dated, Identifiable {
    var id: Int
    @Attribute(.transformed(by: SecondsSince1970.self)) var day: Date
}
