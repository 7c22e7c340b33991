"""Commands about the API."""
