# shellcheck shell=bash
# Builds the Action's image and runs it as GitHub's runner does, without a daemon and without pulling an image. Source it after lib.sh:
#
#     become_root to build and run an image
#     build_image                 # from what git would commit here; seconds when the packages are in the cache
#     run_image WORKSPACE FILES OUT [NAME=VALUE…]
#
# The base that the Dockerfile names cannot be pulled where only package registries are reached. `debootstrap` makes the same release from
# its packages, with the documentation left out as in the published "slim" images. So what is tested is the Dockerfile itself,
# its apt-get line included, on a base that is not bit for bit the published one.

image=localhost/toolreplay-action
images=$CACHE/images-1 # another number when base_image changes: a base is kept as long as its name
buildah=(buildah --root "$images/storage" --runroot "$images/run" --storage-driver vfs)
export BUILDAH_ISOLATION=chroot

# open_images: the tools are there, and no other run uses the image store until this step ends.
open_images() {
    need_apt buildah debootstrap
    mkdir -p "$images"
    lock images
    "${buildah[@]}" rm --all >/dev/null # left by a run that was killed
    # shellcheck disable=SC2016 # expanded when it runs
    at_exit '"${buildah[@]}" rm --all >/dev/null'
}

have_image() { "${buildah[@]}" inspect --type image "$1" >/dev/null 2>&1; }

# base_image: makes the image that the Dockerfile's ARG BASE names, under that name, unless the store has it.
base_image() {
    local name suite container root
    name=$(sed -n 's/^ARG BASE=//p' Dockerfile)
    have_image "$name" && return 0
    case $name in
        */debian:13.*-slim) suite=trixie ;;
        *) fail "no way to make the base image $name" ;;
    esac
    say "making $name"
    [[ -e /usr/share/keyrings/debian-archive-keyring.gpg ]] || apt_install debian-archive-keyring
    container=$("${buildah[@]}" from scratch)
    root=$("${buildah[@]}" mount "$container")
    retry bootstrap "$suite" "$root" || fail "debootstrap could not make $suite"
    printf 'path-exclude /usr/share/%s/*\n' doc info locale man >"$root/etc/dpkg/dpkg.cfg.d/slim"
    rm -rf "$root"/usr/share/{doc,info,locale,man}/* "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
    "${buildah[@]}" config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --cmd bash "$container"
    "${buildah[@]}" commit --quiet "$container" "$name" >/dev/null
    "${buildah[@]}" rm "$container" >/dev/null
}
bootstrap() {
    find "$2" -mindepth 1 -delete
    debootstrap --variant=minbase "$1" "$2" >"$TMP/debootstrap.log" 2>&1 || {
        tail -n 20 "$TMP/debootstrap.log" >&2
        return 1
    }
}

# build_image: the Dockerfile, in two calls: the stage that holds the packages keeps a name of its own, so that it stays in the cache
# when the image above it is replaced.
build_image() {
    open_images
    base_image
    source_copy "$TMP/context"
    build_stage "$image-runtime" --target runtime
    build_stage "$image"
    container=$("${buildah[@]}" from --pull-never "$image")
    "${buildah[@]}" inspect --type image "$image" >"$TMP/image.json"
    local python
    python=$(newest_python)
    mapfile -d '' -t entrypoint < <("$python" -I -c '
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    config = json.load(file)["OCIv1"]["config"]
print(*config["Entrypoint"], *config.get("Cmd") or [], sep="\0", end="\0")
' "$TMP/image.json")
    [[ ${#entrypoint[@]} -gt 0 ]] || fail "the image has no entry point"
    at_exit 'remove_unused_images'
}
build_stage() {
    local tag=$1
    shift
    "${buildah[@]}" build --pull-never --layers --format docker --tag "$tag" "$@" "$TMP/context" >"$TMP/build.log" 2>&1 || {
        tail -n 40 "$TMP/build.log" >&2
        fail "the image could not be built"
    }
}
# What an earlier build left without a name. Its layers are whole copies in this kind of store.
remove_unused_images() { "${buildah[@]}" rmi --prune >/dev/null; }

# run_image WORKSPACE FILES OUT [NAME=VALUE…]: runs the entry point once, and gives its exit code.
# WORKSPACE (absolute, as all three) is /github/workspace and the working folder; the runner's command files are empty files in FILES:
# env, output, path, state, step_summary. OUT gets stdout and stderr. The variables come after the runner's own, and may replace them.
run_image() { run_in_image "$1" "$2" "$3" "${@:4}" -- "${entrypoint[@]}"; }

# run_in_image WORKSPACE FILES OUT [NAME=VALUE…] -- COMMAND ARG…: another command, with all else the same.
run_in_image() {
    local workspace=$1 files=$2 out=$3 name variables=()
    shift 3
    mkdir -p "$files" "$out" "$TMP/home" "$TMP/workflow"
    for name in env output path state step_summary; do
        : >"$files/$name"
        variables+=(--env "GITHUB_${name^^}=/github/file_commands/$name")
    done
    while [[ $1 != -- ]]; do
        variables+=(--env "$1")
        shift
    done
    shift
    rm -f "$out/code"
    local wrapper='
import subprocess, sys
with open("/out/stdout", "wb") as out, open("/out/stderr", "wb") as err:
    code = subprocess.run(sys.argv[1:], stdout=out, stderr=err).returncode
with open("/out/code", "w") as file:
    print(code if code >= 0 else 128 - code, file=file)
'
    # The wrapper only parts the streams and keeps the exit code, for buildah adds lines of its own to stderr. It is no shell:
    # dash drops variables whose names hold a dash.
    timeout 120 "${buildah[@]}" run \
        --workingdir /github/workspace \
        --volume "$workspace:/github/workspace" --volume "$files:/github/file_commands" --volume "$out:/out" \
        --volume "$TMP/home:/github/home" --volume "$TMP/workflow:/github/workflow" \
        --env CI=true --env GITHUB_ACTIONS=true --env HOME=/github/home --env GITHUB_WORKSPACE=/github/workspace \
        --env GITHUB_EVENT_PATH=/github/workflow/event.json --env RUNNER_OS=Linux --env RUNNER_TEMP=/home/runner/_temp \
        "${variables[@]}" "$container" -- \
        /usr/bin/python3 -I -S -c "$wrapper" "$@" </dev/null >"$TMP/run.log" 2>&1 || true
    [[ -s $out/code ]] || {
        tail -n 20 "$TMP/run.log" >&2
        fail "the image did not run"
    }
    return "$(cat "$out/code")"
}
