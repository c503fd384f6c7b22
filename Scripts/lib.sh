# What the scripts share. Sourced, not run; bash, as root or through sudo.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

fail() {
    echo "error: $*" >&2
    exit 1
}

# first_line TEXT: its first line that is not empty.
first_line() {
    local line
    while IFS= read -r line; do
        [ -n "$line" ] || continue
        echo "$line"
        return
    done <<<"$1"
    echo "it says nothing"
}

# One clear line when the toolchain is missing, does not start or is too old.
need_swift() {
    command -v swift >/dev/null 2>&1 ||
        fail "no Swift toolchain on the PATH; install Swift 6.3 or later from https://swift.org/install"
    local said version status=0
    # A toolchain may be there and not start: a library that is missing, another architecture.
    said=$(swift --version 2>&1) || status=$?
    [ "$status" -eq 0 ] ||
        fail "the Swift toolchain at $(command -v swift) does not start (status $status): $(first_line "$said")"
    version=$(echo "$said" | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    case "$version" in
        6.[3-9] | 6.[1-9][0-9] | [7-9].* | [1-9][0-9].*) ;;
        *) fail "Swift ${version:-of an unknown version} is too old; install Swift 6.3 or later from https://swift.org/install" ;;
    esac
}

# need_package PACKAGE TEST…: installs a Debian package unless the test command succeeds.
need_package() {
    local package=$1
    shift
    "$@" >/dev/null 2>&1 && return
    command -v apt-get >/dev/null 2>&1 || fail "$package is missing and there is no apt-get to install it"
    local sudo=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || fail "$package is missing; install it, or run this as root"
        sudo=sudo
    fi
    echo "Installing $package"
    $sudo apt-get install -y -qq "$package" >/dev/null 2>&1 ||
        { $sudo apt-get update -qq && $sudo apt-get install -y -qq "$package" >/dev/null; } ||
        fail "$package could not be installed"
}

need_sqlite() {
    need_package libsqlite3-dev test -e /usr/include/sqlite3.h
}

need_python() {
    need_package python3 python3 --version
}

# start_shop FOLDER: starts the demo's backend; sets shop_url and shop_pid.
start_shop() {
    python3 "$root/Examples/Shop/backend.py" --port-file "$1/port" &
    shop_pid=$!
    local tries=0
    until [ -s "$1/port" ]; do
        kill -0 "$shop_pid" 2>/dev/null || fail "the backend did not start"
        tries=$((tries + 1))
        [ "$tries" -le 100 ] || fail "the backend did not start within ten seconds"
        sleep 0.1
    done
    shop_url="http://127.0.0.1:$(cat "$1/port")"
}

stop_shop() {
    [ -n "${shop_pid:-}" ] || return 0
    kill "$shop_pid" 2>/dev/null
    wait "$shop_pid" 2>/dev/null
    shop_pid=
}

# readme_block NAME: the code block after the line `<!-- NAME -->`.
readme_block() {
    awk -v mark="<!-- $1 -->" '
        $0 == mark { found = 1; next }
        found && /^```/ { if (inside) exit; inside = 1; next }
        inside { print }
    ' "$root/README.md"
}
