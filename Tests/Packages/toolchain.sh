#!/usr/bin/env bash
# What the scripts print when the toolchain is missing, does not start or is too old: one line, and
# the status 1. Swift is a fake on the PATH.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/lib.sh"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
for tool in bash dirname sed head; do ln -s "$(command -v $tool)" "$folder/bin/$tool"; done

# expect WORDS: need_swift ends with one line that holds them.
checked=0
expect() {
    local status=0 said
    said=$(PATH="$folder/bin" bash -c "source '$root/Scripts/lib.sh'; need_swift" 2>&1) || status=$?
    [ "$status" -eq 1 ] || fail "a toolchain ($1) ends the scripts with $status: $said"
    [ "$(wc -l <<<"$said")" -eq 1 ] || fail "a toolchain ($1) takes more than one line: $said"
    [[ "$said" == "error: "*"$1"* ]] || fail "a toolchain is not told as '$1': $said"
    checked=$((checked + 1))
}

# fake BODY: puts a `swift` on the PATH.
fake() {
    printf '#!%s\n%s\n' "$folder/bin/bash" "$1" >"$folder/bin/swift"
    chmod +x "$folder/bin/swift"
}

expect "no Swift toolchain on the PATH"
fake 'echo "swift: error while loading shared libraries: libncurses.so.6: cannot open" >&2; exit 127'
expect "$folder/bin/swift does not start (status 127): swift: error while loading shared libraries"
fake 'exit 126'
expect "does not start (status 126): it says nothing"
fake 'echo; kill -SEGV $$'
expect "does not start (status 139)"
fake 'echo "Swift version 5.10 (swift-5.10-RELEASE)"'
expect "Swift 5.10 is too old"
fake 'echo "something else"'
expect "Swift of an unknown version is too old"
fake 'echo "warning: a line before" >&2; echo "Swift version 6.3.1 (swift-6.3.1-RELEASE)"'
PATH="$folder/bin" bash -c "source '$root/Scripts/lib.sh'; need_swift" ||
    fail "a toolchain that is new enough is refused"
echo "Toolchain: $checked that cannot be used are told in one line each"
