#!/usr/bin/env bash
# What a newcomer does: the two files of the README's quick start, in an empty folder, depending on
# a tag of this repository. Checks what the program prints against the README. Then the README's
# piece about a backend, run against the Shop's.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/lib.sh"

folder=$(mktemp -d)
trap 'stop_shop; rm -rf "$folder"' EXIT

git clone --quiet "$root" "$folder/Dovetail"
git -C "$folder/Dovetail" -c user.name=test -c user.email=test@localhost \
    tag --force --annotate --message newcomer 999.0.0

mkdir -p "$folder/QuickStart/Sources/QuickStart"
readme_block Package.swift |
    sed -E "s|url: \"[^\"]*\"|url: \"file://$folder/Dovetail\"|; s|from: \"[^\"]*\"|from: \"999.0.0\"|" \
        >"$folder/QuickStart/Package.swift"
readme_block main.swift >"$folder/QuickStart/Sources/QuickStart/main.swift"
readme_block output >"$folder/expected"
for file in QuickStart/Package.swift QuickStart/Sources/QuickStart/main.swift expected; do
    [ -s "$folder/$file" ] || fail "the README has no block for $file"
done

start=$SECONDS
swift build --package-path "$folder/QuickStart" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; fail "the README's quick start does not build"; }
echo "Newcomer: the README's quick start built from nothing in $((SECONDS - start)) s (goal 120 s)"
if grep -E "(^|/|: )warning: " "$folder/log" >&2; then fail "the quick start has warnings"; fi

(cd "$folder" && HOME=$folder XDG_DATA_HOME=$folder/data "$folder/QuickStart/.build/debug/QuickStart") \
    >"$folder/printed" || fail "the README's quick start failed"
diff "$folder/expected" "$folder/printed" || fail "the README shows another output"

# The same where everything belongs to the main actor unless it says otherwise, together with what
# else a model can be. A model protocol is nonisolated there, as models are read on any thread.
sed -i 's|name: "QuickStart", dependencies: \["Dovetail"\]|&, swiftSettings: [.defaultIsolation(MainActor.self)]|' \
    "$folder/QuickStart/Package.swift"
