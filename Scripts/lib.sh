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

# What a build of the package needs for DovetailPostgres.
need_libpq() {
    need_package libpq-dev test -e /usr/include/postgresql/libpq-fe.h -o -e /usr/include/libpq-fe.h
}

need_python() {
    need_package python3 python3 --version
}

# postgres_programs: the folder of initdb and its like; Debian keeps it off the PATH, one a version.
postgres_programs() {
    local folder
    folder=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t / -k 5 -n | tail -n 1) || true
    [ -n "$folder" ] || folder=$(dirname "$(command -v initdb)" 2>/dev/null)
    [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ] && echo "$folder"
}

# need_postgres: whether there is a PostgreSQL server, which is installed where it is missing.
need_postgres() {
    postgres_programs >/dev/null || (need_package postgresql postgres_programs)
}

# need_pgbouncer: whether there is a PgBouncer, which is installed where it is missing. The service that Debian
# starts with it is none of the tests'.
need_pgbouncer() {
    [ -x /usr/sbin/pgbouncer ] || (need_package pgbouncer test -x /usr/sbin/pgbouncer)
}

# unprivileged COMMAND…: runs it, and as root by a user who may do nothing, since PostgreSQL refuses root.
unprivileged() {
    [ "$(id -u)" -eq 0 ] || { "$@"; return; }
    setpriv --reuid="$(postgres_user)" --regid="$(id -g "$(postgres_user)")" --clear-groups "$@"
}

# postgres_user: the user who is meant for it, where there is one.
postgres_user() {
    if id postgres >/dev/null 2>&1; then echo postgres; else echo nobody; fi
}

# start_postgres FOLDER: makes a cluster in FOLDER/data, which must not exist, and runs a server for
# tests on loopback and on a socket in FOLDER; sets DOVETAIL_POSTGRES to where it is. Whoever calls it
# calls stop_postgres at the end (trap … EXIT).
start_postgres() {
    local programs tries=0 port
    programs=$(postgres_programs) || fail "there is no PostgreSQL server"
    postgres_folder=$1
    [ "$(id -u)" -ne 0 ] || chown "$(postgres_user)" "$1"
    unprivileged "$programs/initdb" -D "$1/data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 \
        --no-sync >"$1/initdb.log" 2>&1 || { cat "$1/initdb.log" >&2; fail "initdb failed"; }
    # Nothing is left to a crash of the machine: the cluster ends with the tests.
    unprivileged tee -a "$1/data/postgresql.conf" >/dev/null <<END
listen_addresses = '127.0.0.1'
unix_socket_directories = '$1'
max_connections = 200
max_prepared_transactions = 20
fsync = off
synchronous_commit = off
full_page_writes = off
timezone = 'UTC'
END
    # Another program may take the port before the server does. Those that the system gives to
    # connections are above 32767.
    while :; do
        port=$(python3 -c 'import random, socket
while True:
    port = random.randrange(10000, 32000)
    try: socket.socket().bind(("127.0.0.1", port))
    except OSError: continue
    print(port); break')
        unprivileged "$programs/pg_ctl" start -D "$1/data" -l "$1/log" -o "-p $port" -w -t 60 \
            >/dev/null 2>&1 </dev/null && break
        tries=$((tries + 1))
        [ "$tries" -lt 5 ] || { tail -n 20 "$1/log" >&2; fail "the PostgreSQL server does not start"; }
    done
    export DOVETAIL_POSTGRES="postgresql://postgres@127.0.0.1:$port/postgres"
}

# postgres_for_tests FOLDER: starts a server in FOLDER/postgres, unless the environment names one, or none
# can be installed. Then the tests that need it are skipped.
postgres_for_tests() {
    need_pgbouncer || echo "There is no PgBouncer: its tests are skipped"
    (need_package openssl openssl version) || echo "There is no openssl: its tests are skipped"
    if [ -n "${DOVETAIL_POSTGRES:-}" ]; then
        echo "Using the PostgreSQL server of DOVETAIL_POSTGRES"
    elif need_postgres; then
        # The server's user has to get to its folder.
        chmod a+x "$1"
        mkdir "$1/postgres"
        start_postgres "$1/postgres"
    else
        echo "There is no PostgreSQL server: its tests are skipped"
    fi
}

# stop_postgres: stops the server of start_postgres, if there is one, whoever is connected.
stop_postgres() {
    [ -n "${postgres_folder:-}" ] || return 0
    unprivileged "$(postgres_programs)/pg_ctl" stop -D "$postgres_folder/data" -m immediate -w \
        >/dev/null 2>&1 || true
    postgres_folder=
    unset DOVETAIL_POSTGRES
}

# find_objects FOLDER TARGET…: what a debug build in the folder has compiled of targets, as the array `objects`. Of a file
# that was renamed or deleted since, the build keeps the object, which is left out.
find_objects() {
    local build=$1 target object
    shift
    objects=()
    for target in "$@"; do
        local -A sources=()
        while IFS= read -r object; do sources[${object##*/}]=1; done < <(find "$root/Sources/$target" -type f)
        while IFS= read -r object; do
            [ -z "${sources[$(basename "$object" .o)]:-}" ] || objects+=("$object")
        done < <(find "$build/$target.build" -name '*.o')
    done
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
