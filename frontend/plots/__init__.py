"""Charts as data: dataclasses in, plain dicts or SVG text out; no framework, no drawing library."""
