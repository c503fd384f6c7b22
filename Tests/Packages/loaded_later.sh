#!/usr/bin/env bash
# Conformers in a library that a running program loads are found from then on, also where the
# protocol was used before. Needs a debug build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/lib.sh"

build=$(swift build --package-path "$root" --show-bin-path)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

find_objects "$build" Dovetail DovetailModel DovetailFiles DovetailStore DovetailSQL DovetailSQLite DovetailContext \
    DovetailREST DovetailSync CDovetailScan CDovetailRuntime

compile() {
    swiftc -swift-version 6 -I "$build/Modules" -I "$root/Sources/CSQLite" -I "$folder" \
        -Xcc "-fmodule-map-file=$build/CDovetailScan.build/module.modulemap" \
        -Xcc "-fmodule-map-file=$build/CDovetailRuntime.build/module.modulemap" \
        -load-plugin-executable "$build/DovetailMacros-tool#DovetailMacros" "$@" \
        >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "$1 does not build"; }
}

cat >"$folder/Shared.swift" <<'SWIFT'
import Dovetail
@ModelProtocol public protocol Plugin { var name: String { get } }
@ModelProtocol public protocol NamedPlugin: Plugin {}
SWIFT
cat >"$folder/Late.swift" <<'SWIFT'
import Dovetail
import Shared
@Model struct LatePlugin: NamedPlugin { var name: String }
enum Inner { @Model final class Nested { var name = "" ; init() {} } }
extension Inner.Nested: Plugin {}
@Model enum LateChoice: Plugin { case one; var name: String { "one" } }
@Model struct Unrelated { var x = 0 }
@Model struct Generic<Value: ModelValue> { var value: Value }
SWIFT
cat >"$folder/main.swift" <<'SWIFT'
import Dovetail
import Shared

@Model struct EarlyPlugin: Plugin { var name: String }

func names(_ document: String) -> String {
    do {
        let plugins = try [any Plugin](decoding: Data(document.utf8), as: .json)
        return plugins.map { "\(type(of: $0)) \($0.name)" }.joined(separator: ", ")
    } catch {
        return "\(error)"
    }
}
let document = #"[{"$type":"EarlyPlugin","name":"a"},{"$type":"LatePlugin","name":"b"}]"#
print(names(document))
print(NamedPluginModel.conformers.knownNames)
guard dlopen(CommandLine.arguments[1], RTLD_NOW) != nil else { fatalError(String(cString: dlerror())) }
print(names(document))
print(PluginModel.conformers.knownNames, NamedPluginModel.conformers.knownNames)
print(names(#"[{"$type":"Nested","name":"c"},{"$type":"LateChoice","one":{}}]"#))
SWIFT
cat >"$folder/expected" <<'TEXT'
[1]: expected a conformer of Plugin (EarlyPlugin), found type "LatePlugin" (line 1, column 37)
[]
EarlyPlugin a, LatePlugin b
["EarlyPlugin", "LateChoice", "LatePlugin", "Nested"] ["LatePlugin"]
Nested c, LateChoice one
TEXT

# The library takes what it shares from the program, which exports it.
compile "$folder/Shared.swift" -parse-as-library -module-name Shared -emit-module \
    -emit-module-path "$folder/Shared.swiftmodule" -c -o "$folder/Shared.o"
compile "$folder/Late.swift" -O -parse-as-library -module-name Late -emit-library \
    -o "$folder/libLate.so"
compile "$folder/main.swift" "$folder/Shared.o" "${objects[@]}" -lsqlite3 -module-name Program \
    -Xlinker --export-dynamic -o "$folder/program"
"$folder/program" "$folder/libLate.so" >"$folder/printed" 2>"$folder/log" ||
    { cat "$folder/log" >&2; fail "the program that loads a library failed"; }
diff "$folder/expected" "$folder/printed" || fail "conformers of a loaded library are not as expected"
echo "Loaded later: the conformers of a library that a program loads are found"
