"""From bytes to fingerprints, without Spark: charset, HTML to blocks, normalisation, hashing."""
