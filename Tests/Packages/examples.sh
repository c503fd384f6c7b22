#!/usr/bin/env bash
# Builds the examples and runs their tests. Runs the AssetLibrary, BoxesAndItems, TaskLists and the Chat,
# whose words are in their output.txt, and the Shop against its backend; its words are compared with what
# the backend's rules say must happen. Also: a backend that is down leaves the database as it was.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/lib.sh"

folder=$(mktemp -d)
trap 'stop_shop; rm -rf "$folder"' EXIT

swift build --package-path "$root/Examples" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; fail "the examples do not build"; }
if grep -E "(^|/|: )warning: " "$folder/log" >&2; then fail "the examples have warnings"; fi

mkdir "$folder/assets"
"$root/Examples/.build/debug/AssetLibrary" "$folder/assets" >"$folder/printed" ||
    { cat "$folder/printed" >&2; fail "the AssetLibrary example failed"; }
diff "$root/Examples/AssetLibrary/output.txt" "$folder/printed" ||
    fail "the AssetLibrary example printed something else"

# The README shows lines of the program and the start of what it prints.
readme_block assets.swift | sed 's/^ *//' | grep -v '^$' >"$folder/lines"
[ -s "$folder/lines" ] || fail "the README has no block for assets.swift"
while IFS= read -r line; do
    grep -qF -- "$line" "$root/Examples/AssetLibrary/Program/AssetLibraryProgram.swift" ||
        fail "the README shows a line that the AssetLibrary example lacks: $line"
done <"$folder/lines"
readme_block assets >"$folder/shown"
[ -s "$folder/shown" ] || fail "the README has no block for assets"
head -n "$(wc -l <"$folder/shown")" "$folder/printed" | diff "$folder/shown" - ||
    fail "the README shows another output of the AssetLibrary example"

# These print the same from a SQLite file, from memory and from a server, where Scripts/test has started one;
# the tests of two of them say so too.
for example in BoxesAndItems TaskLists Chat; do
    places=("$folder/$example.sqlite" "")
    if [ -n "${DOVETAIL_POSTGRES:-}" ]; then
        psql "$DOVETAIL_POSTGRES" -qc "CREATE SCHEMA example_$example"
        places+=("$DOVETAIL_POSTGRES?options=-csearch_path%3Dexample_${example,,}")
    fi
    for file in "${places[@]}"; do
        "$root/Examples/.build/debug/$example" ${file:+"$file"} >"$folder/printed" ||
            { cat "$folder/printed" >&2; fail "the $example example failed"; }
        diff "$root/Examples/$example/output.txt" "$folder/printed" ||
            fail "the $example example printed something else in ${file:-memory}"
    done
done
swift test --package-path "$root/Examples" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; fail "tests of the examples fail"; }

shop="$root/Examples/.build/debug/Shop"

start_shop "$folder"
SHOP_URL=$shop_url "$shop" "$folder/shop.sqlite" >"$folder/printed" || fail "the Shop example failed"

expect_line() {
    grep -qF -- "$1" "$folder/printed" ||
        { cat "$folder/printed" >&2; fail "the Shop example did not print: $1"; }
}
expect_line "users: 2500 inserted, 0 updated, 0 deleted, 0 unchanged"
expect_line "products: 1200 inserted, 0 updated, 0 deleted, 0 unchanged"
expect_line "a library of 20 ColorAsset, 20 ImageAsset, 20 SoundAsset"
expect_line "users: 25 inserted, 40 updated, 15 deleted, 2445 unchanged"
expect_line "products: 10 inserted, 20 updated, 5 deleted, 1175 unchanged"
expect_line "users: 0 inserted, 0 updated, 0 deleted, 2510 unchanged"
expect_line "status 404"
expect_line "status 500"
expect_line "expected JSON, got text/html"
expect_line '[1731].age: expected Int, found "x" (line 1, column'
expect_line "users before: 2510, after: 2510"

# The backend goes away: the program says so, and the file holds what it held.
dump() { python3 - "$folder/shop.sqlite" <<'P'
import sqlite3, sys
print("\n".join(sqlite3.connect(sys.argv[1]).iterdump()))
P
}
dump >"$folder/before"
stop_shop
if SHOP_URL=$shop_url "$shop" "$folder/shop.sqlite" >"$folder/printed" 2>&1; then
    fail "the Shop example succeeded without a backend"
fi
expect_line "connection failed"
dump >"$folder/after"
cmp -s "$folder/before" "$folder/after" || fail "a backend that is down changed the database"
echo "Examples: the AssetLibrary, BoxesAndItems, TaskLists, the Chat and the Shop did what they say, their tests pass, and a backend that is down changed nothing"
