"""The Spark session: local, on a cluster through spark-submit, or on a Spark Connect server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pyspark.sql import SparkSession

from dedup.errors import UsageError

JAVA_NEEDED = 17

# Only what the job is right or bounded by; everything else belongs to conf/*.properties.
NEEDED = {
    "spark.sql.session.timeZone": "UTC",
    # Bounds a worker's memory where pages are large (bytes).
    "spark.sql.execution.arrow.maxBytesPerBatch": "8m",
    # The signing stage is bound by the parser, not by reading: small splits keep all cores busy to the end.
    "spark.sql.files.maxPartitionBytes": "32m",
}
LOCAL = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "2g",
    "spark.sql.shuffle.partitions": "16",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


def open_session(
    master: str | None = None,
    remote: str | None = None,
    properties: str | None = None,
    log: Path | None = None,
) -> SparkSession:
    """A session for the job; inside spark-submit or a notebook, the one that is there.

    Args:
        master: Spark master such as ``local[2]``; where nothing says otherwise, all cores of this machine.
        remote: address of a Spark Connect server (``sc://host:port``) instead.
        properties: a Spark properties file (``key value`` or ``key=value`` a line).
        log: file for Spark's own log where Spark starts on this machine; the terminal where None.

    Raises:
        UsageError: no Java, too old a Java, an unreadable file, or a server that does not answer.
    """
    told = read_properties(properties) if properties else {}
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ  # spark-submit runs us: it has made the choices
    builder = SparkSession.builder.appName("dedup")
    remote = remote or os.environ.get("SPARK_REMOTE")
    if remote:
        builder = builder.remote(remote)
        chosen = {**NEEDED, **told}
    elif submitted:
        chosen = {**told}
    else:
        check_java()
        builder = builder.master(master or told.get("spark.master") or f"local[{os.cpu_count() or 2}]")
        chosen = {**NEEDED, **LOCAL, **told}
    for key, value in chosen.items():
        builder = builder.config(key, value)
    try:
        with _stderr_to(None if remote or submitted else log):
            spark = builder.getOrCreate()
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    except Exception as error:
        where = remote or master or "this machine"
        more = f"\nSpark's own log: {log}" if log and log.exists() and log.stat().st_size else ""
        raise UsageError(f"Spark did not start on {where}: {_first_line(error)}{more}") from error
    return spark


@contextmanager
def _stderr_to(file: Path | None) -> Iterator[None]:
    """What starts meanwhile, the JVM and its workers, keeps writing its standard error to the file."""
    if file is None:
        yield
        return
    sys.stderr.flush()
    terminal = os.dup(2)
    try:
        with file.open("ab") as log:
            os.dup2(log.fileno(), 2)
        yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)


def check_java() -> None:
    """Look for Java before Spark does.

    Raises:
        UsageError: none, or older than Spark needs; says what to type.
    """
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    said = ""
    if java:
        with suppress(OSError):  # not there, no program, not for this machine
            said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', said)
    if not found or int(found[1]) < JAVA_NEEDED:
        have = f"{java} is version {found[1]}" if found else f"no Java found{f' under {home}' if home else ''}"
        raise UsageError(
            f"Spark needs Java {JAVA_NEEDED} or newer: {have}.\n"
            "Install it (Debian, Ubuntu: sudo apt-get install openjdk-17-jre-headless; "
            "macOS: brew install openjdk@17) or set JAVA_HOME."
        )


def read_properties(file: str) -> dict[str, str]:
    """A Spark properties file as spark-submit reads it.

    Raises:
        UsageError: unreadable, or a line without a value.
    """
    told: dict[str, str] = {}
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot read {file}: {why}") from None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        found = re.match(r"([^\s=:]+)\s*[=:\s]\s*(.+)$", text)
        if not found:
            raise UsageError(f"{file}, line {number}: {text!r} has no value; write key value")
        told[found[1]] = found[2]
    return told


def _first_line(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0]
