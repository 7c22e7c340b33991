"""Commands about people and the record."""
