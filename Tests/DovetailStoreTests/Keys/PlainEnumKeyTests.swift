import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Keys of enums that are `Codable` and no models.
struct PlainEnumKeyTests {
    @Test(arguments: StoreKind.allCases)
    func `an enum is a key`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container([Shade.self]))
        let rows = [Shade(id: .red, depth: 1), Shade(id: .green, depth: 2)]
        #expect(try context.synchronize(rows).inserted.count == 2)
        try context.save()
        #expect(try context.fetch(Shade.self, id: .green) == rows[1])
        #expect(try context.fetch(Shade.self, id: .blue) == nil)
        let red = FetchDescriptor<Shade>(predicate: #Predicate { $0.id == .red })
        #expect(try context.fetch(red) == [rows[0]])
        context.upsert(Shade(id: .red, depth: 3))
        context.delete(rows[1])
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Shade>()) == [Shade(id: .red, depth: 3)])
        context.insert(Shade(id: .red, depth: 4))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
    }

    @Test(arguments: StoreKind.allCases)
    func `rows refer to an enum`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container([Shade.self, Stroke.self]))
        context.insert(contentsOf: [Shade(id: .red, depth: 1), Shade(id: .green, depth: 2)])
        context.insert(contentsOf: [Stroke(id: 1, shade: .red), Stroke(id: 2, shade: .green)])
        try context.save()
        let strokes = [Stroke(id: 1, shade: .red), Stroke(id: 3, shade: .red)]
        try context.synchronize(strokes, scope: .matching(#Predicate { $0.shade == .red }))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Stroke>()) == 3)
        context.insert(Stroke(id: 4, shade: .blue))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .foreignKeyViolation)
    }

    @Test(arguments: StoreKind.allCases)
    func `an enum is a part of a key`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container([Swatch.self]))
        var rows = [Color.red, .green, .blue].flatMap { color in
            [Level.low, .high].map { Swatch(color: color, level: $0, name: "\(color) \($0)") }
        }
        try context.synchronize(rows)
        try context.save()
        for row in rows.shuffled() {
            #expect(try context.fetch(Swatch.self, id: row.id) == row)
        }
        let gone = rows.remove(at: 3)
        rows[0].name = "other"
        let changes = try context.synchronize(rows)
        try context.save()
        #expect(changes.deleted == [gone.id] && changes.updated == [rows[0].id])
        #expect(changes.unchanged == 4)
        let plan = try context.plan(rows.dropLast())
        #expect(plan.deleted.count == 1 && plan.inserted.isEmpty)
        try context.apply(plan, of: rows.dropLast())
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Swatch>()) == 4)
        let low = FetchDescriptor<Swatch>(predicate: #Predicate { $0.level == .low })
        #expect(Set(try context.fetch(low).map(\.color)) == [.red, .green, .blue])
    }
}

private enum Color: String, Codable { case red, green, blue }
private enum Level: Int, Codable { case low = 1, high }

@Model private struct Shade: Identifiable, Equatable {
    var id: Color
    var depth: Int
}

@Model private struct Stroke: Identifiable {
    var id: Int
    @Attribute(.references(Shade.self)) var shade: Color
}

@Model private struct Swatch: Equatable {
    @Attribute(.primaryKey) var color: Color
    @Attribute(.primaryKey) var level: Level
    var name: String
}
