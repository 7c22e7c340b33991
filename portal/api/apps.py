"""App settings."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "portal.api"
    label = "api"

    def ready(self) -> None:
        """drf-spectacular finds our scheme once its module is loaded."""
        from portal.api import schema  # noqa: F401
