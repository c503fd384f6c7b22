import Dovetail

// `Scripts/bench json sqlite` runs only these. A goal that is missed ends it with the status 1.
let groups: KeyValuePairs<String, () throws -> [Comparison]> = [
    "json": JSONBenchmarks.run,
    "plist": PropertyListBenchmarks.run,
    "shapes": { try ShapeBenchmarks.run() + CodablePartBenchmarks.run() },
    "preserve": PreserveBenchmarks.run,
    "world": { try WorldBenchmarks.run() + FlattenedBenchmarks.run() },
    "webhooks": WebhookBenchmarks.run,
    "growth": GrowthBenchmarks.run,
    "sqlite": SQLiteBenchmarks.run,
    "queries": QueryBenchmarks.run,
    "objects": ObjectBenchmarks.run,
    "synchronize": {
        try SynchronizeBenchmarks.run() + SynchronizeMemory.run() + CounterpartBenchmarks.run()
    },
    "stream": StreamBenchmarks.run,
    "versions": VersionBenchmarks.run,
    "documents": DocumentBenchmarks.run,
]
if CommandLine.arguments.dropFirst().first == "peak-of-decoding" {
    try GrowthBenchmarks.printPeakOfDecoding(CommandLine.arguments.last ?? "")
    exit(0)
}
if CommandLine.arguments.dropFirst().first == "memory-of-objects" {
    try ObjectBenchmarks.printMemory(CommandLine.arguments.dropFirst(2))
    exit(0)
}
if CommandLine.arguments.dropFirst().first == "memory-of-synchronize" {
    try await SynchronizeMemory.printPeak(CommandLine.arguments.dropFirst(2))
    exit(0)
}
let chosen = CommandLine.arguments.dropFirst()

// `Scripts/bench memory` prints how much memory a stream of 1 GB takes. It compares nothing.
if chosen.contains("memory") {
    try StreamBenchmarks.printMemory()
    exit(0)
}

// `Scripts/bench limit` compares with a library that the script builds only when it is named.
// `Scripts/bench postgres` runs where a server could be started.
let optional: KeyValuePairs<String, () throws -> [Comparison]> = [
    "limit": LimitBenchmarks.run, "postgres": PostgresBenchmarks.run,
]

let known = groups.map(\.key) + optional.map(\.key) + ["memory"]
let unknown = chosen.filter { !known.contains($0) }
if !unknown.isEmpty {
    fail(
        "unknown group \(unknown.joined(separator: ", ")); there are "
            + known.joined(separator: ", ")
    )
}

print(Comparison.header)
var missed: [String] = []
for (name, run) in groups where chosen.isEmpty || chosen.contains(name) { try compare(name, run) }
for (name, run) in optional where chosen.contains(name) { try compare(name, run) }
if !missed.isEmpty {
    fail((["goals that were missed:"] + missed).joined(separator: "\n  "))
}

@MainActor func compare(_ name: String, _ run: () throws -> [Comparison]) throws {
    for comparison in try run() where !comparison.ratio.isNaN {
        print(comparison.row)
        if !comparison.isMet { missed.append("\(name): \(comparison.name)") }
    }
}

func fail(_ message: String) -> Never {
    fflush(nil)  // the table goes first
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
}