grep -q defaultIsolation "$folder/QuickStart/Package.swift" ||
    fail "the README's manifest has another form than newcomer.sh expects"
{
    readme_block main.swift | sed 's/^@ModelProtocol protocol/@ModelProtocol nonisolated protocol/'
    cat <<'SWIFT'
@ModelProtocol(unknown: .preserve) nonisolated protocol Part { var name: String { get } }
@ModelProtocol nonisolated protocol NamedPart: Part, Identifiable {}
@Model struct Wheel: NamedPart { var id: Int; var name: String; var size: Size = .small }
@Model enum Size: String { case small, big }
@Model enum Shape: Part { case circle(radius: Double), none; var name: String { "shape" } }
@Model enum Status { case open; @Fallback case other(String) }
enum Codes {
    enum Hex: ModelTransform {
        static func decode(_ value: String) throws -> Int { Int(value, radix: 16) ?? 0 }
        static func encode(_ value: Int) throws -> String { String(value, radix: 16) }
    }
    @Model struct Colour { @Attribute(.transformed(by: Hex.self)) var red: Int; let kind = "rgb" }
}
@Model(table: "machines") final class Machine {
    #Index<Machine>([\.status])
    @Attribute(.primaryKey, .generated) var number: Int64?
    @Attribute(.unique, .references(Machine.self, deleteRule: .nullify)) var next: Machine.ID = nil
    var parts: [any Part] = []
    var status: Status = .open
    var colour: Codes.Colour?
    init() {}
}
let machine = try Machine(
    decoding: Data(
        #"""
        {"parts":[{"$type":"Wheel","id":1,"name":"w","size":"big"},{"$type":"Shape","none":{}},
        {"$type":"Nobody","name":"n"}],"status":"new","colour":{"red":"ff","kind":"rgb"}}
        """#.utf8
    ),
    as: .json
)
print(machine.parts.map(\.name), machine.colour?.red ?? 0)
print(String(decoding: try machine.encoded(as: .json), as: UTF8.self))
SWIFT
} >"$folder/QuickStart/Sources/QuickStart/main.swift"
{
    cat "$folder/expected"
    echo '["w", "shape", "n"] 255'
    echo '{"parts":[{"$type":"Wheel","id":1,"name":"w","size":"big"},{"$type":"Shape","none":{}},{"$type":"Nobody","name":"n"}],"status":"new","colour":{"red":"ff","kind":"rgb"}}'
} >"$folder/isolated"
swift build --package-path "$folder/QuickStart" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; fail "the quick start does not build with the main actor as default"; }
if grep -E "(^|/|: )warning: " "$folder/log" >&2; then
    fail "the quick start has warnings with the main actor as default"
fi
(cd "$folder" && HOME=$folder XDG_DATA_HOME=$folder/isolated-data \
    "$folder/QuickStart/.build/debug/QuickStart") >"$folder/printed" ||
    fail "the quick start failed with the main actor as default"
diff "$folder/isolated" "$folder/printed" ||
    fail "the quick start prints something else with the main actor as default"
sed -i 's|, swiftSettings: \[.defaultIsolation(MainActor.self)\]||' "$folder/QuickStart/Package.swift"

# The plugin: the first predicate is one that only our macro takes, and two mistakes are shown where
# they are.
cp "$folder/QuickStart/Package.swift" "$folder/manifest"
sed -i 's|name: "QuickStart", dependencies: \["Dovetail"\]|&, plugins: [.plugin(name: "DovetailGenerate", package: "Dovetail")]|' \
    "$folder/QuickStart/Package.swift"
cat >"$folder/QuickStart/Sources/QuickStart/main.swift" <<'SWIFT'
import Dovetail

@Model enum Stage: String { case open, closed }
@Model struct Job { var note: String?; var stage: Stage?; var due: Date }
let late = #Predicate<Job> { $0.note == nil && $0.stage != .closed && $0.due < Date.now - 60 }
let jobs = [Job(note: nil, stage: .open, due: .distantPast), Job(note: nil, stage: .closed, due: .distantPast)]
print(try jobs.map { try late.evaluate($0) })
SWIFT
swift build --package-path "$folder/QuickStart" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; fail "a target with the plugin does not build"; }
if grep -E "(^|/|: )warning: " "$folder/log" >&2; then fail "a target with the plugin has warnings"; fi
[ "$("$folder/QuickStart/.build/debug/QuickStart")" = "[true, false]" ] ||
    fail "the predicate of a target with the plugin has another answer"
cat >"$folder/QuickStart/Sources/QuickStart/Models.swift" <<'SWIFT'
import Dovetail

@ModelProtocol protocol Part {}
@ModelProtocol(conformers: Wheel.self, Pair<Int>.self) protocol Listed: Part {}
@Model struct Wheel: Listed {}
@Model struct Pair<Value>: Listed where Value: ModelValue & Sendable { var value: Value }
enum Other {
    @Model(aliases: ["Wheel"]) struct Axle: Part {}
    @Model struct Bolt {}
    #if NEVER
        @Model(typeName: "Wheel") struct Wagon: Part {}
    #endif
}
@Model struct Bolt: Part {}
extension Other.Bolt: Part {}
@Model struct Door: Listed {}
SWIFT
if swift build --package-path "$folder/QuickStart" >"$folder/log" 2>&1; then
    fail "the plugin finds no mistakes"
fi
grep -oE "Models.swift:[0-9]+:[0-9]+: error: .*" "$folder/log" |
    sed "s|$folder/QuickStart/Sources/QuickStart/||" | sort -u >"$folder/mistakes" || true
diff "$folder/mistakes" - <<'MISTAKES' || fail "the plugin finds other mistakes"
Models.swift:14:15: error: two conformers of Part are called "Bolt" in documents: Other.Bolt at Models.swift:9:19 is the other one; give one of them @Model(typeName:)
Models.swift:16:15: error: Door conforms to Listed, whose list of conformers misses it; add Door.self there
Models.swift:8:39: error: two conformers of Part are called "Wheel" in documents: Wheel at Models.swift:5:15 is the other one; give one of them @Model(typeName:)
MISTAKES
rm "$folder/QuickStart/Sources/QuickStart/Models.swift"
mv "$folder/manifest" "$folder/QuickStart/Package.swift"

# The block of the README is part of a program that has a model and a context.
start_shop "$folder"
{
    echo 'import Dovetail'
    echo '@Model struct User: Identifiable { var id: Int; var name: String }'
    echo 'let container = try ModelContainer('
    echo '    for: User.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))'
    echo 'let context = ModelContext(container)'
    readme_block backend.swift | sed "s|http://www.example.com/api|$shop_url/api|"
} >"$folder/QuickStart/Sources/QuickStart/main.swift"
swift build --package-path "$folder/QuickStart" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; fail "the README's piece about a backend does not build"; }
"$folder/QuickStart/.build/debug/QuickStart" >"$folder/printed" ||
    fail "the README's piece about a backend failed"
[ "$(cat "$folder/printed")" = "2500 inserted, 0 updated, 0 deleted, 0 unchanged" ] ||
    fail "the README's piece about a backend printed: $(cat "$folder/printed")"
echo "Newcomer: the README's programs print what the README says, also on the main actor by default"
