"""A whole run: pages read, cleaned, published; or no output at all."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from pyspark.sql import SparkSession

from dedup import __version__
from dedup.config import Settings
from dedup.io.pages import explained, read_pages
from dedup.io.publish import Output
from dedup.pipeline import deduplicate
from dedup.rules import told
from dedup.text import TEXT_VERSION
from dedup.watch import Watch

LIBRARIES = ("pyspark", "pyarrow", "numpy", "turbohtml")


def run(spark: SparkSession, settings: Settings, output: Output, watch: Watch) -> dict[str, Any]:
    """Run the job and publish its tables.

    Args:
        spark: the session, classic or Connect.
        settings: with input, output and run id.
        output: the output folder, already checked.
        watch: progress and stage times.

    Returns:
        the manifest.

    Raises:
        DataError, UsageError: what the user can mend; nothing is published then.
    """
    started = datetime.now(UTC)
    output.start()
    watch.follow(output.done)
    try:
        wanted = tuple(key.column for key in settings.keep_order)
        pages = read_pages(spark, settings.input, wanted)
        result = deduplicate(pages, settings, output.settle, watch)
        manifest = {
            "run_id": settings.run_id,
            "tool": f"pagededup {__version__}",
            "started_at": started.isoformat(timespec="seconds"),
            "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "exact": result.comparisons["exact"],
            "counts": result.counts,
            "comparisons": result.comparisons,
            "seconds": {name: round(spent, 2) for name, spent in watch.seconds.items()},
            "detector": repr(settings.build_detector()),
            "rule": told(settings.build_detector().rule),
            "text_version": TEXT_VERSION,
            "settings": settings.model_dump(mode="json"),
            "versions": {
                "python": platform.python_version(),
                "spark": spark.version,
                **{name: version(name) for name in LIBRARIES},
            },
        }
        output.publish(manifest)
    except Exception as error:
        fault = explained(error)
        fault.add_note("Nothing was published.")
        raise fault from error
    finally:
        if not settings.output.keep_work:
            output.clear()
    return manifest
