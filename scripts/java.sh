#!/bin/sh
# Prints the JAVA_HOME of a Java 17 or newer: one that is there, or one that it installs where it may.
set -eu

version() { "$1" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1; }
good() { [ -x "$1" ] && [ "$(version "$1")" -ge 17 ] 2>/dev/null; }
home() { dirname "$(dirname "$(readlink -f "$1" 2>/dev/null || echo "$1")")"; }

find_java() {
    for java in "${JAVA_HOME:-/nowhere}/bin/java" "$(command -v java || true)" \
        /usr/lib/jvm/*/bin/java /opt/homebrew/opt/openjdk*/bin/java /Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java; do
        if [ -n "$java" ] && good "$java"; then home "$java"; return 0; fi
    done
    return 1
}

find_java && exit 0

echo "No Java 17 or newer here; Spark needs one." >&2
if command -v apt-get >/dev/null; then
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo -n"
    if [ -z "$as_root" ] || sudo -n true 2>/dev/null; then
        echo "Installing one with apt-get." >&2
        { $as_root apt-get update -q && { $as_root apt-get install -qy --no-install-recommends openjdk-17-jre-headless ||
            $as_root apt-get install -qy --no-install-recommends default-jre-headless; }; } >&2
        find_java && exit 0
    fi
    echo "Type: sudo apt-get update && sudo apt-get install openjdk-17-jre-headless" >&2
elif command -v dnf >/dev/null; then
    echo "Type: sudo dnf install java-17-openjdk-headless" >&2
elif command -v brew >/dev/null; then
    echo "Type: brew install openjdk@17" >&2
else
    echo "Install one from https://adoptium.net and set JAVA_HOME." >&2
fi
exit 1
