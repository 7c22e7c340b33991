"""Template tags of the shared look."""
