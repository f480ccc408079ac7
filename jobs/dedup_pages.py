"""The door for spark-submit: the same words as the ``dedup`` command."""

from dedup.cli import main

main()
