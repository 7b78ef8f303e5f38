# shellcheck shell=bash
# What the steps share. A step begins with:  source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# It then stands in the project's root, stops at the first failing command, and has a folder $TMP that goes when it ends.
set -euo pipefail
STEP=$(realpath "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Tools and images outlive a run here. Everything below it is named after what it was made from, so it may be deleted at any time.
CACHE=${TOOLREPLAY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/toolreplay-ci}
mkdir -p "$CACHE"
CACHE=$(cd "$CACHE" && pwd)

# at_exit COMMAND: runs COMMAND (one string) when the step ends, however it ends; the last one first.
at_exit_commands=()
at_exit() { at_exit_commands=("$1" ${at_exit_commands[@]+"${at_exit_commands[@]}"}); }
run_at_exit() {
    local command
    for command in ${at_exit_commands[@]+"${at_exit_commands[@]}"}; do
        eval "$command" || true
    done
}
trap run_at_exit EXIT

TMP=$(mktemp -d)
# shellcheck disable=SC2016 # expanded when it runs
at_exit 'rm -rf "$TMP"'

# say TEXT…: a heading inside a step.
say() { printf -- '--- %s\n' "$*"; }

# fail TEXT…: ends the step as failed.
fail() {
    printf 'failed: %s\n' "$*" >&2
    exit 1
}

# skip REASON…: ends the step as skipped. With CI=true the run counts that as a failure.
skip() {
    printf 'skipped: %s\n' "$*"
    [[ -z ${TOOLREPLAY_SKIP_REASON:-} ]] || printf '%s\n' "$*" >"$TOOLREPLAY_SKIP_REASON"
    exit 77
}

# retry COMMAND ARG…: tries three times, for what goes over a network. COMMAND is one program or function that returns its own failure.
retry() {
    local pause
    for pause in 3 10 0; do
        "$@" && return 0
        [[ $pause -eq 0 ]] || sleep "$pause"
    done
    return 1
}

# lock NAME: waits until no other run on this machine holds NAME in the cache; held until the step or subshell ends.
lock() {
    command -v flock >/dev/null || return 0
    local handle
    exec {handle}>"$CACHE/$1.lock"
    flock "$handle"
}

# as_root COMMAND ARG…: as root, by sudo where that asks no password. need_root REASON… skips the step where neither is to be had.
as_root() {
    if [[ $(id -u) -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}
need_root() { as_root true 2>/dev/null || skip "needs root, $*"; }

# become_root REASON…: runs the whole step as root, or skips it.
become_root() {
    [[ $(id -u) -ne 0 ]] || return 0
    need_root "$@"
    # With a cache of its own: files of root's in the user's one could not be replaced later.
    exec sudo -n env TOOLREPLAY_CACHE="$CACHE-root" TOOLREPLAY_SKIP_REASON="${TOOLREPLAY_SKIP_REASON:-}" CI="${CI:-}" "$STEP"
}

# need_apt COMMAND[:PACKAGE]…: installs the Debian package (named like the command unless told) of each command that is missing.
need_apt() {
    local wish packages=()
    for wish in "$@"; do
        command -v "${wish%%:*}" >/dev/null || packages+=("${wish##*:}")
    done
    [[ ${#packages[@]} -eq 0 ]] || apt_install "${packages[@]}"
}

# apt_install PACKAGE…: takes fresh package lists at most once an hour. A source of the machine that doesn't answer is no matter of ours.
apt_install() {
    command -v apt-get >/dev/null || skip "needs the Debian packages: $*"
    need_root "to install: $*"
    (
        lock apt
        if [[ -z $(find "$CACHE/apt-updated" -mmin -60 2>/dev/null) ]]; then
            retry apt_get update || true
            touch "$CACHE/apt-updated"
        fi
        retry apt_get install --yes --no-install-recommends "$@"
    ) >"$TMP/apt.log" 2>&1 || {
        tail -n 20 "$TMP/apt.log" >&2
        fail "apt-get could not install: $*"
    }
}
apt_get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@"; }

# pythons: a line "MINOR PATH" for each minor version of CPython from 3.11 up that runs here, oldest first, each once:
# the one on PATH if it works, else the newest that pyenv holds. PATH is the interpreter itself, not a launcher that chooses one.
pythons() {
    local minor candidate path
    for minor in 3.11 3.12 3.13 3.14; do
        while read -r candidate; do
            # A pyenv launcher exists for versions that are not switched on, so only running it tells.
            if path=$("$candidate" -I -c 'import sys; print("%d.%d" % sys.version_info[:2], sys.executable)' 2>/dev/null) &&
                [[ $path == "$minor /"* && -x ${path#* } ]]; then
                printf '%s\n' "$path"
                break
            fi
        done < <(
            printf '%s\n' "python$minor" python3 python
            printf '%s\n' "${PYENV_ROOT:-$HOME/.pyenv}/versions/$minor".*/bin/python3 | sort -rV
        )
    done
}

# oldest_python, newest_python: the path alone.
oldest_python() { one_python head; }
newest_python() { one_python tail; }
one_python() {
    local lines
    lines=$(pythons)
    [[ -n $lines ]] || fail "no Python from 3.11 up"
    "$1" -n 1 <<<"$lines" | cut -d ' ' -f 2-
}

# group NAME: the requirements of a dependency group of pyproject.toml, one a line.
group() {
    local python
    python=$(newest_python)
    "$python" -I - "$1" <<'EOF'
import sys, tomllib
with open("pyproject.toml", "rb") as file:
    for requirement in tomllib.load(file)["dependency-groups"][sys.argv[1]]:
        print(requirement)
EOF
}

# venv PYTHON REQUIREMENT…: prints the folder of a virtual environment of that interpreter which holds just these packages.
# It is made once for each interpreter and list, and is shared between runs: install nothing into it.
venv() {
    local python=$1 key
    shift
    key=$("$python" -I -c '
import hashlib, sys
made_from = [sys.version, sys.base_prefix, *sys.argv[1:]]
print("%d.%d-" % sys.version_info[:2] + hashlib.sha256("\n".join(made_from).encode()).hexdigest()[:16])
' "$@")
    cached "venvs/$key" make_venv "$python" "$@" || fail "could not make a virtual environment with: $*"
}
make_venv() {
    local folder=$1 python=$2
    shift 2
    "$python" -I -m venv "$folder" || return 1
    [[ $# -eq 0 ]] || retry "$folder/bin/python" -I -m pip install --quiet "$@"
}

# dev_venv PYTHON: such an environment with the development tools, as pyproject.toml pins them.
dev_venv() {
    local requirements
    requirements=$(group dev)
    mapfile -t requirements <<<"$requirements"
    venv "$1" "${requirements[@]}"
}

# npm_tool PACKAGE@VERSION: prints the folder of an npm package with what it depends on; its commands are in node_modules/.bin.
npm_tool() {
    command -v npm >/dev/null || skip "needs npm for: $1"
    cached "npm/${1//\//+}" make_npm_tool "$1" || fail "could not install the npm package $1"
}
make_npm_tool() {
    mkdir "$1" || return 1
    # Install scripts do not run: they would fetch programs from elsewhere.
    retry npm install --prefix "$1" --no-save --ignore-scripts --no-audit --no-fund --loglevel=error "$2"
}

# cached NAME MAKER ARG…: prints the folder NAME in the cache, after `MAKER FOLDER ARG…` has made it if it wasn't there.
cached() {
    local folder=$CACHE/$1 maker=$2
    shift 2
    mkdir -p "${folder%/*}"
    (
        lock "${folder#"$CACHE/"}"
        # The mark is written last: what was cut off while it was made is made anew.
        if [[ ! -e $folder/complete ]]; then
            rm -rf "$folder"
            "$maker" "$folder" "$@" && touch "$folder/complete"
        fi
    ) >&2 || return 1
    printf '%s\n' "$folder"
}

# source_copy FOLDER: copies what git would commit from here, so that a build neither sees nor leaves anything else.
source_copy() {
    mkdir -p "$1"
    git -c safe.directory='*' ls-files -z --cached --others --exclude-standard |
        while IFS= read -r -d '' file; do
            [[ ! -e $file && ! -L $file ]] || printf '%s\0' "$file" # deleted, but not yet in the index
        done |
        tar --null --files-from=- --create | tar --extract --directory="$1"
}
