import Dovetail

// `Scripts/bench json sqlite` runs only these. A goal that is missed ends it with the status 1.
let groups: KeyValuePairs<String, () throws -> [Comparison]> = [
    "json": JSONBenchmarks.run,
    "plist": PropertyListBenchmarks.run,
    "shapes": ShapeBenchmarks.run,
    "preserve": PreserveBenchmarks.run,
    "webhooks": WebhookBenchmarks.run,
    "growth": GrowthBenchmarks.run,
    "sqlite": SQLiteBenchmarks.run,
    "stream": StreamBenchmarks.run,
    "versions": VersionBenchmarks.run,
    "documents": DocumentBenchmarks.run,
]
if CommandLine.arguments.dropFirst().first == "peak-of-decoding" {
    try GrowthBenchmarks.printPeakOfDecoding(CommandLine.arguments.last ?? "")
    exit(0)
}
let chosen = CommandLine.arguments.dropFirst()

// `Scripts/bench memory` prints how much memory a stream of 1 GB takes. It compares nothing.
if chosen.contains("memory") {
    try StreamBenchmarks.printMemory()
    exit(0)
}

let unknown = chosen.filter { name in !groups.contains { $0.key == name } }
if !unknown.isEmpty {
    fail(
        "unknown group \(unknown.joined(separator: ", ")); there are "
            + groups.map(\.key).joined(separator: ", ") + ", memory"
    )
}

print(Comparison.header)
var missed: [String] = []
for (name, run) in groups where chosen.isEmpty || chosen.contains(name) {
    for comparison in try run() {
        print(comparison.row)
        if !comparison.isMet { missed.append("\(name): \(comparison.name)") }
    }
}
if !missed.isEmpty {
    fail((["goals that were missed:"] + missed).joined(separator: "\n  "))
}

func fail(_ message: String) -> Never {
    fflush(nil)  // the table goes first
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
}
