"""Writes a file with one function that makes predicates, for Scripts/compile-time.

usage: predicate_time.py BODY MACRO; BODY is none, a number of conditions or real, and MACRO is ours or
foundation. The file is written to standard output.
"""

import sys

body, macro = sys.argv[1:]

# Conditions of every kind that both macros take, in the order in which they are joined.
CONDITIONS = [
    "$0.isOpen",
    "$0.year > 1970",
    '$0.subtitle == "x"',
    "$0.rating < 4",
    "$0.original == nil",
    '$0.title.contains("o")',
    "($0.votes ?? 0) > 3",
    "years.contains($0.year)",
    '$0.owner?.name == "q"',
    "$0.rating != 2.5",
    '$0.tags.contains { $0 == "a" }',
    "$0.year + 1 < 5",
    "!$0.tags.isEmpty",
    "(1...9).contains($0.year)",
]
# What programs write: of the usual length, with an optional, a captured text and a date.
REAL = "$0.isOpen && $0.date > start && (text.isEmpty || $0.title.contains(text)) && $0.owner?.name == text"

print("import Foundation")
if macro == "ours":
    print("import Dovetail")
    print(
        "@freestanding(expression)\n"
        "macro Predicate<Input>(_ body: (Input) throws -> Bool) -> Foundation.Predicate<Input> =\n"
        '    #externalMacro(module: "DovetailMacros", type: "PredicateMacro")'
    )
print(
    "struct Owner: Codable, Equatable { var name: String }\n"
    "struct Film: Codable, Equatable {\n"
    "    var isOpen: Bool; var year: Int; var rating: Double; var title: String; var subtitle: String?\n"
    "    var original: String?; var votes: Int?; var owner: Owner?; var tags: [String]; var date: Date\n"
    "}"
)
if body == "none":
    print("func make() -> Foundation.Predicate<Film> { .true }")
else:
    if body == "real":
        condition = REAL
    else:
        parts = [CONDITIONS[index % len(CONDITIONS)] for index in range(int(body))]
        condition = parts[0]
        for index, part in enumerate(parts[1:]):
            condition += (" || " if index % 4 == 3 else " && ") + part
    print(
        "func make(_ years: [Int], _ text: String, _ start: Date) -> Foundation.Predicate<Film> {\n"
        f"    #Predicate<Film> {{ {condition} }}\n}}"
    )
