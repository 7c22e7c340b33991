"""Pages and documents that join several apps: home, help, the full report, demo data."""
