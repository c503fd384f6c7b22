#!/usr/bin/env bash
# What the macros write for the declarations of Expanded.swift, compared with Expanded.txt, so that
# every change of generated code is seen. Needs a debug build.
#
#   bash Tests/Packages/expansions.sh             compares
#   bash Tests/Packages/expansions.sh --update    writes Expanded.txt anew, to be looked at
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/lib.sh"

build=$(swift build --package-path "$root" --show-bin-path)
source=$root/Tests/Packages/Expanded.swift
expected=$root/Tests/Packages/Expanded.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

swiftc -c -parse-as-library -swift-version 6 -module-name Expanded \
    -Xfrontend -dump-macro-expansions -I "$build/Modules" -I "$root/Sources/CSQLite" \
    -Xcc "-fmodule-map-file=$build/CDovetailScan.build/module.modulemap" \
    -Xcc "-fmodule-map-file=$build/CDovetailRuntime.build/module.modulemap" \
    -load-plugin-executable "$build/DovetailMacros-tool#DovetailMacros" \
    "$source" -o "$folder/Expanded.o" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; fail "what the macros write for Expanded.swift does not compile"; }

# The expansions follow each other in the order in which the compiler asks; those without text say
# nothing. They are sorted by their names, of which a part is a number that the compiler chooses.
awk '
    /^@__swiftmacro_/ { name = $0; text = ""; lines = 0; next }
    name != "" && /^------------------------------$/ {
        if (++lines == 2) {
            if (text != "") { printf "%s%c%s%c", name, 1, text, 0 }
            name = ""
        }
        next
    }
    name != "" && (text != "" || $0 != "") { text = text $0 "\n" }
' "$folder/log" | sort -z | tr '\1\0' '\n\n' |
    sed -E 's/^@__swiftmacro_8Expanded(.*)_\.swift$/\/\/ \1/' >"$folder/expanded"
count=$(grep -c '^// [0-9]' "$folder/expanded")
[ "$count" -ge 40 ] || fail "only $count expansions of Expanded.swift were found"
awk 'length > 100 && !/message: "/ { print; long = 1 } END { exit long }' "$folder/expanded" >&2 ||
    fail "the macros write lines of more than 100 columns"
if [ "${1:-}" = --update ]; then
    cp "$folder/expanded" "$expected"
    echo "Expansions: wrote $count of them to Expanded.txt"
    exit
fi
diff "$expected" "$folder/expanded" >"$folder/difference" || {
    cat "$folder/difference" >&2
    fail "the macros write something else than Expanded.txt; if that is meant: expansions.sh --update"
}
echo "Expansions: the macros write what Expanded.txt shows, $count times"
