"""Management commands of the assessments app."""
