"""From bytes to fingerprints, without Spark: charset, HTML to blocks, ranks, normalisation, pieces, hashing."""

TEXT_VERSION = 2
"""Raised whenever the same page may get another signature: signatures of different versions do not compare."""
