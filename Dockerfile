# The portal: one image for the web process and the worker.
FROM python:3.11.14-slim-bookworm
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 BALLAST_VAR=/var/lib/ballast HOST=0.0.0.0
RUN useradd --system --create-home --uid 10001 ballast && install -d -o ballast /var/lib/ballast
WORKDIR /srv/ballast
COPY requirements/portal.txt requirements/portal.txt
RUN python -m pip install --no-cache-dir --require-hashes -r requirements/portal.txt
COPY . .
USER ballast
VOLUME /var/lib/ballast
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=3)"]
CMD ["python", "manage.py", "up", "--no-worker"]
