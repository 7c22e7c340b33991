"""App settings."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "portal.config"
    label = "config"

    def ready(self) -> None:
        """Make our Celery app the one that wakes workers, in every thread of the web process too."""
        from portal.config.celery import app

        app.set_default()
