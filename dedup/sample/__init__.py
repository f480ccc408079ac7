"""A sample site with truth for each pair: made from a grammar and a seed, by the standard library alone."""

from dedup.sample.write import SampleSummary, write_sample

__all__ = ["SampleSummary", "write_sample"]
