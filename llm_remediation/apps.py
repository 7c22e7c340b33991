"""App settings."""

from django.apps import AppConfig


class LlmRemediationConfig(AppConfig):
    name = "llm_remediation"
