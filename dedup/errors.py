"""What a user is told when a run cannot go on, and the exit code that says it to a scheduler."""

from __future__ import annotations

EXIT_DONE = 0
EXIT_CRASH = 1
EXIT_USAGE = 2  # a word of the command line or a setting
EXIT_DATA = 3  # the input breaks its contract: missing column, unreadable file, nothing in it, too many faults


class UsageError(Exception):
    """The command or the settings cannot be used as they are."""


class DataError(Exception):
    """The input is not what it was said to be; the message names the place and the way out."""
