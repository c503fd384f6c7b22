import Dovetail

// `Scripts/bench json sqlite` runs only these.
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

// `Scripts/bench limit` compares with a library that the script builds only when it is named.
let optional: KeyValuePairs<String, () throws -> [Comparison]> = ["limit": LimitBenchmarks.run]

print(Comparison.header)
for (name, run) in groups where chosen.isEmpty || chosen.contains(name) {
    for comparison in try run() { print(comparison.row) }
}
for (name, run) in optional where chosen.contains(name) {
    for comparison in try run() { print(comparison.row) }
}
