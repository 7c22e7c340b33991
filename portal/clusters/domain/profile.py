"""Kinds and tags decide which practices apply; the matrix uses the same words."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("serve", "train")
TAGS = ("moe", "lora", "rag", "multi-tenant", "spot")
TIERS = (1, 2, 3)
MOST_GPUS = 1_000_000


@dataclass(frozen=True, slots=True)
class ClusterProfile:
    """What a cluster runs: the kinds of work and the traits that bring practices of their own."""

    kinds: frozenset[str]
    tags: frozenset[str]
