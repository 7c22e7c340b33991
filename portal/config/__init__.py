"""Composition root: settings, URLs, Celery app and the commands that start the product."""
