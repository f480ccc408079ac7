"""The detectors: the whole list on one screen."""

from __future__ import annotations

from dedup.detectors.base import Detector
from dedup.detectors.single_md5 import SingleMD5
from dedup.detectors.tag_tree import TagTree

DETECTORS: dict[str, type[Detector]] = {d.name: d for d in (TagTree, SingleMD5)}

__all__ = ["DETECTORS", "Detector", "SingleMD5", "TagTree"]
