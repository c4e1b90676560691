#!/bin/sh
# Makes .venv, installs the toolkit into it and grades examples/submission: a first result to look at.
# PYTHON=python3.12 ./setup.sh takes that Python. Running it again is harmless.
set -eu
cd "$(dirname "$0")"

new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

if ! [ -x .venv/bin/python ]; then
    for python in "${PYTHON:-python3}" python3.14 python3.13 python3.12 python3.11 none; do
        new_enough "$python" && break
    done
    if [ "$python" = none ]; then
        echo "setup: Python 3.11 or newer is needed. Name yours: PYTHON=/path/to/python3 ./setup.sh" >&2
        exit 2
    fi
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        echo "setup: $python has no venv module. On Debian and Ubuntu: apt install python3-venv" >&2
        exit 2
    fi
    "$python" -m venv .venv
fi

echo "Installing into .venv (torch is large: this takes minutes, once) …" >&2
.venv/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .

.venv/bin/grade submit examples/submission --exit-zero
echo
echo "This was examples/submission. Open grade-out/report.html in a browser; then fill in exercises/ and run:"
echo "  .venv/bin/grade submit exercises/"
