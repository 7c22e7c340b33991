"""ASGI entry point."""

import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.config.settings")
# WhiteNoise hands files over as plain iterators; Django reads them in a thread, which is fine for files.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
application = get_asgi_application()
