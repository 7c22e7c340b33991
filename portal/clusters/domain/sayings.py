"""What a person says about a cluster or a service, before it is checked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterData:
    """What a person says about a cluster."""

    name: str
    gpu_sku: str = ""
    gpu_count: int = 0
    engine: str = ""
    environment: str = "production"
    kinds: tuple[str, ...] = ("serve",)
    tags: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceData:
    """What a person says about a service."""

    name: str
    kind: str = "serve"
    model: str = ""
    tier: int = 2
    in_scope: bool = True
    tags: tuple[str, ...] = ()
