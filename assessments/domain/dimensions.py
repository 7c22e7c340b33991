"""The six dimensions, in the order in which they are shown and in which ties are broken."""

from __future__ import annotations

from enum import StrEnum

from assessments.domain.texts import Text


class Dimension(StrEnum):
    """A dimension by its code; `REL-04` belongs to `REL`."""

    REL = "REL"
    OBS = "OBS"
    RCV = "RCV"
    EVO = "EVO"
    SEC = "SEC"
    COST = "COST"

    @property
    def full_name(self) -> Text:
        """The full name in both languages."""
        return _NAMES[self]


_NAMES = {
    Dimension.REL: Text("Reliability", "可靠性"),
    Dimension.OBS: Text("Observability", "可观测性"),
    Dimension.RCV: Text("Recoverability", "可恢复性"),
    Dimension.EVO: Text("Evolvability", "可演进性"),
    Dimension.SEC: Text("Security resilience", "安全韧性"),
    Dimension.COST: Text("Cost elasticity", "成本弹性"),
}

# One file per dimension in the folder of a matrix version.
FILES = {
    Dimension.REL: "reliability.yaml",
    Dimension.OBS: "observability.yaml",
    Dimension.RCV: "recoverability.yaml",
    Dimension.EVO: "evolvability.yaml",
    Dimension.SEC: "security.yaml",
    Dimension.COST: "cost.yaml",
}
