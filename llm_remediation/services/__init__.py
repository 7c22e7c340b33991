"""Writes of roadmaps: each in one transaction with its audit entry."""
