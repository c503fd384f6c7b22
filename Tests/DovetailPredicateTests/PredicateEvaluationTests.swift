import Dovetail
import Testing
import ToolchainPredicates

/// A predicate answers as the closure that it was made of, for bodies that only our macro takes.
struct PredicateEvaluationTests {
    /// A value that no predicate could hold: it is not `Codable`.
    struct Limits {
        var year: Int
        var genre: Genre
        var title: String?
        var inner: Inner
        struct Inner { var year: Int }
    }

    enum Mode { case all, some }

    /// What no predicate of Foundation could hold, and a column of ours may.
    enum Span: Equatable, Sendable { case years(Int), open }
    struct Wish: Sendable {
        var span: Span
        var other: Span?
        var spans: [Span] = []
        var inner = Inner()
        struct Inner: Sendable {
            var span = Span.open
            var deep = Deep()
            struct Deep: Sendable { var span = Span.open }
        }
    }
    struct Shown: Sendable, Identifiable {
        var id: Int
        var span: Span
        var other: Span?
    }

    private func check(
        _ predicate: Predicate<Film>,
        _ closure: (Film) throws -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var answers: Set<Bool> = []
        for film in Film.samples {
            let answer = try predicate.evaluate(film)
            #expect(
                answer == (try closure(film)),
                "film \(film.id)",
                sourceLocation: sourceLocation
            )
            answers.insert(answer)
        }
        #expect(answers.count == 2, "decides nothing", sourceLocation: sourceLocation)
    }

    @Test
    func `cases of enums stand in the body`() throws {
        try check(#Predicate<Film> { $0.genre == .drama }, { $0.genre == .drama })
        try check(#Predicate<Film> { $0.second == .drama }, { $0.second == .drama })
        try check(#Predicate<Film> { $0.genre != Genre.comedy }, { $0.genre != Genre.comedy })
        try check(#Predicate<Film> { [.drama].contains($0.genre) }, { [.drama].contains($0.genre) })
        try check(
            #Predicate<Film> { $0.second == nil || $0.second == .comedy },
            { $0.second == nil || $0.second == .comedy }
        )
        try check(
            #Predicate<Film> { $0.genre == (.drama as Genre) },
            { $0.genre == (.drama as Genre) }
        )
    }

    @Test
    func `members that are not Codable are constants`() throws {
        let all = [
            Shown(id: 1, span: .open, other: nil), Shown(id: 2, span: .years(1), other: .open),
            Shown(id: 3, span: .years(2), other: .years(1)),
        ]
        func ids(_ predicate: Predicate<Shown>) throws -> [Int] {
            try all.filter { try predicate.evaluate($0) }.map(\.id)
        }
        let wish = Wish(span: .years(1), other: .open, spans: [.open, .years(2)])
        let (some, none): (Wish?, Wish?) = (wish, nil)
        #expect(try ids(#Predicate<Shown> { $0.span == wish.span }) == [2])
        #expect(try ids(#Predicate<Shown> { $0.span != wish.inner.span }) == [2, 3])
        #expect(try ids(#Predicate<Shown> { $0.span == wish.inner.deep.span }) == [1])
        #expect(try ids(#Predicate<Shown> { $0.other == wish.other }) == [2])
        #expect(
            try ids(#Predicate<Shown> { wish.other == nil || $0.other == wish.other! }) == [2]
        )
        #expect(try ids(#Predicate<Shown> { wish.spans.contains($0.span) }) == [1, 3])
        #expect(try ids(#Predicate<Shown> { $0.other == some?.span }) == [3])
        #expect(try ids(#Predicate<Shown> { $0.other == some?.other }) == [2])
        #expect(try ids(#Predicate<Shown> { $0.other == none?.span }) == [1])
        #expect(try ids(#Predicate<Shown> { some != nil && $0.span == some!.span }) == [2])
        // One expression, of which the compiler takes the type from inside.
        let made = { (wish: Wish) in #Predicate<Shown> { $0.span == wish.span } }
        #expect(try ids(made(wish)) == [2])
    }

    @Test
    func `dates are computed in the body`() throws {
        try check(
            #Predicate<Film> { $0.released < Date.now && $0.id > 3 },
            { $0.released < Date.now && $0.id > 3 }
        )
        let middle = Film.samples[12].released
        let suffix = "lf"
        let start = Date(timeIntervalSince1970: 0)
        try check(#Predicate<Film> { $0.released > middle - 60 }, { $0.released > middle - 60 })
        try check(#Predicate<Film> { $0.title == "wo" + suffix }, { $0.title == "wo" + suffix })
        try check(
            #Predicate<Film> { $0.released > middle - 60 * 60 / 2 },
            { $0.released > middle - 60 * 60 / 2 }
        )
        try check(
            #Predicate<Film> { $0.released > Date(timeIntervalSince1970: 1e8) },
            { $0.released > Date(timeIntervalSince1970: 1e8) }
        )
        try check(
            #Predicate<Film> { (start...middle.addingTimeInterval(5)).contains($0.released) },
            { (start...middle.addingTimeInterval(5)).contains($0.released) }
        )
    }

    @Test
    func `any value is captured`() throws {
        let limits = Limits(year: 1980, genre: .drama, title: nil, inner: .init(year: 1990))
        let words = ["wolf", "Dawn"]
        let number = 5
        try check(#Predicate<Film> { $0.year > limits.year }, { $0.year > limits.year })
        try check(#Predicate<Film> { $0.year < limits.inner.year }, { $0.year < limits.inner.year })
        try check(
            #Predicate<Film> { $0.genre == limits.genre && $0.subtitle == limits.title },
            { $0.genre == limits.genre && $0.subtitle == limits.title }
        )
        try check(
            #Predicate<Film> { $0.rating > Double(number) / 2 },
            { $0.rating > Double(number) / 2 }
        )
        try check(
            #Predicate<Film> { words.map { $0.lowercased() }.contains($0.title) },
            { words.map { $0.lowercased() }.contains($0.title) }
        )
        try check(
            #Predicate<Film> {
                $0.title == "\(words.joined())".replacingOccurrences(of: "Dawn", with: "")
            },
            { $0.title == "wolf" }
        )
        try check(#Predicate<Film> { [number] in $0.id > number }, { $0.id > number })
        try check(#Predicate<Film> { [limit = limits.year] in $0.year > limit }, { $0.year > 1980 })
    }

    @Test
    func `captured conditions keep their laziness`() throws {
        let none: Limits? = nil
        let some: Limits? = Limits(year: 1981, genre: .comedy, title: "x", inner: .init(year: 3))
        let empty: [Int] = []
        let mode = Mode.some
        try check(
            #Predicate<Film> { (none == nil || $0.year == none!.year) && $0.isSeen },
            { $0.isSeen }
        )
        try check(
            #Predicate<Film> { some != nil && $0.year > some!.year },
            { some != nil && $0.year > some!.year }
        )
        try check(
            #Predicate<Film> { (empty.isEmpty || $0.id == empty[0]) && $0.isSeen },
            { $0.isSeen }
        )
        try check(#Predicate<Film> { mode == .all || $0.isSeen }, { mode == .all || $0.isSeen })
        try check(
            #Predicate<Film> {
                $0.year < some?.year ?? 0 && some?.title == "x" && none?.title == nil
            },
            { $0.year < 1981 }
        )
        try check(#Predicate<Film> { $0.year > some?.year ?? 0 }, { $0.year > some?.year ?? 0 })
    }

    @Test
    func `an optional is compared with a value of its type`() throws {
        var films = Film.samples
        films[3].subtitle = films[3].title
        let same = #Predicate<Film> { $0.subtitle == $0.title }
        let other = #Predicate<Film> { $0.title != $0.subtitle }
        #expect(try films.filter { try same.evaluate($0) }.map(\.id) == [3])
        #expect(try films.filter { try !other.evaluate($0) }.map(\.id) == [3])
        let year: Int? = 1963
        try check(#Predicate<Film> { $0.year == year }, { $0.year == year })
        try check(#Predicate<Film> { year != $0.year }, { year != $0.year })
    }

    @Test
    func `text functions without a locale stand in the body`() throws {
        try check(#Predicate<Film> { $0.title.hasPrefix("The") }, { $0.title.hasPrefix("The") })
        try check(#Predicate<Film> { $0.title.hasSuffix("olf") }, { $0.title.hasSuffix("olf") })
        try check(
            #Predicate<Film> { $0.title.lowercased().contains("wolf") },
            { $0.title.lowercased().contains("wolf") }
        )
        try check(
            #Predicate<Film> { $0.title.uppercased() == "WOLF" },
            { $0.title.uppercased() == "WOLF" }
        )
        try check(
            #Predicate<Film> { $0.title.localizedStandardContains("elan") },
            { $0.title.localizedStandardContains("elan") }
        )
        try check(
            #Predicate<Film> { $0.subtitle?.localizedStandardContains("WOLF") ?? false },
            { $0.subtitle?.localizedStandardContains("WOLF") ?? false }
        )
        try check(
            #Predicate<Film> { $0.title.caseInsensitiveCompare("WOLF") == .orderedSame },
            { $0.title.caseInsensitiveCompare("WOLF") == .orderedSame }
        )
        try check(
            #Predicate<Film> { $0.title.localizedCompare("Dawn") == .orderedDescending },
            { $0.title.localizedCompare("Dawn") == .orderedDescending }
        )
    }

    @Test
    func `another predicate is evaluated`() throws {
        let seen = #Predicate<Film> { $0.isSeen }
        let adult = #Predicate<Person> { ($0.age ?? 0) > 35 }
        try check(#Predicate<Film> { try seen.evaluate($0) }, { $0.isSeen })
        try check(
            #Predicate<Film> { try $0.year > 1980 && !seen.evaluate($0) },
            { $0.year > 1980 && !$0.isSeen }
        )
        try check(
            #Predicate<Film> { try $0.cast.contains { try adult.evaluate($0) } },
            { $0.cast.contains { ($0.age ?? 0) > 35 } }
        )
        let node = #Predicate<Film> { try seen.evaluate($0) }.expression
        let typed = try #require(
            node as? PredicateExpressions.PredicateEvaluate<PredicateExpressions.Variable<Film>>
        )
        #expect("\(typed.predicate.expression)" == "\(seen.expression)")
    }

    @Test
    func `key paths and ranges stand in the body`() throws {
        let path: any KeyPath<Film, String> & Sendable = \Film.title
        try check(#Predicate<Film> { $0[keyPath: path] == "wolf" }, { $0.title == "wolf" })
        try check(
            #Predicate<Film> { $0.cast.allSatisfy(\.name.isEmpty) },
            { $0.cast.allSatisfy(\.name.isEmpty) }
        )
        try check(#Predicate<Film> { 1970...1980 ~= $0.year }, { 1970...1980 ~= $0.year })
        try check(#Predicate<Film> { (1980...).contains($0.year) }, { (1980...).contains($0.year) })
    }

    @Test
    func `conditions and closures nest`() throws {
        try check(
            #Predicate<Film> { film in
                if let text = film.subtitle, text.count > 3, film.id > 2 {
                    text == film.original
                } else {
                    film.year > 1980
                }
            },
            { film in
                if let text = film.subtitle, text.count > 3, film.id > 2 {
                    text == film.original
                } else {
                    film.year > 1980
                }
            }
        )
        try check(
            #Predicate<Film> { film in
                film.cast.contains { person in
                    film.tags.contains { $0 == person.name || (person.age ?? 0) > film.id + 29 }
                }
            },
            { film in
                film.cast.contains { person in
                    film.tags.contains { $0 == person.name || (person.age ?? 0) > film.id + 29 }
                }
            }
        )
        try check(
            #Predicate<Film> { $0.subtitle?.hasPrefix($0.tags.first ?? "") == true },
            { $0.subtitle?.hasPrefix($0.tags.first ?? "") == true }
        )
    }

    @Test
    func `names of the expansion hide nothing that the body captures`() throws {
        let (e1, e2, it, value) = (1970, "Berlin", true, 3)
        try check(
            #Predicate<Film> { $0.year > e1 && $0.studio?.city == e2 && it && $0.id > value },
            { $0.year > e1 && $0.studio?.city == e2 && it && $0.id > value }
        )
    }

    @Test
    func `forty conditions make one predicate`() throws {
        try check(
            #Predicate<Film> {
                $0.id != 1 && $0.id != 2 && $0.id != 3 && $0.subtitle != "x" && $0.rating >= 0
                    && $0.year > 0 && $0.original != "y" && $0.genre != .drama && $0.votes != 3
                    && $0.id != 4 && $0.id != 6 && $0.id != 8 && $0.subtitle != "z" && $0.rating < 9
                    && $0.year < 3000 && $0.original != "q" && $0.second != .drama && $0.votes != 4
                    && $0.id != 10 && $0.id != 12 && $0.id != 14 && $0.subtitle != "a"
                    && $0.rating >= -1 && $0.year > 1 && $0.original != "b" && $0.title != "c"
                    && $0.votes != 5 && $0.id != 16 && $0.id != 18 && $0.id != 20
                    && $0.subtitle != "d" && $0.rating < 10 && $0.year < 3001 && $0.original != "e"
                    && $0.title != "f" && $0.votes != 6 && $0.isLent != nil && $0.tags.count < 9
                    && !$0.isSeen && $0.key == nil
            },
            { [5, 11, 17, 23].contains($0.id) }
        )
    }

    @Test
    func `generic models and protocols are tested`() throws {
        let known = Poem.known(Poem.self, id: 2)
        #expect(try known.evaluate(Poem(id: 2, name: "a", genre: .drama)))
        #expect(try !known.evaluate(Poem(id: 3, name: "a", genre: .drama)))
        let dramas: Predicate<any Work> = #Predicate { $0.name == "a" && $0.genre == .drama }
        #expect(try dramas.evaluate(Poem(id: 2, name: "a", genre: .drama)))
        #expect(try !dramas.evaluate(Poem(id: 2, name: "a", genre: .comedy)))
    }

    @Test
    func `an expression has the value of its closure`() throws {
        let length = #Expression<Film, Int> { $0.title.count + ($0.subtitle?.count ?? 0) }
        let label = #Expression<Film, String> { $0.isSeen ? "seen" : $0.title.lowercased() }
        for film in Film.samples {
            #expect(try length.evaluate(film) == film.title.count + (film.subtitle?.count ?? 0))
            #expect(try label.evaluate(film) == (film.isSeen ? "seen" : film.title.lowercased()))
        }
    }
}

protocol Work {
    var name: String { get }
    var genre: Genre { get }
}

extension Work {
    static func known<T: Identifiable>(_: T.Type, id: T.ID) -> Predicate<T>
    where T.ID: Codable & Sendable {
        #Predicate { $0.id == id }
    }
}

struct Poem: Work, Identifiable {
    var id: Int
    var name: String
    var genre: Genre
}

@MainActor
struct IsolatedCaptureTests {
    /// A class of the main actor, as views have.
    final class Search {
        var text = "wolf"
        var limits = PredicateEvaluationTests.Limits(
            year: 1970,
            genre: .drama,
            title: "wolf",
            inner: .init(year: 1963)
        )

        func predicate() -> Predicate<Film> {
            #Predicate { $0.title.contains(self.text) && $0.year > self.limits.inner.year }
        }
    }

    @Test
    func `members of objects of an actor are captured`() throws {
        let search = Search()
        let predicate = #Predicate<Film> { $0.title == search.text && !search.text.isEmpty }
        let found = try Film.samples.filter { try predicate.evaluate($0) }
        #expect(found.count == 4)
        let later = try Film.samples.filter { try search.predicate().evaluate($0) }
        #expect(
            later.map(\.id)
                == Film.samples.filter { $0.title == "wolf" && $0.year > 1963 }.map(\.id)
        )
        #expect(!later.isEmpty)
    }
}
