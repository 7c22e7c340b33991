"""Settings of the test suite: the product's own, minus what only costs time."""

import os
import tempfile

os.environ.setdefault("BALLAST_VAR", tempfile.mkdtemp(prefix="ballast-test-"))
os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "x" * 40)

from portal.config.settings import *  # noqa: F403
from portal.config.settings import DATABASES, REST_FRAMEWORK, STORAGES, VAR_DIR

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"caller": "100000/min"}}
ACCOUNT_RATE_LIMITS = False
if "sqlite" in DATABASES["default"]["ENGINE"]:
    # A file, not memory: the live server's threads and the tests must see one database.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
elif name := os.environ.get("BALLAST_TEST_DB"):
    DATABASES["default"]["TEST"] = {"NAME": name}
