#!/usr/bin/env bash
# Builds the benchmarks and the fuzz targets against the sources as they are, so that a change of
# names does not break them unseen. They are not run: Scripts/bench and Scripts/fuzz do that.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/lib.sh"

log=$(mktemp)

# All packages that depend on this one compile it in the same way, so they share what the examples have built.
scratch=$root/Examples/.build

# Lets the build system look at the next package: it takes the plan that is there for that of any package.
forget_plan() { rm -f "$scratch/debug.yaml" "$scratch"/*/debug/description.json; }
trap 'rm -f "$log"; forget_plan' EXIT

# Only libFuzzer has a main function for the fuzz targets, so of them no program is linked.
for arguments in "Benchmarks --product DovetailBenchmarks" "Fuzzing --target DovetailFuzz"; do
    read -r package what name <<<"$arguments"
    echo "Building $name"
    forget_plan
    swift build --package-path "$root/$package" --scratch-path "$scratch" "$what" "$name" >"$log" 2>&1 ||
        { cat "$log" >&2; fail "$package does not build"; }
    if grep -E "(^|/|: )warning: " "$log" >&2; then fail "$package builds with warnings"; fi
done
