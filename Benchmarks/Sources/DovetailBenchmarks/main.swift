import Dovetail

// `Scripts/bench json sqlite` runs only these.
let groups: KeyValuePairs<String, () throws -> [Comparison]> = [
    "json": JSONBenchmarks.run,
    "plist": PropertyListBenchmarks.run,
    "shapes": ShapeBenchmarks.run,
    "webhooks": WebhookBenchmarks.run,
    "sqlite": SQLiteBenchmarks.run,
]
let chosen = CommandLine.arguments.dropFirst()

print(Comparison.header)
for (name, run) in groups where chosen.isEmpty || chosen.contains(name) {
    for comparison in try run() { print(comparison.row) }
}
