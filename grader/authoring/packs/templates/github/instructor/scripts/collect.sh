#!/usr/bin/env bash
# collect.sh OWNER ASSIGNMENT OUT.tar [DEADLINE]: the files of every repository OWNER/ASSIGNMENT-*, as they are on the
# default branch now, or were before DEADLINE. Nothing of them is run. GH_TOKEN is in the environment.
# The time of a commit is what its author says: collect at the deadline where that matters.
set -euo pipefail
owner="$1" assignment="$2" out="$3" deadline="${4:-}"
if ! [[ "$assignment" =~ ^[A-Za-z0-9._-]+$ ]]; then
    echo "collect: an assignment is letters, digits, '.', '_' and '-'" >&2
    exit 2
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# The names first, so that an error of gh ends this.
gh repo list "$owner" --limit 5000 --no-archived --json name --jq '.[].name' >"$work/names"
# Nothing that a repository brings is acted upon: no hooks, no filters, no submodules, no links.
export GIT_TERMINAL_PROMPT=0 GIT_LFS_SKIP_SMUDGE=1 GIT_CONFIG_NOSYSTEM=1
folder="$work/$assignment-submissions"
mkdir "$folder"
failed=0
while IFS= read -r name; do
    case "$name" in "$assignment"-?*) ;; *) continue ;; esac
    # Their text never starts a line of this log.
    if ! gh repo clone "$owner/$name" "$work/clone" -- --quiet --bare 2>"$work/error"; then
        echo "collect: $name could not be cloned" >&2
        failed=1
        rm -rf "$work/clone"
        continue
    fi
    commit=HEAD
    if [ -n "$deadline" ]; then
        commit="$(git -C "$work/clone" rev-list -1 --before="$deadline" HEAD 2>/dev/null || true)"
    fi
    mkdir "$folder/$name"
    if [ -n "$commit" ] && git -C "$work/clone" rev-parse --quiet --verify "$commit^{tree}" >/dev/null; then
        git -C "$work/clone" archive --format=tar --prefix="$name/" "$commit" >"$work/one.tar"
        tar -x -C "$folder" --no-same-owner --no-same-permissions -f "$work/one.tar"
    else
        echo "collect: $name has no commit that counts" >&2
    fi
    find "$folder/$name" -type l -delete
    rm -rf "$work/clone" "$work/one.tar"
done <"$work/names"
if ! find "$folder" -mindepth 1 -maxdepth 1 | grep -q .; then
    echo "collect: no repository of $owner begins with $assignment-" >&2
    exit 1
fi
tar -c -C "$work" -f "$out" "$assignment-submissions"
[ "$failed" = 0 ] || echo "collect: not everything could be collected; see above" >&2
