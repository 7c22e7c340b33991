"""Typst documents: data in, PDF out; the row of a report is its queue."""
