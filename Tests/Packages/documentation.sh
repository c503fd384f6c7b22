#!/usr/bin/env bash
# The Swift in Documentation/*.md and in the DocC catalog is compiled and run. `<!-- program NAME` starts a program, `<!-- swift`
# goes on with it, both with code that readers need not see, up to `-->`; blocks of Swift in between
# belong to it. A block before the first program of a page is an error. `expect(_:)` in the hidden code
# ends the program when something does not hold. Needs a debug build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/lib.sh"

build=$(swift build --package-path "$root" --show-bin-path)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Lines of errors are those of the page.
for page in "$root"/Documentation/*.md "$root"/Sources/Dovetail/Dovetail.docc/*.md; do
    awk -v page="${page#"$root/"}" -v folder="$folder" '
        function begin(line) {
            printf "#sourceLocation(file: \"%s\", line: %d)\n", page, line >program
        }
        /^<!-- program / {
            program = folder "/" $3 ".swift"
            if ((getline first <program) > 0) { print page ": a second program " $3 >"/dev/stderr"; exit 1 }
            begin(NR + 1)
            inside = "-->"
            next
        }
        /^<!-- swift$/ { begin(NR + 1); inside = "-->"; next }
        /^```swift$/ {
            if (program == "") {
                print page ":" NR ": Swift that belongs to no program" >"/dev/stderr"
                exit 1
            }
            begin(NR + 1)
            inside = "```"
            next
        }
        inside != "" && $0 == inside { inside = ""; next }
        inside != "" { print >program }
    ' "$page" || fail "$(basename "$page") cannot be taken apart"
done

find_objects "$build" Dovetail DovetailModel DovetailFiles DovetailStore DovetailSQL DovetailSQLite DovetailContext \
    DovetailREST DovetailSync DovetailPostgres DovetailTesting CDovetailScan CDovetailRuntime

programs=0
for program in "$folder"/*.swift; do
    name=$(basename "$program" .swift)
    mkdir "$folder/$name"
    mv "$program" "$folder/$name/main.swift"
    cat >"$folder/$name/expect.swift" <<'SWIFT'
func expect(_ holds: Bool, _ found: String = "", file: StaticString = #filePath, line: UInt = #line) {
    if !holds { fatalError("does not hold \(found)", file: file, line: line) }
}
SWIFT
    swiftc -swift-version 6 -suppress-warnings -module-name "${name^}Program" \
        -I "$build/Modules" -I "$root/Sources/CSQLite" -I "$root/Sources/CPostgres" \
        -I /usr/include/postgresql \
        -Xcc "-fmodule-map-file=$build/CDovetailScan.build/module.modulemap" \
        -Xcc "-fmodule-map-file=$build/CDovetailRuntime.build/module.modulemap" \
        -load-plugin-executable "$build/DovetailMacros-tool#DovetailMacros" \
        "$folder/$name/main.swift" "$folder/$name/expect.swift" "${objects[@]}" -lsqlite3 -lpq \
        -o "$folder/$name/program" \
        >"$folder/log" 2>&1 ||
        { cat "$folder/log" >&2; fail "the program $name of the documentation does not build"; }
    # A page of PostgreSQL needs the server that Scripts/test has started.
    if [ -z "${DOVETAIL_POSTGRES:-}" ] && grep -q '"DOVETAIL_POSTGRES"' "$folder/$name/main.swift"; then
        echo "Documentation: $name was built and not run: no PostgreSQL server"
        continue
    fi
    (cd "$folder/$name" && ./program >"$folder/log" 2>&1) ||
        { cat "$folder/log" >&2; fail "the program $name of the documentation failed"; }
    programs=$((programs + 1))
done
echo "Documentation: $programs programs of its pages did what the pages say"
