#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image: Python 3.11 or newer, the grader, torch for the CPU.
set -euo pipefail
cd "$(dirname "$0")"
autograder="$(dirname "$PWD")"
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1

new_enough() {
    "$1" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

find_python() {
    for python in python3 python3.14 python3.13 python3.12 python3.11; do
        if new_enough "$python"; then
            return 0
        fi
    done
    return 1
}

if ! find_python; then
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends python3 python3-venv
    find_python || apt-get install -y -qq --no-install-recommends python3.11 python3.11-venv
    find_python
fi
"$python" -m venv "$autograder/venv"
pip=("$autograder/venv/bin/python" -m pip install --quiet -c constraints-grade.txt)
"${pip[@]}" --index-url https://download.pytorch.org/whl/cpu torch
"${pip[@]}" -r requirements-grade.txt
