"""The Celery app. The broker only wakes workers; what is to be done stands in database rows."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.config.settings")

from django.conf import settings

app = Celery("ballast")
app.conf.update(
    broker_url=settings.BROKER_URL,
    task_ignore_result=True,
    task_acks_late=True,
    worker_prefetch_multiplier=1,
    broker_connection_retry_on_startup=True,
    timezone="UTC",
    task_default_queue="ballast",
    beat_schedule={"reap-reports": {"task": "portal.reports.tasks.reap", "schedule": 30.0}},
    beat_schedule_filename=str(settings.VAR_DIR / "beat-schedule"),
)
if settings.BROKER_URL.startswith("filesystem:"):
    folders = {name: settings.VAR_DIR / "broker" / name for name in ("queue", "processed", "control")}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    app.conf.broker_transport_options = {
        "data_folder_in": str(folders["queue"]),
        "data_folder_out": str(folders["queue"]),
        "processed_folder": str(folders["processed"]),
        "control_folder": str(folders["control"]),
        "store_processed": False,
        "polling_interval": 0.05,
    }
app.autodiscover_tasks()
