"""The REST API of assessments: the same services and the same numbers as the pages."""
