"""``python -m dedup.sample DIR`` writes the sample site."""

from __future__ import annotations

import argparse
from pathlib import Path

from dedup.sample.write import SEED, write_sample


def main() -> None:
    """Write the sample and say in one line what it is."""
    parser = argparse.ArgumentParser(prog="python -m dedup.sample", description="Write the sample site.")
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder to write to")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed writes other articles")
    parser.add_argument("--pages", type=int, help="about this many pages instead of about 400")
    given = parser.parse_args()
    done = write_sample(given.folder, given.seed, given.pages)
    print(
        f"{given.folder}: {done.pages} pages of {done.sites} sites, "
        f"{done.pairs} judged pairs, {done.duplicate_pairs} of them duplicates"
    )


if __name__ == "__main__":
    main()
