import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Predicates about some of the objects of a relationship: `$0.pupils.filter { … }.count`.
struct FilteredListTests {
    /// What a predicate takes, of the store and of the objects themselves.
    private func names(
        _ context: ModelContext,
        _ inline: InlinePredicate<Lesson>
    ) throws -> [String] {
        let order = [SortDescriptor(\Lesson.name)]
        let found = try context.fetch(
            FetchDescriptor(predicate: inline.predicate, sortBy: order)
        )
        let all = try context.fetch(FetchDescriptor<Lesson>(sortBy: order))
        #expect(try all.filter(inline.predicate) == found)
        return found.map(\.name)
    }

    /// Lessons a to d, with 0 to 3 pupils of the ages 10, 11 and 12, and as many marks.
    private func lessons(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(
            try kind.container([Lesson.self, Pupil.self, Prefect.self, PupilMark.self])
        )
        let pupils = (0..<3).map { number in
            number == 1 ? Prefect("p1", age: 11, badge: "b") : Pupil("p\(number)", age: 10 + number)
        }
        for (count, name) in ["a", "b", "c", "d"].enumerated() {
            let lesson = Lesson(name)
            context.insert(lesson)
            lesson.pupils = Array(pupils.prefix(count))
            for place in 0..<count {
                let mark = PupilMark(points: place == 2 ? nil : place)
                mark.pupil = pupils[place]
                lesson.marks.append(mark)
            }
        }
        lesson(context, "d")?.next = lesson(context, "c")
        return context
    }

    private func lesson(_ context: ModelContext, _ name: String) -> Lesson? {
        try? context.fetch(FetchDescriptor<Lesson>(predicate: #Predicate { $0.name == name })).first
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `some of a list are counted`(_ kind: StoreKind, isSaved: Bool) throws {
        let context = try lessons(kind)
        if isSaved { try context.save() }
        #expect(
            try names(context, #Predicate { $0.pupils.filter { $0.age > 10 }.count >= 1 }) == [
                "c", "d",
            ]
        )
        #expect(
            try names(context, #Predicate { $0.pupils.filter { $0.age > 10 }.count == 2 }) == ["d"]
        )
        #expect(
            try names(context, #Predicate { $0.marks.filter { $0.points == 0 }.count == 1 })
                == ["b", "c", "d"]
        )
        // Of two conditions, and through a relationship to one.
        #expect(
            try names(
                context,
                #Predicate {
                    $0.marks.filter { $0.pupil?.age == 11 }.filter { $0.points == 1 }.count > 0
                }
            ) == ["c", "d"]
        )
        #expect(
            try names(
                context,
                #Predicate { ($0.next?.pupils.filter { $0.age < 12 }.count ?? 0) == 2 }
            ) == ["d"]
        )
        // Of one class of several.
        #expect(
            try names(context, #Predicate { $0.pupils.filter { $0 is Prefect }.count == 1 })
                == ["c", "d"]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `some of a list are asked`(_ kind: StoreKind) throws {
        let context = try lessons(kind)
        try context.save()
        #expect(
            try names(context, #Predicate { $0.pupils.filter { $0.age > 10 }.isEmpty })
                == ["a", "b"]
        )
        #expect(
            try names(context, #Predicate { !$0.marks.filter { $0.points == nil }.isEmpty })
                == ["d"]
        )
        #expect(
            try names(
                context,
                #Predicate { $0.marks.filter { $0.points == 1 }.contains { $0.pupil?.age == 11 } }
            ) == ["c", "d"]
        )
        // Those whose points are missing do not count.
        #expect(
            try names(
                context,
                #Predicate {
                    $0.marks.filter { ($0.points ?? -1) >= 0 }.allSatisfy { $0.points == 0 }
                }
            ) == ["a", "b"]
        )
        #expect(
            try names(
                context,
                #Predicate { $0.pupils.filter { $0.age > 11 }.allSatisfy { $0.age == 10 } }
            ) == ["a", "b", "c"]
        )
    }
}

@Model private final class Lesson {
    var name: String
    var pupils: [Pupil] = []
    @Relationship(deleteRule: .cascade, inverse: \PupilMark.lesson) var marks: [PupilMark] = []
    var next: Lesson?

    init(_ name: String) { self.name = name }
}

@Model private class Pupil {
    var name: String
    var age: Int
    @Relationship(inverse: \Lesson.pupils) var lessons: [Lesson] = []

    init(_ name: String, age: Int) {
        self.name = name
        self.age = age
    }
}

@Model private final class Prefect: Pupil {
    var badge: String

    init(_ name: String, age: Int, badge: String) {
        self.badge = badge
        super.init(name, age: age)
    }
}

@Model private final class PupilMark {
    var points: Int?
    var pupil: Pupil?
    var lesson: Lesson?

    init(points: Int?) { self.points = points }
}
