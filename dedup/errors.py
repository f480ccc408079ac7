"""What a user is told when a run cannot go on, and the exit code that says it to a scheduler."""

from __future__ import annotations

import re

EXIT_DONE = 0
EXIT_CRASH = 1
EXIT_USAGE = 2  # a word of the command line or a setting
EXIT_DATA = 3  # the input breaks its contract: missing column, unreadable file, nothing in it, too many faults


class UsageError(Exception):
    """The command or the settings cannot be used as they are."""


class DataError(Exception):
    """The input is not what it was said to be; the message names the place and the way out."""


def in_words(error: Exception) -> str:
    """A fault of the program or of Spark, in a line that says what it was, without the trace."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and not _TRACE.match(line)]
    if not lines:
        return type(error).__name__
    # Errors that come out of the JVM say first where they passed through, and last what went wrong.
    passed = lines[0].startswith(("An exception was thrown from the Python worker", "An error occurred while calling"))
    causes = [line for line in lines if line.startswith("Caused by: ")]
    told = (causes or lines)[-1].removeprefix("Caused by: ") if passed else lines[0]
    return f"{type(error).__name__}: {told.removeprefix(': ')[:500]}"


_TRACE = re.compile(r"\s+at \S+\(|\s*\.\.\. \d+ (more|elided)|Driver stacktrace:")
