import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// A module that declares no `#Predicate` of its own, with Foundation's beside Dovetail's. With
/// Foundation's tried, each of these bodies is "unable to type-check".
@Suite struct InlinePredicateTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(Sighting.self, FieldSheet.self))
        context.insert(Sighting(id: 1, bird: "wren", site: "weir", count: 2, note: "x", rings: 3))
        context.insert(Sighting(id: 2, bird: "wren", site: nil, count: nil, note: nil, rings: nil))
        try context.save()
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `values are fetched, changed and deleted by many conditions on optionals`(
        kind: StoreKind
    ) throws {
        let context = try context(kind)
        let (bird, site) = ("wren", "weir")
        let both = [SortDescriptor(\Sighting.id)]
        let found = try context.fetch(
            FetchDescriptor<Sighting>(
                predicate: #Predicate {
                    $0.bird == bird && $0.site == site && $0.count == 2 && $0.note == "x"
                        && $0.rings != 4 && $0.state == .seen
                },
                sortBy: both
            )
        ).map(\.id)
        #expect(found == [1])
        let page = FetchDescriptor<Sighting>(
            predicate: #Predicate {
                $0.bird == bird && $0.site != "x" && $0.count != 9 && $0.note != "y"
                    && $0.rings != 4 && $0.state == .seen
            },
            sortBy: both,
            after: nil
        )
        #expect(try context.fetch(page).map(\.id) == [1, 2])
        try context.update(
            Sighting.self,
            where: #Predicate {
                $0.bird == bird && $0.site != site && $0.count == nil && $0.note != "x"
                    && $0.rings == nil && $0.state != .heard
            }
        ) { try $0.set(\.count, 7) }
        try context.save()
        let taken = #Predicate<Sighting> { $0.id > 1 }
        #expect(try context.fetch(FetchDescriptor(predicate: taken)).map(\.count) == [7])
        #expect(
            try context.fetch(FetchDescriptor<Sighting>(predicate: nil, sortBy: both)).count == 2
        )
        try context.synchronize(
            [Sighting](),
            scope: .matching(
                #Predicate {
                    $0.bird == bird && $0.count == 7 && $0.site == nil && $0.note == nil
                        && $0.rings == nil && $0.state == .seen
                }
            )
        )
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Sighting>()).map(\.id) == [1])
        try context.delete(
            model: Sighting.self,
            where: #Predicate {
                $0.bird == bird && $0.site == site && $0.count == 2 && $0.note == "x"
                    && $0.rings == 3 && $0.state == .seen
            }
        )
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Sighting>()) == 0)
        try context.delete(model: Sighting.self)
    }

    @Test(arguments: StoreKind.allCases)
    func `objects are found by many conditions on optionals`(kind: StoreKind) throws {
        let context = try context(kind)
        let (title, place) = ("birds", "weir")
        func sheet() throws -> FieldSheet {
            try FieldSheet.findOrCreate(
                in: context,
                where: #Predicate {
                    $0.title == title && $0.place == place && $0.page == 1 && $0.author == nil
                        && $0.mark == nil
                }
            ) { FieldSheet(title, place, page: 1) }
        }
        let first = try sheet()
        #expect(try sheet() === first)
        let again = try FieldSheet.object(
            in: context,
            where: #Predicate {
                $0.title == title && $0.place == place && $0.page == 1 && $0.author == nil
                    && $0.mark != "a"
            }
        )
        #expect(again === first)
        let sheets = FieldSheets(context: context)
        #expect(try sheets.first(on: place) === first)
        #expect(try sheets.all().count == 1)
        #expect(try FieldSheet.object(in: context) === first)
    }

    /// What cannot be written in the call goes the other way.
    @Test func `a predicate is chosen, negated and evaluated in another one`() throws {
        let context = try context(.memory)
        let wren = #Predicate<Sighting> { $0.bird == "wren" }
        for isAsked in [true, false] {
            let chosen = FetchDescriptor<Sighting>(predicate: isAsked ? wren : nil)
            #expect(try context.fetchCount(chosen) == 2)
        }
        let either = FetchDescriptor<Sighting>(
            predicate: #Predicate { try wren.evaluate($0) && $0.site == "weir" }
        )
        #expect(try context.fetch(either).map(\.id) == [1])
        let none = FetchDescriptor<Sighting>(predicate: .not(wren))
        #expect(try context.fetchCount(none) == 0)
    }
}

@Model enum SightingState: String { case seen, heard }

@Model struct Sighting: Identifiable {
    var id: Int
    var bird: String
    var site: String?
    var count: Int?
    var note: String?
    var rings: Int?
    var state: SightingState? = .seen
}

@Model final class FieldSheet {
    var title: String
    var place: String?
    var page: Int?
    var author: String?
    var mark: String?

    init(_ title: String, _ place: String, page: Int) {
        (self.title, self.place, self.page) = (title, place, page)
    }
}

extension FieldSheet: Entity {}

private struct FieldSheets: Repository {
    typealias Stored = FieldSheet
    let context: any EntityContext

    func first(on place: String) throws -> FieldSheet? {
        try object(
            where: #Predicate {
                $0.place == place && $0.page == 1 && $0.author == nil && $0.mark == nil
                    && $0.title != ""
            }
        )
    }
}
