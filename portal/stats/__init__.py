"""Statistics of the product: plain numbers in, plain numbers out, no Django.

Which procedure is used when, and why: docs/reference/statistics.md.
"""
