#!/usr/bin/env bash
# What the compiler refuses, and with which words at which line: every `// error: …` in Refused.swift
# has to be part of an error of that line, and no other line may have one. Needs a debug build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/lib.sh"

build=$(swift build --package-path "$root" --show-bin-path)
source=$root/Tests/Packages/Refused.swift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if swiftc -typecheck -swift-version 6 -module-name Refused -diagnostic-style llvm \
    -I "$build/Modules" -I "$root/Sources/CSQLite" \
    -Xcc "-fmodule-map-file=$build/CDovetailScan.build/module.modulemap" \
    -Xcc "-fmodule-map-file=$build/CDovetailRuntime.build/module.modulemap" \
    -load-plugin-executable "$build/DovetailMacros-tool#DovetailMacros" \
    "$source" >"$folder/log" 2>&1; then
    fail "the compiler refuses nothing of Refused.swift"
fi

# "LINE TEXT" of every error; one in generated code belongs to the line that was expanded.
awk '
    match($0, /: error: /) { text = substr($0, RSTART + 9) }
    text != "" && match($0, /Refused\.swift:[0-9]+:/) {
        print substr($0, RSTART + 14, RLENGTH - 15), text
        text = ""
    }
' "$folder/log" >"$folder/errors"

refused=0
while read -r line text; do
    refused=$((refused + 1))
    grep "^$line " "$folder/errors" | grep -qF -- "$text" ||
        { cat "$folder/log" >&2; fail "line $line of Refused.swift is not refused with: $text"; }
done < <(awk 'match($0, /\/\/ error: /) { print NR, substr($0, RSTART + 10) }' "$source")
while read -r line text; do
    sed -n "${line}p" "$source" | grep -q "// error: " || fail "line $line of Refused.swift: $text"
done <"$folder/errors"
echo "Refused: the compiler refuses $refused lines with the words that Refused.swift expects"
