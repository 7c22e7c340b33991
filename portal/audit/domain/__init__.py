"""The arithmetic of the chain: canonical text, hashes, and what makes a link broken."""
