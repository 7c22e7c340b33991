"""The shipped signal catalogue: one reading of `experiments/signals/`, and look-ups in it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from experiments.domain.signal_model import Catalogue, Expression, Signal, Stack
from experiments.domain.signal_reading import read_folder
from portal.errors import NotFound

FOLDER = Path(__file__).parents[1] / "signals"


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """The shipped catalogue, read once. Raises CatalogueErrors where its files have been damaged."""
    return read_folder(FOLDER)


def signal(signal_id: str) -> Signal:
    """A signal by id. Raises NotFound."""
    found = catalogue().by_id.get(signal_id)
    if found is None:
        raise NotFound("signal.unknown", f"There is no signal {signal_id[:80]!r}.")
    return found


def stack(stack_id: str) -> Stack:
    """A stack by id. Raises NotFound, with the ids that exist."""
    found = catalogue().by_stack.get(stack_id)
    if found is None:
        known = sorted(catalogue().by_stack)
        raise NotFound(
            "stack.unknown",
            f"There is no stack {stack_id[:80]!r} (known: {', '.join(known)}).",
            extra={"known": known},
        )
    return found


@lru_cache(maxsize=512)
def expressions(signal_id: str, stack_id: str | None = None) -> tuple[Expression, ...]:
    """How a signal is measured, on one stack or on all, by stack. Raises NotFound for an unknown id."""
    wanted = signal(signal_id).id
    stacks = catalogue().stacks if stack_id is None else (stack(stack_id),)
    return tuple(each for one in stacks for each in one.expressions if each.signal == wanted)
