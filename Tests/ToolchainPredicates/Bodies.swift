// Predicates that the toolchain's macro compiles. This file is compiled twice: in ToolchainPredicates
// with Foundation alone, so with the toolchain's macro, and by a symbolic link in
// DovetailPredicateTests with ours.

#if DOVETAIL
    import Dovetail
    import Foundation
    import ToolchainPredicates

    func ourPredicates() -> [Predicate<Film>] { predicates() }
#else
    package import Foundation

    package func toolchainPredicates() -> [Predicate<Film>] { predicates() }
#endif

// swift-format-ignore: NeverForceUnwrap
private func predicates() -> [Predicate<Film>] {
    let wanted = "wolf"
    let filter: String? = "wolf"
    let none: String? = nil
    let limit = 1980
    let flag = true
    let years = [1960, 1963, 1990]
    let range = 1970...1990
    let day = Date(timeIntervalSince1970: 5e7)
    let drama = Genre.drama
    let person = Film.samples[1].cast[0]
    let film = Film.samples[5]
    let someone: Person? = Film.samples[1].cast[0]
    let titles: [String] = ["Dawn", "wolf"]
    let optionalTitles: [String?] = ["Dawn", nil]
    return [
        #Predicate<Film> { $0.isSeen },
        #Predicate<Film> { !$0.isSeen },
        #Predicate<Film> { _ in true },
        #Predicate<Film> { _ in flag },
        #Predicate<Film> { film in film.year == 1963 },
        #Predicate<Film> { (film: Film) in film.year != 1963 },
        #Predicate<Film> { $0.title == wanted },
        #Predicate<Film> { $0.subtitle == wanted },
        #Predicate<Film> { $0.subtitle == filter },
        #Predicate<Film> { $0.subtitle == "wolf" },
        #Predicate<Film> { $0.subtitle == nil },
        #Predicate<Film> { $0.subtitle != nil },
        #Predicate<Film> { nil == $0.studio },
        #Predicate<Film> { $0.isSeen == true },
        #Predicate<Film> { $0.isLent == false },
        #Predicate<Film> { $0.genre == drama },
        #Predicate<Film> { $0.second == drama },
        #Predicate<Film> { $0.rating > 3 },
        #Predicate<Film> { $0.rating >= 2.5 },
        #Predicate<Film> { $0.rating > -1 },
        #Predicate<Film> { limit < $0.year },
        #Predicate<Film> { $0.year <= limit },
        #Predicate<Film> { $0.released < day },
        #Predicate<Film> { $0.year > 1970 && $0.rating < 4 },
        #Predicate<Film> { $0.year > 1970 || $0.isSeen },
        #Predicate<Film> { !($0.year > 1970 || $0.isSeen) },
        #Predicate<Film> { $0.isSeen && ($0.year > 1970 || $0.rating < 2) },
        #Predicate<Film> { flag || $0.isSeen },
        #Predicate<Film> { !flag && $0.isSeen },
        #Predicate<Film> { wanted.isEmpty || $0.title.contains(wanted) },
        #Predicate<Film> { filter == nil || $0.title == filter! },
        #Predicate<Film> { none == nil || $0.title == none! },
        #Predicate<Film> { filter != nil && $0.subtitle == filter! },
        #Predicate<Film> { limit == 1980 && $0.isSeen },
        #Predicate<Film> { $0.year == film.year },
        #Predicate<Film> { $0.year + 1 == 1964 },
        #Predicate<Film> { $0.year * 2 - 1 > $0.id },
        #Predicate<Film> { $0.year / 2 == 981 },
        #Predicate<Film> { $0.rating / 2 > 1.5 },
        #Predicate<Film> { $0.year % 2 == 0 },
        #Predicate<Film> { -$0.year < -1970 },
        #Predicate<Film> { ($0.votes ?? 0) > 20 },
        #Predicate<Film> { ($0.subtitle ?? $0.title) == "wolf" },
        #Predicate<Film> { ($0.subtitle ?? wanted) == "wolf" },
        #Predicate<Film> { ($0.subtitle ?? $0.original ?? "x") == "wolf" },
        #Predicate<Film> { $0.subtitle?.isEmpty == true },
        #Predicate<Film> { $0.subtitle?.contains("o") ?? false },
        #Predicate<Film> { $0.studio?.name == "Dawn" },
        #Predicate<Film> { $0.studio?.city == "Berlin" },
        #Predicate<Film> { $0.studio?.head?.name == "Ada" },
        #Predicate<Film> { $0.studio?.head?.age == 41 },
        #Predicate<Film> { ($0.studio?.head?.age ?? 0) > 50 },
        #Predicate<Film> { $0.studio?.name.count == 4 },
        #Predicate<Film> { $0.studio == nil || $0.studio!.name.isEmpty },
        #Predicate<Film> { $0.studio != nil && $0.studio!.head == nil },
        #Predicate<Film> { $0.title.contains("o") },
        #Predicate<Film> { $0.title.contains(wanted) },
        #Predicate<Film> { $0.title.starts(with: "The") },
        #Predicate<Film> { $0.title.isEmpty },
        #Predicate<Film> { $0.title.count > 3 },
        #Predicate<Film> { years.contains($0.year) },
        #Predicate<Film> { [1960, 1963].contains($0.year) },
        #Predicate<Film> { titles.contains($0.title) },
        #Predicate<Film> { optionalTitles.contains($0.subtitle) },
        #Predicate<Film> { $0.tags.contains("wolf") },
        #Predicate<Film> { $0.tags.contains { $0 == "wolf" } },
        #Predicate<Film> { film in film.tags.contains { tag in tag == film.title } },
        #Predicate<Film> { $0.tags.contains(where: { $0.count > 3 }) },
        #Predicate<Film> { $0.tags.allSatisfy { $0 != "old" } },
        #Predicate<Film> { $0.tags.filter { $0 != "old" }.count == 2 },
        #Predicate<Film> { $0.cast.contains { $0.age == nil } },
        #Predicate<Film> { $0.cast.contains { $0.name == wanted && $0.age != nil } },
        #Predicate<Film> { $0.cast.contains(person) },
        #Predicate<Film> { $0.tags.isEmpty },
        #Predicate<Film> { $0.tags.count == 2 },
        #Predicate<Film> { $0.tags.first == "new" },
        #Predicate<Film> { $0.tags.max() == "wolf" },
        #Predicate<Film> { $0.tags.min() == "new" },
        #Predicate<Film> { $0.tags.count > 1 && $0.tags[1] == "wolf" },
        #Predicate<Film> { $0.counts["a"] == 4 },
        #Predicate<Film> { $0.counts["a", default: 0] > 4 },
        #Predicate<Film> { (1970...1990).contains($0.year) },
        #Predicate<Film> { (1970..<1990).contains($0.year) },
        #Predicate<Film> { (limit...1990).contains($0.year) },
        #Predicate<Film> { range.contains($0.year) },
        #Predicate<Film> { $0.isSeen ? $0.year > 1970 : $0.rating < 2 },
        #Predicate<Film> { ($0.isSeen ? "wolf" : "Dawn") == $0.title },
        #Predicate<Film> { ($0.isSeen ? 1 : 2) < $0.rating },
        #Predicate<Film> { film in if film.isSeen { film.year > 1970 } else { film.rating < 2 } },
        #Predicate<Film> { film in
            if film.isSeen, film.year > 1970 {
                return film.rating > 1
            } else if film.year < 1965 {
                return true
            } else {
                return false
            }
        },
        #Predicate<Film> { film in if let name = film.subtitle { name == "wolf" } else { false } },
        #Predicate<Film> { film in
            if let name = film.subtitle, let other = film.original {
                return name == other
            } else {
                return false
            }
        },
        #Predicate<Film> { film in
            if let studio = film.studio { studio.city != nil } else { film.isSeen }
        },
        #Predicate<Film> { film in if let filter { film.title == filter } else { true } },
        #Predicate<Film> { $0.subtitle.flatMap { $0.isEmpty } ?? true },
        #Predicate<Film> { $0.subtitle.flatMap { $0.contains(wanted) } == true },
        #Predicate<Film> { ($0.tags as Any) is [String] },
        #Predicate<Film> { film in return film.isSeen },
        #Predicate<Film> { $0.key == nil },
        #Predicate<Film> { $0.isSeen && $0.subtitle == nil && $0.year > 3 },
        #Predicate<Film> { (flag ? "wolf" : "Dawn") == $0.title },
        #Predicate<Film> { $0.title == (filter ?? "") },
        #Predicate<Film> { $0.title == titles[1] },
        #Predicate<Film> { $0.year > -limit },
        #Predicate<Film> { $0.year > limit + 1 },
        #Predicate<Film> { $0.rating * 100 > 2 * 100 },
        #Predicate<Film> { $0.subtitle == someone?.name },
        #Predicate<Film> { $0.votes == someone?.age },
    ]
}
