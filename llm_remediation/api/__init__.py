"""The REST API of roadmaps: the same services and the same numbers as the pages."""
