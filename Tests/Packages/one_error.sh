#!/usr/bin/env bash
# A mistake that the compiler finds late, in a module of 200 models, is the one error that it shows.
# Needs a debug build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/lib.sh"

build=$(swift build --package-path "$root" --show-bin-path)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

{
    echo 'import Dovetail'
    echo '@ModelProtocol protocol Kind {}'
    for index in $(seq 100); do
        echo "@Model struct Value$index: Kind { var id: Int; var name: String }"
        echo "@Model enum Choice$index { case one, two(Int) }"
    done
    echo 'func mistake() -> Int {}'
} >"$folder/Models.swift"

if swiftc -c -parse-as-library -swift-version 6 -module-name Models -diagnostic-style llvm \
    -I "$build/Modules" -I "$root/Sources/CSQLite" \
    -Xcc "-fmodule-map-file=$build/CDovetailScan.build/module.modulemap" \
    -Xcc "-fmodule-map-file=$build/CDovetailRuntime.build/module.modulemap" \
    -load-plugin-executable "$build/DovetailMacros-tool#DovetailMacros" \
    "$folder/Models.swift" -o "$folder/Models.o" >"$folder/log" 2>&1; then
    fail "the compiler accepts a function without its return"
fi
grep "error: " "$folder/log" | sed 's/.*error: //' >"$folder/errors"
echo "missing return in global function expected to return 'Int'" >"$folder/expected"
diff "$folder/expected" "$folder/errors" ||
    { cat "$folder/log" >&2; fail "a missing return among 200 models is not the one error"; }
echo "One error: a missing return among 200 models is all that the compiler shows"
