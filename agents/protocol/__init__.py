"""The small language portal and agent share: standard-library dataclasses only."""
