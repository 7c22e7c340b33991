"""Roadmaps: which steps to take next under the budgets of an organisation, and what closes each of them."""
