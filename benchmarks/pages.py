"""Pages to measure on: real ones where they are, else the sample site."""

from __future__ import annotations

import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds

from dedup.sample import write_sample

COLUMNS = ("page_id", "url", "html", "fetched_at")
REAL = Path(os.environ.get("DEDUP_DATA", Path(__file__).parents[2] / "shared" / "data")) / "pages"


def default_pages(path: str | None, limit: int) -> pa.Table:
    """At most ``limit`` pages of a Parquet dataset, of the real pages, or of the sample site; evenly spread."""
    if path or REAL.exists():
        dataset = ds.dataset(path or REAL, format="parquet")
        count = dataset.count_rows()
        table = dataset.to_table(columns=list(COLUMNS))
        step = max(1, count // limit)
        return table.take(pa.array(range(0, count, step))[:limit]) if step > 1 else table.slice(0, limit)
    print("no real pages here (DEDUP_DATA names their folder): measuring on the sample site", file=sys.stderr)
    with tempfile.TemporaryDirectory() as site:
        write_sample(Path(site))
        files = sorted(Path(site, "pages").rglob("*.html"))
        now = datetime.now(UTC)
        rows = [{"page_id": str(f), "url": f.as_uri(), "html": f.read_bytes(), "fetched_at": now} for f in files]
    return pa.Table.from_pylist(rows[:limit])
