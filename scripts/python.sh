#!/bin/sh
# Prints a Python 3.11 or newer that runs; a name on the path may be a shim that does not.
for python in python3 python3.13 python3.12 python3.11 python; do
    if "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' >/dev/null 2>&1; then
        command -v "$python"
        exit 0
    fi
done
echo "No Python 3.11 or newer here. Debian, Ubuntu: sudo apt-get install python3 python3-venv; PYTHON=... names another." >&2
exit 1
