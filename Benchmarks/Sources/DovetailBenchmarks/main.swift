import Dovetail

print(Comparison.header)
for benchmark in [JSONBenchmarks.run, WebhookBenchmarks.run, SQLiteBenchmarks.run] {
    for comparison in try benchmark() {
        print(comparison.row)
    }
}
