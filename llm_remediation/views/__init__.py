"""Pages of roadmaps: list, draw up, one roadmap, changes of its steps, CSV."""
