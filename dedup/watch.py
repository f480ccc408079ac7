"""What a run tells while it runs, and the seconds each stage took."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

LIVE_SECONDS, LOG_SECONDS = 1.0, 30.0


class Watch:
    """Stage clock and progress lines on stderr.

    Stages may lie inside one another (the walk pairs and compares); each second is counted once, for the
    innermost. On a terminal the line of the running stage is kept up to date; elsewhere it is said again now and
    then, so that a log shows that the run is alive.

    Attributes:
        seconds: wall seconds a stage.
    """

    def __init__(self, quiet: bool = False, stream: TextIO | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._live = not quiet and self._stream.isatty()
        self._open: list[str] = []
        self._since = time.monotonic()
        self._start = self._since
        self._end = threading.Event()
        self._done: Callable[[], str] = str
        if not quiet:
            threading.Thread(target=self._tick, daemon=True).start()

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self._count()
        self._open.append(name)
        try:
            yield
        finally:
            self._count()
            self._open.pop()

    def say(self, text: str) -> None:
        """One line that stays: what the stage came to."""
        if not self._quiet:
            clear = "\r\x1b[K" if self._live else ""
            name = self._open[-1] if self._open else ""
            print(f"{clear}{self._clock()}  {name:<9} {text}", file=self._stream, flush=True)

    def follow(self, done: Callable[[], str]) -> None:
        """Ask ``done`` how far the running stage has come, such as ``"12,000 rows"``."""
        self._done = done

    def close(self) -> None:
        self._count()
        self._end.set()
        if self._live:
            self._stream.write("\r\x1b[K")

    def _count(self) -> None:
        now = time.monotonic()
        if self._open:
            name = self._open[-1]
            self.seconds[name] = self.seconds.get(name, 0.0) + now - self._since
        self._since = now

    def _clock(self) -> str:
        minutes, seconds = divmod(int(time.monotonic() - self._start), 60)
        return f"{minutes:3d}:{seconds:02d}"

    def _tick(self) -> None:
        while not self._end.wait(LIVE_SECONDS if self._live else LOG_SECONDS):
            if not self._open:
                continue
            name, done = self._open[-1], self._done()
            if self._live:
                self._stream.write(f"\r\x1b[K{self._clock()}  {name:<9} … {done}")
                self._stream.flush()
            elif done:
                self.say(f"… {done}")
