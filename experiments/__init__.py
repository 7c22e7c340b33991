"""Chaos experiments (steady state, inject, window, verdict). Nothing stands here yet; see docs/plan.md."""
